#include "lib/runtime/Dump.h"
#include "lib/prove/Proof.h"
#include "lib/runtime/Environment.h"
#include "lib/trace/Sha256.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::runtime {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t longest_name = 60, longest_facts = 100; // of a file's name, which has 255 letters at most

std::string digest(std::string_view text) {
  constexpr std::size_t digits = 12; // among some thousand kernels no two are alike
  return hex(sha256(text)).substr(0, digits);
}

/// On one line.
std::string line_of(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char letter) { return static_cast<unsigned char>(letter) < ' '; }, '?');
  return line;
}

bool is_plain(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

std::string checked_folder(const std::string& folder) {
  std::error_code failure;
  const std::string path = fs::absolute(folder, failure).string(); // the program may go elsewhere
  fs::create_directories(path, failure);
  int error = failure.value();
  if (!failure && !fs::is_directory(path, failure))
    error = ENOTDIR;
  else if (!failure && ::access(path.c_str(), W_OK | X_OK) != 0)
    error = errno;
  if (error != 0)
    throw Error("TEGULA_DUMP is '" + folder + "', where no file can be made: " + std::strerror(error) +
                "; set it to a folder that can be written, or whose parent can, or unset it");
  return path;
}

std::string_view ending_of(std::string_view stage) {
  return stage == "llvm" ? ".ll" : stage == "ptx" ? ".ptx" : stage == "asm" ? ".s" : ".mlir";
}

/// How many facts the code takes for granted.
int count_facts(const Specialisation& specialisation) {
  int facts = 0;
  for (const ViewFacts& view : specialisation)
    facts += static_cast<int>(std::ranges::count_if(view.strides, [](Stride stride) { return stride != Stride::any; })) +
             int{view.aligned} + int{view.whole} + int{view.settled};
  return facts;
}

} // namespace

std::string file_name_of(std::string_view kernel) {
  std::string name(kernel.substr(0, longest_name));
  std::ranges::replace_if(name, [](char letter) { return !is_plain(letter); }, '_');
  return name + '-';
}

Dump::Dump(const trace::Record& record, bool checks_everything) {
  const std::optional<std::string> folder = setting("TEGULA_DUMP");
  if (!folder)
    return;
  folder_ = checked_folder(*folder);
  kernel_ = line_of(record.name);
  place_ = line_of(place(record.location));
  stem_ = file_name_of(record.name) + digest(std::to_string(record.name.size()) + ':' + record.name +
                                             record.key(trace::Places::all) + (checks_everything ? "|checks everything" : ""));
}

std::string Dump::facts_text(const CodeKey& key) {
  std::string text;
  for (const ViewFacts& view : key.specialisation) {
    text += &view == key.specialisation.data() ? "" : "_";
    text += view.strides.size() == 0 ? "s" : "";
    for (const Stride stride : view.strides)
      text += stride == Stride::any ? 'n' : stride == Stride::zero ? '0' : '1';
    text += view.aligned ? "a" : "";
    text += view.whole ? "w" : "";
    text += view.settled ? "s" : "";
  }
  for (const auto& [letter, hint] : {std::pair("-w", key.warps), {"-s", key.stages}, {"-r", key.max_regs}})
    if (hint != 0)
      text += letter + std::to_string(hint);
  if (text.size() > longest_facts)
    text = text.substr(0, longest_facts - 20) + "-" + digest(text);
  return text;
}

std::string Dump::head(const std::string& target, const CodeKey& key) const {
  return "kernel: " + kernel_ + "\nplace: " + place_ + "\ntarget: " + target +
         "\nfacts: " + std::to_string(count_facts(key.specialisation)) + " (" + facts_text(key) + ")\n";
}

void Dump::write(const Stages& stages) const noexcept {
  if (folder_.empty())
    return;
  try {
    int number = stages.first;
    for (const auto& [stage, text] : stages.texts)
      write(stem_ + stages.part + "." + std::to_string(number++) + "-" + stage + std::string(ending_of(stage)), text);
    if (!stages.plan.empty())
      write(stem_ + stages.part + ".plan.txt", stages.plan);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tegula: TEGULA_DUMP: %s\n", error.what());
  }
}

/// Under a name that nobody else has, until it is whole.
void Dump::write(const std::string& name, std::string_view text) const {
  const fs::path path = fs::path(folder_) / name;
  std::string temporary = (fs::path(folder_) / ("." + name + ".XXXXXX")).string();
  const auto fail = [&] { throw Error("'" + path.string() + "' cannot be written: " + std::strerror(errno)); };
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0)
    fail();
  bool written = true;
  while (written && !text.empty()) {
    const ssize_t bytes = ::write(file, text.data(), text.size());
    written = bytes > 0;
    text.remove_prefix(written ? static_cast<std::size_t>(bytes) : 0);
  }
  constexpr mode_t for_all_to_read = 0644;
  written &= ::fchmod(file, for_all_to_read) == 0;
  written &= ::close(file) == 0;
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    errno = error;
    fail();
  }
}

} // namespace tegula::runtime

#include "tools/tegula/Ptx.h"
#include "tools/tegula/Nearest.h"
#include "tools/tegula/RunProgram.h"

#include "kernels/registry.hpp"
#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace tegula {
namespace fs = std::filesystem;

std::optional<PtxArguments> parse_ptx(const std::vector<std::string>& arguments) {
  PtxArguments wanted;
  bool is_of_library = false, is_of_program = false; // by its options
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool has_next = i + 1 < arguments.size();
    if (argument == "--run" && has_next) {
      wanted.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (argument == "--stage" && has_next) {
      wanted.stage = arguments[++i];
    } else if (argument == "--kernel" && has_next && wanted.kernel.empty()) {
      wanted.kernel = arguments[++i];
      is_of_program = true;
    } else if (argument == "--ragged") {
      wanted.ragged = is_of_library = true;
    } else if (argument == "--target" && has_next) {
      wanted.target = arguments[++i];
      is_of_library = true;
    } else if (!argument.starts_with("-") && wanted.kernel.empty()) {
      wanted.kernel = argument;
      is_of_library = true;
    } else {
      return std::nullopt;
    }
  }
  if (wanted.program.empty() ? is_of_program : is_of_library)
    return std::nullopt;
  return wanted;
}

static int list_kernels(std::FILE* to, int status) {
  for (const kernels::Entry& entry : kernels::registry())
    std::fprintf(to, "%s\n", entry.name);
  return status;
}

int show_ptx(const PtxArguments& wanted) {
  if (wanted.kernel.empty())
    return list_kernels(stdout, 0);
  const auto entry = std::ranges::find(kernels::registry(), wanted.kernel, &kernels::Entry::name);
  if (entry == kernels::registry().end()) {
    std::vector<std::string_view> known;
    for (const kernels::Entry& each : kernels::registry())
      known.emplace_back(each.name);
    std::fprintf(stderr, "tegula ptx: the library has no kernel '%s'%s; it has\n", wanted.kernel.c_str(),
                 did_you_mean(wanted.kernel, known).c_str());
    return list_kernels(stderr, 2);
  }
  const AnyKernel kernel = entry->make();
  const trace::Record& record = trace_of(kernel);
  Specialisation facts = row_major(record);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    facts[i].aligned = true;
    facts[i].whole = !wanted.ragged;
    facts[i].settled = !record.parameters[i].is_output();
  }
  std::string stages;
  bool found = false;
  GpuOptions options{.target = wanted.target, .warps = kernel.hints().warps, .stages = kernel.hints().stages};
  options.observer = [&](std::string_view stage, std::string_view text) {
    stages += " " + std::string(stage);
    if (stage != wanted.stage)
      return;
    found = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  const auto code = compile_for_gpu(*prove_kernel(record, {.observer = options.observer}).ir, facts, options);
  if (!found) {
    std::fprintf(stderr, "tegula ptx: there is no stage '%s'; there are%s\n", wanted.stage.c_str(), stages.c_str());
    return 2;
  }
  if (wanted.stage == "ptx")
    std::printf("// %d threads, %lld bytes of shared memory\n", code->threads, static_cast<long long>(code->shared_bytes));
  return 0;
}

namespace {

/// A folder of our own that is removed again.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tegula-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw std::runtime_error("no temporary folder can be made in " + fs::temp_directory_path().string());
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

/// A file of TEGULA_DUMP: KERNEL[.TARGET.FACTS].NUMBER-STAGE.ENDING, or KERNEL.TARGET.FACTS.plan.txt.
struct Shown {
  fs::path path;
  std::string code, kernel, stage; // CODE is what comes before the stage; KERNEL is its first part
};

std::vector<Shown> shown_in(const fs::path& folder) {
  std::vector<Shown> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    const std::size_t at = name.rfind('.');
    if (name.starts_with(".") || at == std::string::npos)
      continue;
    const std::string stage = name.substr(at + 1);
    files.push_back({entry.path(), name.substr(0, at), name.substr(0, name.find('.')), stage.substr(stage.find('-') + 1)});
  }
  std::ranges::sort(files, {}, &Shown::path);
  return files;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The kernels' names, by what the names of their files begin with.
std::map<std::string, std::string> kernels_of(const std::vector<Shown>& files) {
  constexpr std::string_view key = "kernel: ";
  std::map<std::string, std::string> kernels;
  for (const Shown& file : files) {
    kernels.try_emplace(file.kernel, file.kernel.substr(0, file.kernel.rfind('-')));
    if (const std::string plan = file.stage == "plan" ? text_of(file.path) : ""; plan.starts_with(key))
      kernels[file.kernel] = plan.substr(key.size(), plan.find('\n') - key.size());
  }
  return kernels;
}

/// The file, behind what is known of its code, as comments.
void print(const Shown& shown) {
  const std::string ending = shown.path.extension().string();
  if (const fs::path plan = shown.path.parent_path() / (shown.code + ".plan.txt"); shown.stage != "plan" && fs::exists(plan)) {
    std::istringstream lines(text_of(plan));
    for (std::string line; std::getline(lines, line);)
      std::printf("%s %s\n", ending == ".ll" ? ";" : ending == ".s" ? "#" : "//", line.c_str());
  }
  const std::string text = text_of(shown.path);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::printf("\n");
}

} // namespace

int show_ptx_of_program(const PtxArguments& wanted) {
  const TemporaryFolder folder;
  const int status = run_program(wanted.program, "TEGULA_DUMP", folder.path().string(), true);
  const std::string program = "'" + wanted.program[0] + "'";
  if (status != 0)
    std::fprintf(stderr, "tegula ptx: %s exited with status %d\n", program.c_str(), status);
  std::vector<Shown> files = shown_in(folder.path());
  if (files.empty()) {
    std::fprintf(stderr, "tegula ptx: %s compiled no kernel\n", program.c_str());
    return 1;
  }
  if (!wanted.kernel.empty()) {
    const std::map<std::string, std::string> kernels = kernels_of(files);
    std::erase_if(files, [&](const Shown& file) { return kernels.at(file.kernel) != wanted.kernel; });
    if (files.empty()) {
      std::set<std::string_view> names;
      for (const auto& [stem, name] : kernels)
        names.insert(name);
      const std::vector<std::string_view> known(names.begin(), names.end());
      std::fprintf(stderr, "tegula ptx: %s compiled no kernel '%s'%s; it compiled\n", program.c_str(), wanted.kernel.c_str(),
                   did_you_mean(wanted.kernel, known).c_str());
      for (const std::string_view name : known)
        std::fprintf(stderr, "%s\n", std::string(name).c_str());
      return 2;
    }
  }
  std::set<std::string> stages;
  for (const Shown& file : files)
    stages.insert(file.stage);
  if (!stages.contains(wanted.stage)) {
    std::string known;
    for (const std::string& stage : stages)
      known += " " + stage;
    std::fprintf(stderr, "tegula ptx: there is no stage '%s'; there are%s%s\n", wanted.stage.c_str(), known.c_str(),
                 stages.contains("asm") ? "; code for the CPU has no PTX: TEGULA_DEVICE=gpu lets Device::best() be a GPU" : "");
    return 2;
  }
  for (const Shown& file : files)
    if (file.stage == wanted.stage)
      print(file);
  return status == 0 ? 0 : 1;
}

} // namespace tegula

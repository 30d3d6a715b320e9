#include "tools/tegula/Prove.h"
#include "tools/tegula/Nearest.h"
#include "tools/tegula/RunProgram.h"

#include "kernels/registry.hpp"
#include "lib/compile/Compile.h"
#include "lib/prove/Proof.h"
#include "lib/runtime/Inspect.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include <unistd.h>

namespace tegula {

namespace {

/// What the proofs say together.
class Sum {
public:
  void add(const Proof& proof) {
    ++kernels_;
    ms_ += proof.ms;
    longest_ = std::max(longest_, proof.ms);
    for (const Obligation& o : proof.obligations)
      ++rungs_[o.rung];
    refuted_ |= proof.refuted();
  }
  /// Everything was settled before the kernel runs.
  bool settled() const {
    return !refuted_ && !rungs_.contains(Rung::checked) && !rungs_.contains(Rung::waived) && !rungs_.contains(Rung::refuted);
  }
  void print() const {
    std::printf("%d %s: ", kernels_, kernels_ == 1 ? "kernel" : "kernels");
    const char* before = "";
    for (const auto& [rung, count] : rungs_) {
      std::printf("%s%d %s", before, count, rung == Rung::condition ? "under a launch condition" : name(rung));
      before = ", ";
    }
    std::printf("; %.1f ms, at most %.1f ms for one\n", ms_, longest_);
  }

private:
  int kernels_ = 0;
  double ms_ = 0, longest_ = 0;
  std::map<Rung, int> rungs_;
  bool refuted_ = false;
};

int no_such_kernel(const std::string& kernel) {
  std::vector<std::string_view> known;
  std::string names;
  for (const kernels::Entry& entry : kernels::registry()) {
    known.emplace_back(entry.name);
    names += std::string(" ") + entry.name;
  }
  std::fprintf(stderr, "tegula prove: the library has no kernel '%s'%s; it has%s\n", kernel.c_str(),
               did_you_mean(kernel, known).c_str(), names.c_str());
  return 2;
}

/// A file of our own that is removed again.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string& ending) : path_(std::filesystem::temp_directory_path() / ("tegula-XXXXXX" + ending)) {
    std::string name = path_.string();
    const int file = ::mkstemps(name.data(), static_cast<int>(ending.size()));
    if (file < 0)
      throw std::runtime_error("no temporary file can be made in " + path_.parent_path().string());
    ::close(file);
    path_ = name;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }
  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      lines.push_back(std::move(line));
    return lines;
  }

private:
  std::filesystem::path path_;
};

} // namespace

std::optional<ProveArguments> parse_prove(const std::vector<std::string>& arguments) {
  ProveArguments result;
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (*argument == "--json") {
      result.json = true;
    } else if (*argument == "--run") {
      result.program.assign(argument + 1, arguments.end());
      if (result.program.empty() || !result.kernel.empty())
        return std::nullopt;
      break;
    } else if (argument->starts_with("-") || !result.kernel.empty()) {
      return std::nullopt;
    } else {
      result.kernel = *argument;
    }
  }
  return result;
}

int prove_library(const std::string& kernel, bool json) {
  Sum sum;
  bool found = false;
  for (const kernels::Entry& entry : kernels::registry()) {
    if (!kernel.empty() && kernel != entry.name)
      continue;
    found = true;
    const AnyKernel made = entry.make();
    const Proof proof = prove_kernel(trace_of(made)).proof;
    std::printf("%s\n", (json ? proof.json() : proof.text()).c_str());
    sum.add(proof);
  }
  if (!found)
    return no_such_kernel(kernel);
  if (!json)
    sum.print();
  return sum.settled() ? 0 : 1;
}

int prove_program(const std::vector<std::string>& command, bool json) {
  const TemporaryFile proofs(json ? ".json" : ".txt");
  const int status = run_program(command, "TEGULA_PROOFS", proofs.path(), json);
  bool refuted = false;
  int kernels = 0;
  for (const std::string& line : proofs.lines()) {
    std::printf("%s\n", line.c_str());
    const bool head = json || line.starts_with("kernel '");
    kernels += head;
    refuted |= head && (json ? !line.ends_with("\"refutation\":\"\"}") : line.ends_with(" ms, refuted"));
  }
  if (kernels == 0)
    std::fprintf(stderr, "tegula prove: '%s' compiled no kernel\n", command[0].c_str());
  std::fprintf(json ? stderr : stdout, "'%s' exited with status %d\n", command[0].c_str(), status);
  return refuted || status != 0 ? 1 : 0;
}

int replay_program(const std::vector<std::string>& command) {
  const TemporaryFile replays(".txt");
  run_program(command, "TEGULA_REPLAY", replays.path(), true);
  const std::vector<std::string> lines = replays.lines();
  for (const std::string& line : lines)
    std::printf("%s\n", line.c_str());
  if (lines.empty())
    std::fprintf(stderr, "tegula replay: none of the kernels that the program launched is refuted\n");
  return lines.empty() ? 1 : 0;
}

} // namespace tegula

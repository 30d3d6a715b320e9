#include "test/support/RecordedPtx.h"

#include "test/support/Ptxas.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace tegula::test {

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<fs::path> modules_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".ptx")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// By what they begin with; none if another assembler made the report.
std::map<std::string, std::string> lines_of(const fs::path& report) {
  std::map<std::string, std::string> lines;
  std::ifstream file(report);
  std::string line;
  if (std::getline(file, line) && line == assembler_version())
    while (std::getline(file, line))
      lines[line.substr(0, line.find(' '))] = line;
  return lines;
}

std::string first_match(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1] : std::string("?");
}

bool is_of_the_library(const std::string& ptx) {
  return std::regex_search(ptx, std::regex("\\.file[^\\n]*[/\"]kernels/\\w+\\.hpp\""));
}

struct Module {
  fs::path file;
  std::string ptx, shared; // `shared`: bytes that launches ask for; empty if there were none
  std::size_t key;
};

Module read_module(const fs::path& file) {
  Module module{file, read(file), read(fs::path(file).replace_extension(".shared")), 0};
  module.key = std::hash<std::string>()(module.ptx + module.shared);
  return module;
}

/// Its line of the report; empty if it does not assemble, which is then a failure.
std::string assembled_line(const Module& module, std::vector<std::string>& failures) {
  const std::string target = first_match(module.ptx, "\\.target (\\w+)"), kernel = first_match(module.ptx, "\\.entry (\\w+)");
  const Assembled assembled = assemble(module.ptx, target).value();
  if (!assembled.error.empty()) {
    failures.push_back(kernel + " for " + target + " (" + module.file.string() + "):\n" + assembled.error);
    return {};
  }
  const int threads = std::atoi(first_match(module.ptx, "\\.maxntid (\\d+)").c_str());
  return std::to_string(module.key) + " " + kernel + " " + target + ": " +
         resources(assembled, threads, std::atoll(module.shared.c_str())) + (module.shared.empty() ? " (never launched)" : "");
}

std::string spill_message(const Module& module, const std::string& line) {
  return "a kernel of the library spills registers: " + line + " (" + module.file.string() + ")";
}

} // namespace

RecordedPtx check_recorded(const fs::path& folder, const fs::path& report, std::size_t part, std::size_t parts,
                           std::size_t sample) {
  const std::map<std::string, std::string> known = lines_of(report);
  std::ofstream out(report);
  out << assembler_version() << "\n";
  RecordedPtx result;
  for (const fs::path& file : modules_in(folder)) {
    const Module module = read_module(file);
    const bool is_taken = module.key / parts % sample == 0 || is_of_the_library(module.ptx);
    if (module.key % parts != part || !is_taken)
      continue;
    ++result.modules;
    const auto last = known.find(std::to_string(module.key));
    if (last == known.end())
      ++result.assembled;
    const std::string line = last != known.end() ? last->second : assembled_line(module, result.failures);
    if (line.empty())
      continue;
    out << line << "\n" << std::flush;
    if (number_before(line, "bytes spilled") > 0 && is_of_the_library(module.ptx))
      result.failures.push_back(spill_message(module, line));
  }
  return result;
}

} // namespace tegula::test

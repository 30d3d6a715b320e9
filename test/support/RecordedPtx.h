// PTX that tests ran: what the emulator's driver keeps where TEGULA_PTXEMU_RECORD says.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tegula::test {

struct RecordedPtx {
  std::size_t modules = 0;
  std::size_t assembled = 0;         // the others are as in the last report
  std::vector<std::string> failures; // a module does not assemble, or a kernel of the library spills registers
};

/// Assembles every module of a folder for its target and reports, a line each, what it needs. What the last report knows from the
/// same assembler is not assembled again. Of `parts` that share the work this is number `part`; each has a report of its own.
/// Of modules that are not the library's, one in `sample` is taken. Needs ptxas.
RecordedPtx check_recorded(const std::filesystem::path& folder, const std::filesystem::path& report, std::size_t part = 0,
                           std::size_t parts = 1, std::size_t sample = 1);

} // namespace tegula::test

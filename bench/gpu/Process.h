// Other programs, run for what they print.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace tegula::bench {

struct Finished {
  bool succeeded = false;
  std::string output; // what it wrote to its standard output
};

/// Runs a program, which is looked for as a shell does, and waits for it. arguments[0] is the name it is told.
Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const std::vector<std::pair<std::string, std::string>>& environment = {});

} // namespace tegula::bench

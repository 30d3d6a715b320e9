#pragma once
#include <string>
#include <vector>

namespace tegula {

/// Runs a program with one more environment variable, and waits. Returns its exit status, 128 + the signal's number if one ended
/// it. `to_stderr`: what it prints goes to the standard error. Throws std::runtime_error if it cannot be run.
int run_program(const std::vector<std::string>& command, const std::string& variable, const std::string& value, bool to_stderr);

} // namespace tegula

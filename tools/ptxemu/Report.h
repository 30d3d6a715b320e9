#pragma once

#include <stdexcept>
#include <string>

namespace ptxemu {

enum class Problem {
  out_of_bounds,
  misaligned,
  uninitialised,
  in_flight,
  race,
  barrier,
  shuffle,
  mbarrier,
  deadlock,
  does_not_end,
  trap,
  launch
};
const char* name_of(Problem problem);

// Why a launch did not end well. The text has several lines: what, the thread, the PTX line, the source.
struct Report {
  Problem problem;
  std::string text;
};

// Thrown where an instruction goes wrong; the launch adds where that was.
struct Fault : std::runtime_error {
  Fault(Problem problem, int lane, const std::string& what) : std::runtime_error(what), problem(problem), lane(lane) {}
  Problem problem;
  int lane; // -1: not one lane's doing
};

std::string hexadecimal(unsigned long long value);

} // namespace ptxemu

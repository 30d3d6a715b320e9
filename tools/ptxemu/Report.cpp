#include "tools/ptxemu/Report.h"

#include <cstdio>

namespace ptxemu {

const char* name_of(Problem problem) {
  switch (problem) {
  case Problem::out_of_bounds:
    return "out of bounds";
  case Problem::misaligned:
    return "misaligned";
  case Problem::uninitialised:
    return "uninitialised";
  case Problem::in_flight:
    return "in flight";
  case Problem::race:
    return "race";
  case Problem::barrier:
    return "barrier";
  case Problem::shuffle:
    return "warp";
  case Problem::mbarrier:
    return "mbarrier";
  case Problem::deadlock:
    return "deadlock";
  case Problem::does_not_end:
    return "does not end";
  case Problem::trap:
    return "trap";
  case Problem::launch:
    return "launch";
  }
  return "";
}

std::string hexadecimal(unsigned long long value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", value);
  return text;
}

} // namespace ptxemu

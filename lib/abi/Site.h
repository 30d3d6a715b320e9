// Places in a kernel's source that may speak while it runs.
#pragma once
#include "lib/trace/Record.h"

#include <string>
#include <vector>

namespace tegula {

/// A place in the kernel's source that may speak.
struct Site {
  enum class Kind {
    print,
    assertion, // a condition that the author requires
    check,     // one that the compiler does; the text says all
    claim      // of elements that no other program may write
  } kind;
  trace::Location location;
  std::string text;
  std::vector<trace::Type> values;
  int parameter = -1; // that a claim is about, counted from 0
};

} // namespace tegula

// What a case repeats, and how long it takes on the device.
#pragma once
#include "bench/gpu/Case.h"

namespace tegula::bench {

/// One way of doing the work.
struct Variant {
  std::string name;
  std::function<void(int, const Queue&)> run; // launches it on a set of inputs
};

struct Work {
  /// Of inputs and outputs, used in turns, so that none is found in a cache.
  int sets = 1;
  std::vector<Variant> variants;
  /// Makes the output of set 0 wrong; and throws an Error unless it is right.
  std::function<void()> poison, check;
};

enum class How : u8 {
  launched, // one by one
  replayed  // from a graph
};

/// Checks every variant, and takes the fastest.
Ready ready(const Device&, const Work&, How = How::launched);

/// How many sets of so many bytes do not fit into a cache together.
int sets_for(double bytes);

} // namespace tegula::bench

// Runs the launch of a witness on the CPU, to see with one's own eyes what a refutation says.
#pragma once
#include "lib/prove/Proof.h"
#include "lib/trace/Record.h"

#include <string>

namespace tegula {

struct Replay {
  std::string text; // what the programs of the witness do, with values
  std::string trap; // what the launch fails with when everything is checked in the kernel; empty if it does not fail
};

Replay replay(const trace::Record&, const Witness&);

} // namespace tegula

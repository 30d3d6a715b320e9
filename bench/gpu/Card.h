// The GPU that is measured, for people.
#pragma once
#include "tegula/tegula.hpp"

#include <string>

namespace tegula::bench {

struct Card {
  std::string name;
  std::string driver; // its version; "unknown" where nvidia-smi is missing
  std::string clocks; // "SM 1980 MHz, memory 3201 MHz", as found
};

Card card_of(const Device&);

} // namespace tegula::bench

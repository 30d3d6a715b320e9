#pragma once

// Numbers that a seed decides, the same everywhere.

#include <cstdint>

namespace ptxemu {

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  std::uint32_t below(std::uint32_t limit) { return next() % limit; }

private:
  std::uint64_t state_;
};

} // namespace ptxemu

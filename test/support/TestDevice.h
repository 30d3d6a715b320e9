// Where tests of kernels run: on the device that the environment variable TEGULA_DEVICE names, and on the CPU if it names none.
#pragma once
#include "tegula/host/device.hpp"

#include <cstdlib>

namespace tegula::test {

inline Device test_device() {
  const char* wanted = std::getenv("TEGULA_DEVICE");
  return wanted && *wanted ? Device::best() : Device::cpu();
}

inline bool on_cpu() { return test_device() == Device::cpu(); }

/// With so many threads and nothing compiled yet, if it is the CPU.
inline Device test_device(int threads) { return on_cpu() ? Device::cpu(threads) : test_device(); }

} // namespace tegula::test

// A library that looks like a driver, and answers what the environment says.
#include <cstdlib>

namespace {
int number(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : 0;
}
} // namespace

extern "C" {
int cuInit(unsigned) { return number("FAKE_INIT"); }
int cuDriverGetVersion(int* version) {
  *version = number("FAKE_VERSION");
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = number("FAKE_COUNT");
  return 0;
}
int cuGetErrorName(int, const char** name) {
  *name = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH";
  return 0;
}
}

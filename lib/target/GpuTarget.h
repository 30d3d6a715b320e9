// What the lowering needs to know of the GPU it generates for.
#pragma once
#include <cstdint>
#include <string>

namespace tegula {

struct GpuTarget {
  std::string name = "sm_90a";
  int capability = 90;
  std::int64_t sharedBytes = 227 * 1024; // that a program can have

  /// "sm_80", "sm_90a" and so on. Throws InternalError for what is not a GPU that code can be generated for.
  static GpuTarget named(const std::string& name);
};

} // namespace tegula

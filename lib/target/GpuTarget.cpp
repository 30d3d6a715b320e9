#include "lib/target/GpuTarget.h"

#include "tegula/error.hpp"

namespace tegula {

namespace {
struct Known {
  const char* name;
  int capability;
  std::int64_t sharedKiB;
};
constexpr Known known[] = {{"sm_80", 80, 163},  {"sm_86", 86, 99},   {"sm_87", 87, 163},   {"sm_89", 89, 99},
                           {"sm_90", 90, 227},  {"sm_90a", 90, 227}, {"sm_100", 100, 227}, {"sm_100a", 100, 227},
                           {"sm_120", 120, 99}, {"sm_120a", 120, 99}};
} // namespace

GpuTarget GpuTarget::named(const std::string& name) {
  std::string names;
  for (const Known& gpu : known) {
    if (name == gpu.name)
      return {.name = name, .capability = gpu.capability, .sharedBytes = gpu.sharedKiB * 1024};
    names += std::string(names.empty() ? "" : ", ") + gpu.name;
  }
  throw InternalError("no code can be generated for '" + name + "'; known are " + names);
}

} // namespace tegula

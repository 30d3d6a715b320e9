// Kernels for the fake driver.
#pragma once
#include "FakeCompiler.h"
#include "FakeDriver.h"
#include "lib/abi/GpuMessages.h"
#include "tegula/tegula.hpp"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

/// A compiled kernel that the fake driver runs as the entry of this name.
inline tegula::GpuKernel code(const std::string& entry) {
  tegula::GpuKernel kernel;
  kernel.entry = entry;
  kernel.ptx = "// " + entry;
  kernel.target = "sm_90a";
  kernel.threads = 128;
  return kernel;
}

/// As program 0 does when site 0, which has no values, fails. `messages`: the kernel's word.
inline void fail_at_first_site(std::int64_t messages) {
  auto* header = reinterpret_cast<tegula::GpuMessagesHeader*>(messages);
  const tegula::GpuMessage record{.bytes = sizeof(tegula::GpuMessage), .site = 0, .program = 0};
  std::memcpy(reinterpret_cast<void*>(header->records), &record, sizeof record);
  header->used = sizeof record;
  header->failure = tegula::GpuFailure{0, 0}.word();
}

/// y[i] = i + 1, four elements per program. Words: y, extent, stride; first, programs, messages.
inline auto counter(const char* name, tegula::Hints hints = {}) {
  fake::define_entry("count", [](void** p, std::int64_t block) {
    const std::int64_t program = fake::word(p, 3) + block;
    for (std::int64_t i = program * 4; i < program * 4 + 4 && i < fake::word(p, 1); ++i)
      reinterpret_cast<std::int32_t*>(fake::word(p, 0))[i] = static_cast<std::int32_t>(i + 1);
  });
  fake::define_gpu(name, code("count"));
  return tegula::kernel(name, [](tegula::Out<tegula::i32, 4> y) { y.store(tegula::zeros<tegula::i32, 4>()); }, hints);
}

class WithoutDiskCache : public testing::Test {
protected:
  WithoutDiskCache() { setenv("TEGULA_CACHE", "off", 1); }
  ~WithoutDiskCache() override { unsetenv("TEGULA_CACHE"); }
};

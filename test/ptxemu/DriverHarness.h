#pragma once

// The CUDA driver's functions, found in the shared library by their names.

#include <dlfcn.h>

#include "test/ptxemu/Harness.h"

namespace ptxemu {

class Driver : public testing::Test {
protected:
  void SetUp() override {
    library_ = dlopen(TEGULA_PTXEMU_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library_) << dlerror();
    ASSERT_EQ(call("cuInit", 0U), 0);
  }
  void TearDown() override {
    call("cuDevicePrimaryCtxRelease_v2", 0);
    for (void* module : modules_)
      EXPECT_EQ(call("cuModuleUnload", module), 0);
  }

  template <class... A> int call(const char* name, A... arguments) {
    auto function = reinterpret_cast<int (*)(A...)>(dlsym(library_, name));
    if (!function) {
      ADD_FAILURE() << "no function " << name;
      return -1;
    }
    return function(arguments...);
  }

  std::uint64_t allocate(std::size_t bytes) {
    std::uint64_t address = 0;
    EXPECT_EQ(call("cuMemAlloc_v2", &address, bytes), 0);
    return address;
  }

  // The kernel k of a module, which is unloaded at the end.
  void* function_of(const std::string& text) {
    void *module = nullptr, *function = nullptr;
    EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void*>(text.c_str()), 0U, static_cast<int*>(nullptr),
                   static_cast<void**>(nullptr)),
              0);
    EXPECT_EQ(call("cuModuleGetFunction", &function, module, "k"), 0);
    modules_.push_back(module);
    return function;
  }

  int launch(void* function, unsigned blocks, unsigned threads, void** values, unsigned shared = 0, void* stream = nullptr) {
    return call("cuLaunchKernel", function, blocks, 1U, 1U, threads, 1U, 1U, shared, stream, values, static_cast<void**>(nullptr));
  }

  std::string error_text(int error) {
    const char* text = nullptr;
    call("cuGetErrorString", error, &text);
    return text ? text : "";
  }

  void* library_ = nullptr;
  std::vector<void*> modules_;
};

} // namespace ptxemu

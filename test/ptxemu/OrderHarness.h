#pragma once

// Two streams and three words, with work at once and delayed.

#include "test/ptxemu/DriverHarness.h"

namespace ptxemu {

// One thread adds 1 to what the input has, and writes that; or it only reads, or writes.
inline const std::string increment = "ld.global.b32 %r1, [%rd0]; add.s32 %r1, %r1, 1; st.global.b32 [%rd1], %r1;",
                         read_only = "ld.global.b32 %r1, [%rd0];", write_only = "st.global.b32 [%rd1], 7;";

class DriverOrder : public Driver {
protected:
  static constexpr int lost = 719;

  void TearDown() override {
    Driver::TearDown();
    unsetenv("TEGULA_PTXEMU_DELAY");
    call("cuInit", 0U);
  }

  // Streams a and b, and x, which holds 1, y and z, each time.
  template <class F> void at_once_and_delayed(F&& f) {
    for (int seed = 0; seed <= 20; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      if (seed > 0)
        setenv("TEGULA_PTXEMU_DELAY", std::to_string(seed).c_str(), 1);
      ASSERT_EQ(call("cuInit", 0U), 0);
      a = stream();
      b = stream();
      x = filled(1);
      y = filled(0);
      z = filled(0);
      f();
      ASSERT_EQ(call("cuDevicePrimaryCtxRelease_v2", 0), 0);
    }
  }

  void* stream(unsigned flags = 1) {
    void* stream = nullptr;
    EXPECT_EQ(call("cuStreamCreate", &stream, flags), 0);
    return stream;
  }
  std::uint64_t filled(std::uint32_t value) {
    std::uint64_t address = allocate(4);
    EXPECT_EQ(call("cuMemcpyHtoD_v2", address, static_cast<const void*>(&value), std::size_t(4)), 0);
    return address;
  }
  int run(void* function, std::uint64_t in, std::uint64_t out, void* stream) {
    void* values[] = {&in, &out};
    return launch(function, 1, 1, values, 0, stream);
  }
  void order(void* from, void* to) {
    void* event = nullptr;
    call("cuEventCreate", &event, 0U);
    call("cuEventRecord", event, from);
    EXPECT_EQ(call("cuStreamWaitEvent", to, event, 0U), 0);
    call("cuEventDestroy_v2", event);
  }
  std::uint32_t value(std::uint64_t address) {
    std::uint32_t back = 0;
    EXPECT_EQ(call("cuCtxSynchronize"), 0);
    EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(&back), address, std::size_t(4)), 0);
    return back;
  }
  void expect_found(std::initializer_list<const char*> parts, int error = lost) {
    ASSERT_EQ(call("cuCtxSynchronize"), error);
    for (const char* part : parts)
      EXPECT_NE(error_text(error).find(part), std::string::npos) << "'" << part << "' is not in:\n" << error_text(error);
  }

  void *a = nullptr, *b = nullptr;
  std::uint64_t x = 0, y = 0, z = 0;
};

} // namespace ptxemu

// Which work comes before which, by streams, events and the host: what nothing orders is reported, what is in order has its result.
#include "test/ptxemu/OrderHarness.h"

namespace ptxemu {
namespace {

TEST_F(DriverOrder, TwoStreams) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    run(k, x, y, a);
    order(a, b);
    run(k, y, z, b);
    EXPECT_EQ(value(z), 3U);

    run(k, x, y, a);
    run(k, y, z, b);
    expect_found({"race: kernel 'k' in stream ", "what kernel 'k' in stream ", "nothing orders them",
                  "at offset 0 of the allocation of 4 bytes"});
  });
}

TEST_F(DriverOrder, ReadsAndWrites) {
  void *reader = function_of(kernel(read_only)), *writer = function_of(kernel(write_only));
  at_once_and_delayed([&] {
    run(reader, x, x, a);
    run(reader, x, x, b);
    EXPECT_EQ(call("cuCtxSynchronize"), 0);
    // The host has waited for both readers.
    run(writer, x, x, a);
    EXPECT_EQ(call("cuCtxSynchronize"), 0);

    run(reader, x, x, a);
    run(reader, x, x, b);
    order(b, a); // one of the readers
    run(writer, x, x, b);
    expect_found({"race: kernel 'k'", "reads", "writes"});
  });
}

// Neighbouring bytes have nothing to do with each other.
TEST_F(DriverOrder, Bytes) {
  void* writer = function_of(kernel("st.global.b8 [%rd1], 7;"));
  at_once_and_delayed([&] {
    run(writer, x, x, a);
    run(writer, x, x + 1, b);
    EXPECT_EQ(value(x), 0x0707U);
    run(writer, x, x + 1, a);
    run(writer, x, x + 1, b);
    expect_found({"at offset 1 of the allocation of 4 bytes"});
  });
}

TEST_F(DriverOrder, TheHostWaits) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    void* event = nullptr;
    call("cuEventCreate", &event, 0U);
    run(k, x, y, a);
    call("cuEventRecord", event, a);
    while (call("cuEventQuery", event) == 600) {
    }
    run(k, y, z, b);
    EXPECT_EQ(call("cuEventRecord", event, b), 0);
    EXPECT_EQ(call("cuEventSynchronize", event), 0);
    run(k, z, x, a);
    EXPECT_EQ(call("cuStreamSynchronize", a), 0);
    EXPECT_EQ(value(x), 4U);
    call("cuEventDestroy_v2", event);
  });
}

TEST_F(DriverOrder, TheDefaultStream) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    void* blocking = stream(0);
    run(k, x, y, blocking);
    run(k, y, z, nullptr);
    run(k, z, x, blocking);
    EXPECT_EQ(value(x), 4U);
    run(k, x, y, a);
    run(k, y, z, nullptr);
    expect_found({"in the default stream"});
  });
}

TEST_F(DriverOrder, CopiesAreDelayed) {
  setenv("TEGULA_PTXEMU_DELAY", "1", 1);
  ASSERT_EQ(call("cuInit", 0U), 0);
  a = stream();
  x = filled(1);
  std::uint32_t from = 5, to = 0;
  EXPECT_EQ(call("cuMemcpyHtoDAsync_v2", x, static_cast<const void*>(&from), std::size_t(4), a), 0);
  from = 6;
  EXPECT_EQ(call("cuMemcpyDtoHAsync_v2", static_cast<void*>(&to), x, std::size_t(4), a), 0);
  EXPECT_EQ(to, 0U);
  EXPECT_EQ(call("cuStreamSynchronize", a), 0);
  EXPECT_EQ(to, 6U);
}

TEST_F(DriverOrder, MemoryOfTheHost) {
  at_once_and_delayed([&] {
    std::uint32_t to = 0;
    for (void* stream : {a, b})
      EXPECT_EQ(call("cuMemcpyDtoHAsync_v2", static_cast<void*>(&to), x, std::size_t(4), stream), 0);
    expect_found({"a copy to the host in stream", "of the host"});
  });
}

TEST_F(DriverOrder, FreedTooEarly) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    std::uint64_t memory = 0;
    EXPECT_EQ(call("cuMemAllocAsync", &memory, std::size_t(4), a), 0);
    run(k, x, memory, a);
    order(a, b);
    run(k, memory, y, b);
    order(b, a);
    EXPECT_EQ(call("cuMemFreeAsync", memory, a), 0);
    EXPECT_EQ(value(y), 3U);
    EXPECT_EQ(call("cuMemFreeAsync", memory, a), 1);

    EXPECT_EQ(call("cuMemAllocAsync", &memory, std::size_t(4), a), 0);
    order(a, b);
    run(k, x, memory, b);
    EXPECT_EQ(call("cuMemFreeAsync", memory, a), 0);
    const int error = call("cuCtxSynchronize");
    if (error == 700) // it was freed first
      expect_found({"which has been freed"}, 700);
    else
      expect_found({"cuMemFreeAsync in stream", "frees what kernel 'k'"});
  });
}

TEST_F(DriverOrder, UsedWithoutItsAllocation) {
  void* writer = function_of(kernel(write_only));
  at_once_and_delayed([&] {
    std::uint64_t memory = 0;
    EXPECT_EQ(call("cuMemAllocAsync", &memory, std::size_t(4), a), 0);
    run(writer, x, memory, b);
    expect_found({"cuMemAllocAsync in stream", "allocates", "nothing orders them"});
  });
}

TEST_F(DriverOrder, PinnedMemory) {
  void* k = function_of(kernel(increment));
  at_once_and_delayed([&] {
    void* pinned = nullptr;
    ASSERT_EQ(call("cuMemHostAlloc", &pinned, std::size_t(4), 0U), 0);
    const auto address = reinterpret_cast<std::uint64_t>(pinned);
    auto& seen = *static_cast<volatile std::uint32_t*>(pinned);
    seen = 0;
    run(k, x, address, a);
    EXPECT_EQ(call("cuStreamSynchronize", a), 0);
    EXPECT_EQ(seen, 2U);
    EXPECT_EQ(call("cuMemcpyHtoDAsync_v2", y, static_cast<const void*>(pinned), std::size_t(4), a), 0);
    run(k, x, address, b);
    expect_found({"race: ", "a copy from the host", "kernel 'k'"});
    call("cuDevicePrimaryCtxRelease_v2", 0);
    EXPECT_EQ(call("cuMemFreeHost", pinned), 0);
    EXPECT_EQ(call("cuMemFreeHost", pinned), 1);
  });
}

} // namespace
} // namespace ptxemu

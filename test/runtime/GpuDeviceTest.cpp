// A GPU's memory, copies and fills, and what the driver refuses.
#include "Expect.h"
#include "FakeDriver.h"
#include "lib/runtime/gpu/Devices.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace tegula;

TEST(GpuDevice, SaysWhatItIs) {
  const Device d = fake::gpu();
  EXPECT_STREQ(d.name(), "Fake (sm_90a, driver 12.4)");
  EXPECT_EQ(d.parallelism(), 7);
  EXPECT_EQ(d.memory_bytes(), 64 << 20);
  EXPECT_EQ(gpu::target_of(8, 0), "sm_80");
  EXPECT_EQ(gpu::target_of(8, 9), "sm_89");
  EXPECT_EQ(gpu::target_of(10, 0), "sm_100a");
  EXPECT_EQ(gpu::target_of(12, 0), "sm_120a");
}

TEST(GpuDevice, OldOnesAreRefused) {
  EXPECT_MESSAGE(fake::gpu({.major = 7, .minor = 5}),
                 "tegula: GPU 0, 'Fake', has compute capability 7.5; kernels need 8.0 (Ampere) or later: choose another device, or "
                 "Device::cpu()");
}

template <class T> void round_trip(const Device& d, T value) {
  const auto filled = Tensor<T, 1>::full(d, {5}, value);
  EXPECT_EQ(filled.to_host(), std::vector<T>(5, value));
  const auto host = Tensor<T, 1>::from_host(d, {2}, {value, T{}});
  EXPECT_EQ(host.copy().to_host(), (std::vector<T>{value, T{}}));
}

TEST(GpuDevice, FillsAndCopies) {
  for (bool pools : {true, false}) {
    const Device d = fake::gpu({.pools = pools});
    round_trip<u8>(d, 200);
    round_trip<i16>(d, -12345);
    round_trip<f32>(d, 1.5f);
    round_trip<f64>(d, 3.25);
    round_trip<i64>(d, (i64{7} << 40) + 5);
    const auto t = Tensor<f32, 2>::from_host(d, {2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(t.view().transpose().to_host(), (std::vector<f32>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(t.view().slice(1, 1, 2).to_host(), (std::vector<f32>{2, 5}));
    EXPECT_EQ((Tensor<f32, 1>::zeros(d, {0}).to_host()), std::vector<f32>{});
    EXPECT_EQ(fake::allocated(), 24u);
  }
}

TEST(GpuDevice, ZeroesWhatIsNotWrittenAtOnce) {
  const Device d = fake::gpu();
  const auto zeros = Tensor<i32, 1>::zeros(d, {100});
  EXPECT_EQ(zeros.to_host(), std::vector<i32>(100, 0));
  EXPECT_EQ(fake::calls("cuMemsetD8Async"), 1);
  const auto unset = Tensor<i32, 1>::uninit(d, {100});
  const auto host = Tensor<i32, 1>::from_host(d, {1}, {3});
  const auto copy = zeros.copy();
  EXPECT_EQ(fake::calls("cuMemsetD8Async"), 1);
  const auto full = Tensor<i32, 1>::full(d, {100}, 0);
  EXPECT_EQ(fake::calls("cuMemsetD8Async"), 2);
}

TEST(GpuDevice, CountsItsMemory) {
  const Device d = fake::gpu();
  {
    const auto a = Tensor<f32, 1>::zeros(d, {1000}), b = Tensor<f32, 1>::uninit(d, {10});
    EXPECT_EQ(d.statistics().bytes_in_use, 4040);
    EXPECT_EQ(d.statistics().bytes_reserved, 4040);
  }
  EXPECT_EQ(d.statistics().bytes_in_use, 0);
  EXPECT_EQ(d.statistics().peak_bytes, 4040);
}

TEST(GpuDevice, SaysHowMuchMemoryThereIs) {
  const Device d = fake::gpu({.memory = 1000});
  const auto t = Tensor<u8, 1>::zeros(d, {400});
  EXPECT_MESSAGE(
      (Tensor<f32, 1>::zeros(d, {200})),
      "tegula: device 'Fake (sm_90a, driver 12.4)' has no memory for 800 bytes; its tensors hold 400 bytes, and 600 of its "
      "1000 bytes are free");
  EXPECT_EQ(fake::calls("cuMemPoolTrimTo"), 1) << "what the pool keeps is given back first";
  EXPECT_EQ(fake::calls("cuMemAllocAsync"), 3);
  EXPECT_EQ(d.statistics().bytes_in_use, 400);
  EXPECT_EQ((Tensor<u8, 1>::zeros(d, {600}).size()), 600) << "it goes on";
}

TEST(GpuDevice, EveryErrorNamesTheCallAndItsPurpose) {
  const Device d = fake::gpu();
  auto t = Tensor<i64, 1>::zeros(d, {4});
  fake::fail_call("cuMemcpyDtoHAsync_v2", 1);
  EXPECT_ERROR(DriverError, t.to_host(),
               "tegula: copying 32 bytes to the host: cuMemcpyDtoHAsync_v2 failed on device 'Fake (sm_90a, driver 12.4)': "
               "CUDA_ERROR_FAKE (1, as the test asked for)");
  fake::fail_call("cuMemcpyHtoDAsync_v2", 1);
  EXPECT_ERROR(DriverError, (Tensor<i64, 1>::from_host(d, {1}, {3})), "copying 8 bytes from the host: cuMemcpyHtoDAsync_v2 failed");
  fake::fail_call("cuMemsetD8Async", 1);
  EXPECT_ERROR(DriverError, (Tensor<i64, 1>::zeros(d, {1})), "zeroing 8 bytes: cuMemsetD8Async failed");
  fake::fail_call("cuMemsetD32Async", 1);
  EXPECT_ERROR(DriverError, (Tensor<i64, 1>::full(d, {1}, 2)), "filling 8 bytes: cuMemsetD32Async failed");
  fake::fail_call("cuMemcpyDtoDAsync_v2", 1);
  EXPECT_ERROR(DriverError, t.copy(), "copying 32 bytes: cuMemcpyDtoDAsync_v2 failed");
  fake::fail_call("cuMemAllocAsync", 1);
  EXPECT_ERROR(DriverError, (Tensor<i64, 1>::zeros(d, {1})), "asking for 8 bytes: cuMemAllocAsync failed");
  EXPECT_EQ(d.statistics().bytes_in_use, 32) << "nothing is lost";
  EXPECT_EQ(fake::allocated(), 32u);
}

TEST(GpuDevice, AnErrorThatLosesTheDeviceIsTold) {
  const Device d = fake::gpu();
  const auto t = Tensor<i32, 1>::zeros(d, {4});
  fake::fail_call("cuEventSynchronize", 700);
  EXPECT_ERROR(DriverError, t.to_host(),
               "CUDA_ERROR_ILLEGAL_ADDRESS (700, as the test asked for); run the program with TEGULA_CHECKS");
  EXPECT_ERROR(DriverError, t.to_host(),
               "tegula: device 'Fake (sm_90a, driver 12.4)' is lost, with all of its tensors: restart the program. It began with: "
               "tegula: copying 16 bytes to the host: cuEventSynchronize failed");
  EXPECT_ERROR(DriverError, (Tensor<i32, 1>::zeros(d, {4})), "is lost");
}

TEST(GpuDevice, OpeningCanFail) {
  fake::driver();
  const gpu::Driver& driver = fake::driver();
  fake::fail_call("cuDevicePrimaryCtxRetain", 46);
  EXPECT_ERROR(
      DriverError, fake::gpu(driver),
      "opening the device: cuDevicePrimaryCtxRetain failed on device 'Fake (sm_90a, driver 12.4)': CUDA_ERROR_FAKE (46, as the "
      "test asked for); another process holds the device: end it, or set TEGULA_DEVICE=cpu");
  fake::fail_call("cuStreamCreateWithPriority", 2);
  EXPECT_ERROR(DriverError, fake::gpu(driver), "opening a queue: cuStreamCreateWithPriority failed");
  EXPECT_EQ(fake::calls("cuDevicePrimaryCtxRelease_v2"), 1) << "what was opened is closed";
  gpu::Driver& old = fake::driver_to_change({.version = 12010});
  old.cuMemAllocAsync.pointer = nullptr;
  const Device d = fake::gpu(old);
  EXPECT_ERROR(DriverError, (Tensor<i32, 1>::zeros(d, {4})),
               "tegula: the driver 'fake.so' (CUDA 12.1) has no function cuMemAllocAsync; update the driver");
}

TEST(GpuDevice, EachThreadFindsTheContext) {
  const Device d = fake::gpu();
  std::thread([&] { EXPECT_EQ((Tensor<i32, 1>::full(d, {3}, 4).to_host()), std::vector<i32>(3, 4)); }).join();
}

TEST(GpuDriver, LibrariesThatAreNoneAreExplained) {
  std::string why;
  EXPECT_EQ(gpu::Driver::load("/no/such/libcuda.so", why), nullptr);
  EXPECT_NE(why.find("NVIDIA's driver library '/no/such/libcuda.so' cannot be loaded ("), std::string::npos) << why;
  EXPECT_NE(why.find("; install the driver, or name its library in TEGULA_DRIVER"), std::string::npos) << why;
  EXPECT_EQ(gpu::Driver::load("libm.so.6", why), nullptr);
  EXPECT_EQ(why, "'libm.so.6' has no cuInit or no cuDriverGetVersion, so it is not NVIDIA's driver; name the right library in "
                 "TEGULA_DRIVER, or unset it");
}

TEST(GpuDriver, ErrorsHaveAWayOut) {
  EXPECT_EQ(gpu::way_out(222), "; the driver is too old for the code: update it");
  EXPECT_EQ(gpu::way_out(701),
            "; the kernel needs more registers or threads than a block can have: use smaller tiles, or fewer warps in its hints");
  EXPECT_EQ(gpu::way_out(1), "");
  EXPECT_TRUE(gpu::loses_device(719));
  EXPECT_FALSE(gpu::loses_device(2));
}

} // namespace

// What surrounds a kernel: names, print sinks, the standard output, which failure is told, how the caller's thread rounds.
#include "Language.h"

#include <cfenv>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::test {
namespace {

void add_one(Out<f32, 16> y, In<f32, 16> x) { y.store(x[y] + 1); }
void tell(Out<i32, 16> y) {
  print("here");
  y.store(zeros<i32, 16>());
}

Tensor<i32, 1> launch_tell() { return kernel<tell>("tell")(Tensor<i32, 1>::zeros(test_device(), {16})).sync(); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool has_own_allocator = true; // which keeps what is freed for a while, and ends the process that asks for too much
#else
constexpr bool has_own_allocator = false;
#endif
#else
constexpr bool has_own_allocator = false;
#endif

/// While it lives.
struct SinkIs {
  explicit SinkIs(PrintSink sink) { set_print_sink(sink); }
  SinkIs(const SinkIs&) = delete;
  SinkIs& operator=(const SinkIs&) = delete;
  ~SinkIs() { set_print_sink(nullptr); }
};

TEST(Edges, AKernelMayHaveAnyName) {
  const Device d = test_device();
  const auto x = Tensor<f32, 1>::full(d, {20}, 1);
  for (const std::string& name : {std::string("my kernel"), std::string("a-b"), std::string("é"), std::string("\"\\\n{};%"),
                                  std::string("\xFF\x80"), std::string(5000, 'n'), std::string("entry"), std::string("0")}) {
    const auto k = kernel<add_one>(name);
    EXPECT_EQ(k(Tensor<f32, 1>::zeros(d, {20}), x).sync().to_host(), std::vector<f32>(20, 2)) << name;
    EXPECT_EQ(k.name(), name);
  }
}

TEST(Edges, ASinkThatThrowsFailsTheLaunch) {
  {
    const SinkIs sink([](void*, const char*, std::size_t) { throw std::runtime_error("no paper"); });
    const std::string said = message_of<LaunchError>([] { launch_tell(); });
    EXPECT_NE(said.find("kernel 'tell', program 0: the print sink threw an exception: no paper"), std::string::npos) << said;
  }
  {
    const SinkIs sink([](void*, const char*, std::size_t) { throw 5; });
    const std::string said = message_of<LaunchError>([] { launch_tell(); });
    EXPECT_NE(said.find("the print sink threw something that is no std::exception"), std::string::npos) << said;
  }
  const SinkIs sink([](void*, const char*, std::size_t) {});
  EXPECT_NO_THROW(launch_tell()) << "it goes on";
}

TEST(Edges, ASinkMayNotLaunchOrSetTheSink) {
  {
    const SinkIs sink([](void*, const char*, std::size_t) { launch_tell(); });
    const std::string said = message_of<LaunchError>([] { launch_tell(); });
    EXPECT_NE(said.find("kernel 'tell' was not launched: it is launched by a print sink"), std::string::npos) << said;
  }
  const SinkIs sink([](void*, const char*, std::size_t) { set_print_sink(nullptr); });
  const std::string said = message_of<LaunchError>([] { launch_tell(); });
  EXPECT_NE(said.find("set_print_sink() is called by a print sink"), std::string::npos) << said;
}

TEST(Edges, AStandardOutputThatIsFullIsAnError) {
  std::fflush(stdout);
  const int kept = ::dup(STDOUT_FILENO), full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  ::dup2(full, STDOUT_FILENO);
  const std::string said = message_of<LaunchError>([] { launch_tell(); });
  ::dup2(kept, STDOUT_FILENO);
  ::close(kept);
  ::close(full);
  EXPECT_NE(said.find("kernel 'tell': the lines that it prints cannot be written to the standard output: "), std::string::npos)
      << said;
}

TEST(Edges, TheLowestProgramThatFailsIsTold) {
  const auto k = kernel("fails", [](Out<i32, 1> y, Scalar<i64> from) {
    require(y.at(0) < from, "too far");
    y.store(zeros<i32, 1>());
  });
  const Device d = test_device();
  for (int turn = 0; turn < 50; ++turn)
    for (const i64 from : {0, 7, 500, 997}) {
      auto op = k(Tensor<i32, 1>::zeros(d, {1000}), from);
      const std::string said = message_of<LaunchError>([&] { std::move(op).sync(); });
      std::move(op).cancel();
      ASSERT_NE(said.find("program " + std::to_string(from) + ": "), std::string::npos) << said;
    }
}

TEST(Edges, TheCallersRoundingAndDenormalsAreItsOwn) {
  const Device d = Device::cpu();
  constexpr i64 n = 40000;
  std::vector<f32> numbers(n);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = 1e-40f * static_cast<f32>(i % 100 + 1); // denormal
  const auto k = kernel("thirds", [](Out<f32, 16> y, In<f32, 16> x) { y.store(x[y] / 3 + x[y]); });
  const auto x = Tensor<f32, 1>::from_host(d, {n}, numbers);
  const auto run = [&] { return k(Tensor<f32, 1>::zeros(d, {n}), x).sync().to_host(); };
  const std::vector<f32> expected = run();
  EXPECT_NE(expected[5], 0.0f);
#if defined(__x86_64__)
  const unsigned before = __builtin_ia32_stmxcsr();
  for (const unsigned mode : {0x9FC0u, 0x7F80u, 0x3F80u}) { // flushed to zero; rounded toward zero; down
    __builtin_ia32_ldmxcsr(mode);
    const std::vector<f32> found = run();
    const unsigned after = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before);
    EXPECT_EQ(found, expected) << mode;
    EXPECT_EQ(after & 0xFFC0u, mode & 0xFFC0u) << "the caller's own mode is as it was";
  }
#endif
}

#if defined(__x86_64__)
TEST(Edges, ConstantsAreFoldedAsKernelsCompute) {
  const auto body = [](Out<f64, 1> y, In<f64, 1> x) { y.store(x[y] + sqrt(full<f64, 1>(0.7))); };
  const auto none = [](Out<f64, 1> y, In<f64, 1> x) { y.store(x[y] + sqrt(full<f64, 1>(-0.7))); };
  const auto root = [](const auto& k, const Device& d, unsigned mode) {
    const auto x = Tensor<f64, 1>::full(d, {1}, 0);
    auto op = k(Tensor<f64, 1>::zeros(d, {1}), x);
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode); // the first launch compiles
    auto y = std::move(op).sync();
    __builtin_ia32_ldmxcsr(before);
    return y.to_host()[0];
  };
  EXPECT_EQ(root(kernel("down", body), test_device(), 0x3F80u), root(kernel("to nearest", body), test_device(), 0x1F80u));
  EXPECT_TRUE(std::isnan(root(kernel("traps", none), Device::cpu(), 0x1C00u))); // a driver may not be ready for them
}
#endif

TEST(Edges, WhatTheHostHasNoMemoryForIsAnError) {
  if (has_own_allocator)
    GTEST_SKIP() << "AddressSanitizer ends the process";
  const auto one = Tensor<f32, 1>::full(test_device(), {1}, 1);
  const std::string said = message_of<Error>([&] { one.view().broadcast<2>({i64{1} << 46, 1}).to_host(); });
  EXPECT_NE(said.find("to_host() of 70368744177664 elements of 4 bytes: the host has no memory for them"), std::string::npos)
      << said;
}

/// In bytes.
std::int64_t resident() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, pages = 0;
  file >> all >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

TEST(Edges, CodeThatNobodyUsesIsFreed) {
  const Device d = Device::cpu(1);
  static i32 number = 0;
  const auto compile = [&](int times) {
    for (int i = 0; i < times; ++i, ++number) { // another kernel each time
      const auto k = kernel("number", [](Out<i32, 16> y) { y.store(full<i32, 16>(number)); });
      ASSERT_EQ(k(Tensor<i32, 1>::zeros(d, {16})).sync().to_host()[0], number);
    }
  };
  compile(200);
  const std::int64_t before = resident(), compiled = d.statistics().kernels_compiled;
  compile(200);
  EXPECT_EQ(d.statistics().kernels_compiled - compiled, 200);
  if (!has_own_allocator)
    EXPECT_LT(resident() - before, 60 << 20) << "200 kernels that are kept take three times as much";
  number = 399;
  compile(1);
  EXPECT_EQ(d.statistics().kernels_compiled - compiled, 200) << "the last ones are kept, also without a kernel object";
}

TEST(EdgesDeathTest, AForkedProcessProvesKernels) {
  std::atomic<bool> stop{false};
  std::thread proofs([&] { // so that the compiler may be at work
    while (!stop)
      (void)proof_text(kernel<add_one>("add_one"));
  });
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      ::_exit(proof_text(kernel<add_one>("again")).find("proved") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  proofs.join();
}

TEST(EdgesDeathTest, AForkedProcessGetsAnErrorAtOnce) {
  const Device d = test_device();
  const auto k = kernel<add_one>("add_one");
  const auto x = Tensor<f32, 1>::full(d, {20}, 1);
  std::atomic<bool> stop{false};
  std::thread launches([&] { // so that locks may be held
    while (!stop)
      k(Tensor<f32, 1>::zeros(d, {20}), x).sync();
  });
  for (int turn = 0; turn < 20; ++turn) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      const auto again = kernel<add_one>("again"); // a kernel object is no device
      const auto launch = [&] { again(Tensor<f32, 1>::zeros(d, {20}), x).sync(); };
      const std::string launched = message_of<Error>(launch), found = message_of<Error>([] { Device::cpu(); });
      const char* words = "this process was forked from one that had a device of Tegula's";
      ::_exit(launched.find(words) != std::string::npos && found.find(words) != std::string::npos ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  launches.join();
}

} // namespace
} // namespace tegula::test

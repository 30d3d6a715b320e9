// Outputs that are lent by out(), and memory that a launch makes by fresh().
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace tegula;

void add(Out<i32, 4> y, In<i32, 4> x, Scalar<i32> s) { y.store(x[y] + s); }

/// Words: y, extent, stride; x, extent, stride; s.
void add_program(const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
  for (std::int64_t i = program * 4; i < program * 4 + 4 && i < w[1]; ++i)
    reinterpret_cast<i32*>(w[0])[i] = reinterpret_cast<const i32*>(w[3])[i] + static_cast<i32>(w[6]);
}

auto adding(const char* name, std::vector<int> covered = {0}) {
  fake::define(name, add_program);
  Proof proof;
  proof.covered = std::move(covered);
  fake::prove(name, proof);
  return kernel<add>(name);
}

TEST(Lent, TheTensorIsWrittenWhereItIs) {
  const Device d = Device::cpu(2);
  const auto k = adding("lent");
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  auto y = Tensor<i32, 1>::zeros(d, {6});
  for (int i = 0; i < 3; ++i)
    k(out(y), x, i).sync();
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 5));
  std::vector<Tensor<i32, 1>> many(2);
  many[1] = std::move(y);
  k(out(many[1]), x, 4).sync();
  EXPECT_EQ(many[1].to_host(), std::vector<i32>(6, 7));
}

TEST(Lent, ComesBackAfterAFailureAndAfterCancel) {
  const Device d = Device::cpu(2);
  const auto k = adding("lent-fails");
  fake::fail("lent-fails", 1);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  auto y = Tensor<i32, 1>::full(d, {6}, 1);
  EXPECT_ERROR(InternalError, k(out(y), x, 1).sync(), "the compiler failed");
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 1));
  k(out(y), x, 1).cancel();
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 1));
  const auto on_another = Tensor<i32, 1>::full(Device::cpu(), {6}, 3);
  EXPECT_ERROR(LaunchError, k(out(y), on_another, 1).sync(), "all must be on one");
  auto z = std::move(y);
  EXPECT_EQ(z.to_host(), std::vector<i32>(6, 1)) << "it can be moved: nobody has it";
  EXPECT_ERROR(LaunchError, k(out(y), x, 1).sync(), "parameter 1 is a tensor that was moved from or never made");
}

TEST(Lent, CannotBeUsedOtherwiseUntilTheOperationRan) {
  const Device d = Device::cpu(2);
  const auto k = adding("lent-once");
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  auto y = Tensor<i32, 1>::full(d, {6}, 1);
  auto before = y.view();
  {
    auto op = k(out(y), x, 1);
    EXPECT_MESSAGE(y.to_host(), "cannot be read while it is lent by out() to an operation that has not run yet");
    EXPECT_MESSAGE(y.copy(), "cannot be read while it is lent");
    EXPECT_ERROR(LaunchError, k(out(y), x, 1).sync(), "parameter 1 is in use by an operation that has not run yet");
    EXPECT_ERROR(LaunchError, k(Tensor<i32, 1>::zeros(d, {6}), y, 1).sync(),
                 "parameter 2 is an output of an operation that has not run yet");
    std::move(op).sync();
  }
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 4));
  EXPECT_MESSAGE(before.to_host(), "a view was used after its tensor had been moved, assigned, lent or destroyed");
  EXPECT_ERROR(LaunchError, k(out(y), y, 1).sync(), "is an output of an operation that has not run yet, perhaps this one");
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 4));
  {
    auto reads = k(Tensor<i32, 1>::zeros(d, {6}), y, 1);
    EXPECT_ERROR(LaunchError, k(out(y), x, 1).sync(), "nobody reads it meanwhile");
    EXPECT_EQ(std::move(reads).sync().to_host(), std::vector<i32>(6, 5));
  }
}

TEST(Lent, KnowsWhetherTheTensorIsStillThere) {
  const Device d = Device::cpu(2);
  const auto k = adding("lent-gone");
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  std::vector<Tensor<i32, 1>> many;
  many.push_back(Tensor<i32, 1>::full(d, {6}, 1));
  const auto lent = out(many[0]);
  many.reserve(many.capacity() + 1); // moves the tensors
  EXPECT_ERROR(LaunchError, k(lent, x, 1).sync(),
               "parameter 1 was lent by out(), but the tensor has been moved, assigned, lent or destroyed since");
  EXPECT_EQ(many[0].to_host(), std::vector<i32>(6, 1));
}

TEST(Outputs, OneTensorIsGivenUpOnce) {
  const Device d = Device::cpu(2);
  fake::define("twice", [](auto...) { FAIL(); });
  const auto k = kernel("twice", [](Out<i32, 4> y, Out<i32, 4> z, In<i32, 4> x) {
    y.store(x[y]);
    z.store(x[z]);
  });
  std::vector<Tensor<i32, 1>> many(2);
  for (Tensor<i32, 1>& tensor : many)
    tensor = Tensor<i32, 1>::full(d, {6}, 1);
  const std::size_t same = many.size() - 2;
  EXPECT_ERROR(LaunchError, (void)k(std::move(many[0]), std::move(many[same]), many[1]).sync(),
               "parameter 2 is in use by an operation that has not run yet, perhaps this one");
  EXPECT_ERROR(LaunchError, (void)k(std::move(many[0]), fresh(6), many[same]).sync(),
               "parameter 3 is an output of an operation that has not run yet, perhaps this one");
  EXPECT_EQ(many[0].to_host(), std::vector<i32>(6, 1)) << "it is still there";
  EXPECT_EQ(many[1].to_host(), std::vector<i32>(6, 1));
}

TEST(LentDeathTest, MovingItAwayFromAPendingOperationAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Device d = Device::cpu(2);
  const auto k = adding("lent-dies");
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  auto y = Tensor<i32, 1>::full(d, {6}, 1);
  EXPECT_DEATH(
      {
        auto op = k(out(y), x, 1);
        auto z = std::move(y);
        std::move(op).cancel();
      },
      "a tensor was moved while an operation that has not run yet is to write it");
}

TEST(Lent, BesideWhatIsGivenUp) {
  const Device d = Device::cpu(2);
  fake::define("two", [](const std::int64_t* w, std::int64_t, std::int64_t, void*, void*) {
    *reinterpret_cast<i32*>(w[0]) += 1;
    *reinterpret_cast<i32*>(w[3]) += 10;
    *reinterpret_cast<i32*>(w[6]) += 100;
  });
  const auto k = kernel("two", [](InOut<i32, 1> a, InOut<i32, 1> b, InOut<i32, 1> c) {
    a.store(a.load());
    b.store(b.load());
    c.store(c.load());
  });
  auto a = Tensor<i32, 1>::zeros(d, {1}), b = Tensor<i32, 1>::zeros(d, {1}), c = Tensor<i32, 1>::zeros(d, {1});
  k(out(a), out(b), out(c)).sync();
  b = k(out(a), std::move(b), out(c)).sync();
  auto [x, y] = k(std::move(a), out(b), std::move(c)).sync();
  EXPECT_EQ(x.to_host()[0], 3);
  EXPECT_EQ(b.to_host()[0], 30);
  EXPECT_EQ(y.to_host()[0], 300);
}

TEST(Fresh, IsMadeByTheLaunchAndReturned) {
  const Device d = Device::cpu(2);
  const auto k = adding("fresh");
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  const auto y = k(fresh(6), x, 2).sync();
  EXPECT_EQ(y.to_host(), std::vector<i32>(6, 5));
  EXPECT_TRUE(y.device() == d);
  EXPECT_EQ(k(fresh(x.shape()), x, 2).sync().shape(), x.shape());
  EXPECT_EQ(k(fresh(0), x, 2).sync().size(), 0);
}

TEST(Fresh, NeedsADeviceAndAShape) {
  const Device d = Device::cpu(2);
  fake::define("fills", [](const std::int64_t* w, std::int64_t program, std::int64_t, void*, void*) {
    reinterpret_cast<i32*>(w[0])[program] = 4;
  });
  Proof proof;
  proof.covered = {0};
  fake::prove("fills", proof);
  const auto k = kernel("fills", [](Out<i32, 1> y) { y.store(full<i32, 1>(4)); });
  EXPECT_ERROR(LaunchError, k(fresh(3)).sync(),
               "kernel 'fills' was not launched: no argument says on which device: write fresh(device, extents...)");
  EXPECT_EQ(k(fresh(d, 3)).sync().to_host(), std::vector<i32>(3, 4));
  const auto later = fresh(Device::cpu(2), Extents<1>{3}); // it keeps the device
  EXPECT_EQ(k(later).sync().to_host(), std::vector<i32>(3, 4));
  const auto x = Tensor<i32, 1>::full(Device::cpu(), {6}, 3);
  EXPECT_ERROR(LaunchError, adding("fresh-elsewhere")(fresh(d, 6), x, 1).sync(), "all must be on one");
  EXPECT_MESSAGE(k(fresh(d, -3)).sync(), "the extent of axis 0 is -3");
  EXPECT_MESSAGE(k(fresh(d, i64{1} << 47)).sync(), "no memory for 562949953421312 bytes");
  EXPECT_EQ(d.statistics().bytes_in_use, 0);
}

TEST(Fresh, IsUnreadableUnlessTheKernelIsProvedToWriteAllOfIt) {
  const Device d = Device::cpu(2);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  const auto y = adding("fresh-in-part", {})(fresh(6), x, 2).sync();
  EXPECT_MESSAGE(y.to_host(), "to_host() of a tensor that has never been written: it was made by uninit() or fresh()");
}

TEST(Fresh, NothingIsLeftOfItAfterAFailure) {
  const Device d = Device::cpu(2);
  const auto k = adding("fresh-fails");
  fake::fail("fresh-fails", 1);
  const auto x = Tensor<i32, 1>::full(d, {6}, 3);
  const i64 before = d.statistics().bytes_in_use;
  auto op = k(fresh(6), x, 2);
  EXPECT_ERROR(InternalError, std::move(op).sync(), "the compiler failed");
  EXPECT_EQ(d.statistics().bytes_in_use, before);
  EXPECT_EQ(std::move(op).sync().to_host(), std::vector<i32>(6, 5)) << "the second time it compiles";
  auto given_up = k(fresh(6), x, 2);
  const auto nothing = std::move(given_up).cancel();
  EXPECT_EQ(nothing.size(), 0);
  EXPECT_MESSAGE(nothing.to_host(), "never made");
}

struct Inside {
  template <int N, class T> static void kernel_of_a_class(Out<T, N> y) { y.store(zeros<T, N>()); }
};

TEST(Names, ComeFromTheFunction) {
  EXPECT_STREQ(kernel<add>().name(), "add");
  EXPECT_STREQ(kernel<add>("sum").name(), "sum");
  EXPECT_EQ(kernel<add>({.stages = 3}).hints().stages, 3);
  EXPECT_STREQ((kernel<&Inside::kernel_of_a_class<4, f32>>().name()), "kernel_of_a_class");
  const auto here = std::source_location::current();
  const auto k = kernel([](Out<i32, 4> y) { y.store(zeros<i32, 4>()); });
  EXPECT_EQ(std::string(k.name()), "lambda_at_OutputsTest.cpp_" + std::to_string(here.line() + 1));
}

} // namespace

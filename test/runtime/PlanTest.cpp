// A launch like one before looks up what that found out; one that differs in anything that matters does not.
#include "Expect.h"
#include "FakeCompiler.h"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tegula;

/// y[i] = s. The condition: s <= 7.
auto bounded(const char* name) {
  fake::define(name, [](const std::int64_t* w, std::int64_t program, std::int64_t programs, void*, void*) {
    for (std::int64_t i = program * 4; i < w[1] && i < program * 4 + 4; ++i)
      reinterpret_cast<i32*>(w[0])[i] = static_cast<i32>(w[3]) + static_cast<i32>(100 * programs);
  });
  Proof proof;
  proof.covered = {0};
  Uniform scalar;
  scalar.nodes = {{.op = Uniform::Op::scalar, .dtype = DType::i32, .parameter = 1}};
  LaunchCondition condition;
  condition.any_of = {Inequality{.sum = {{-1, scalar}}, .constant = 7}};
  condition.purpose = "the test goes on";
  condition.location = {"a.cpp", 1, 1};
  proof.conditions = {condition};
  fake::prove(name, proof);
  return kernel(name, [](Out<i32, 4> y, Scalar<i32> s, Scalar<f32>) { y.store(full<i32, 4>(s)); });
}

TEST(Plan, ConditionsAreCheckedForEveryValueTheyAreAbout) {
  const Device d = Device::cpu(2);
  const auto k = bounded("plan conditions");
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(k(fresh(d, 4), 3, round).sync().to_host(), std::vector<i32>(4, 103));
    EXPECT_ERROR(LaunchError, k(fresh(d, 4), 8, 0).sync(), "is proved only when");
    EXPECT_EQ(k(fresh(d, 4), 7, 0).sync().to_host(), std::vector<i32>(4, 107));
  }
}

TEST(Plan, ShapesAndDevicesHaveTheirOwn) {
  const auto k = bounded("plan shapes");
  for (int round = 0; round < 3; ++round) {
    const Device d = Device::cpu(2);                        // perhaps where the last one was
    for (const i64 n : {1, 4, 5, 8, 9, 40, 41, 42, 43, 44}) // more than are kept
      EXPECT_EQ(k(fresh(d, n), 1, 0).sync().to_host(),
                std::vector<i32>(static_cast<std::size_t>(n), 1 + 100 * static_cast<i32>((n + 3) / 4)));
    EXPECT_EQ(d.statistics().launches, 10);
    EXPECT_ERROR(LaunchError, k(fresh(d, 4), 1, 0).programs(2).sync(), "it asks for programs(2)");
    EXPECT_EQ(k(fresh(d, 4), 1, 0).programs(1).sync().size(), 4);
  }
}

} // namespace

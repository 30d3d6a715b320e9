// Launches that do not meet the conditions under which their kernel was proved, and kernels that are refuted: nothing is lost.
#include "Language.h"

namespace {

using namespace tegula;
using tegula::test::message_of;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::string at_line(int line) { return "ConditionsTest.cpp:" + std::to_string(line) + ": "; }

constexpr int load_line = __LINE__ + 1;
void copy(Out<i32, 16> y, In<i32, 16> x) { y.store(x(y.at(0))); }

TEST(Conditions, AreCheckedBeforeTheLaunch) {
  const Device d = test::test_device();
  const auto k = kernel<copy>("copy");
  const auto x = Tensor<i32, 1>::full(d, {40}, 3);
  auto op = k(Tensor<i32, 1>::full(d, {49}, 7), x);
  const std::string said = message_of<LaunchError>([&] { std::move(op).sync(); });
  EXPECT_TRUE(contains(said, "kernel 'copy' was not launched: ")) << said;
  EXPECT_TRUE(contains(said, at_line(load_line))) << said;
  EXPECT_TRUE(contains(said, " is proved only when ")) << said;
  EXPECT_TRUE(contains(said, "#1.count(0) = 4")) << said;
  EXPECT_TRUE(contains(said, "#2.count(0) = 3") || contains(said, "#2.extent(0) = 40")) << said;
  auto y = std::move(op).cancel();
  EXPECT_EQ(y.to_host(), std::vector<i32>(49, 7)) << "no program ran";
  std::vector<i32> expected(48, 3);
  std::fill(expected.begin() + 40, expected.end(), 0);
  EXPECT_EQ(k(Tensor<i32, 1>::full(d, {48}, 7), x).sync().to_host(), expected);
}

TEST(Conditions, OfTheAuthorAreShownInHisWords) {
  const Device d = test::test_device();
  static int line;
  const auto k = kernel("even", [](Out<i32, 16> y, Scalar<i32> n) {
    line = __LINE__ + 1;
    expects(n % 2 == 0, "n is even");
    y.store(full<i32, 16>(n));
  });
  auto op = k(Tensor<i32, 1>::full(d, {16}, 7), -5);
  const std::string said = message_of<LaunchError>([&] { std::move(op).sync(); });
  EXPECT_TRUE(contains(said, at_line(line) + "expects: n is even, but here #2 = -5")) << said;
  auto y = std::move(op).cancel();
  EXPECT_EQ(y.to_host(), std::vector<i32>(16, 7));
  EXPECT_EQ(k(std::move(y), -4).sync().to_host(), std::vector<i32>(16, -4));
}

TEST(Conditions, ARefutedKernelKeepsItsArguments) {
  const Device d = test::test_device();
  const auto k = kernel("all-write-one", [](OutTiles<i32, 16> y) { y.tile(0).store(zeros<i32, 16>()); });
  auto op = k(Tensor<i32, 1>::full(d, {16}, 7)).programs(2);
  const std::string said = message_of<ProofError>([&] { std::move(op).sync(); });
  EXPECT_TRUE(contains(said, "ConditionsTest.cpp")) << said;
  EXPECT_EQ(std::move(op).cancel().to_host(), std::vector<i32>(16, 7));
  EXPECT_EQ(message_of<ProofError>([&] { prove(k); }), said) << "the same without a launch";
}

TEST(Conditions, AnOutputHasSoManyTilesAtMost) {
  // No element, but products of its extents that do not fit 64 bits; the proofs rely on there being none.
  const Device d = test::test_device();
  const auto k = kernel("huge", [](OutTiles<i8, 1, 1, 1> y, OutTiles<i8, 16> z) {
    for (auto t : y.my_tiles())
      t.store(zeros<i8, 1, 1, 1>());
    for (auto t : z.my_tiles())
      t.store(zeros<i8, 16>());
  });
  auto op = k(Tensor<i8, 3>::zeros(d, {0, i64{1} << 47, 1 << 16}), Tensor<i8, 1>::full(d, {16}, 7)).programs(1);
  const std::string said = message_of<LaunchError>([&] { std::move(op).sync(); });
  EXPECT_EQ(said, "kernel 'huge' was not launched: parameter 1 has more than 281474976710656 (2^48) tiles");
  EXPECT_EQ(std::get<1>(std::move(op).cancel()).to_host(), std::vector<i8>(16, 7)) << "no program ran";
}

} // namespace

// Indices that kernels write, and that the next kernel uses.
#include "Language.h"

namespace {

using namespace tegula;
using tegula::test::message_of;
using tegula::test::test_device;

void clamped(OutIndex<i32, 8> y, In<i64, 8> x) {
  expects(x.extent(0) == y.extent(0), "as many");
  y.store(cast<i32>(clamp(x[y], 0, minimum(y.bound(), 1000) - 1)));
}
void copied(OutIndex<i32, 8> y, In<i32, 8> x) {
  expects(x.extent(0) == y.extent(0), "as many");
  y.store(x[y]);
}
void looked_up(Out<i32, 8> z, In<i32, 1> table, Index<i32, 8> at) {
  expects(at.extent(0) == z.extent(0), "as many");
  z.store(gather<0>(table, at[z]));
}

/// As an index of tiles, which nobody looks at again.
void walked_to(Out<i32, 1> z, In<i32, 1> table, Index<i32, 1> at) {
  expects(at.extent(0) == z.extent(0), "as many");
  z.store(table(reshape<>(at[z])));
}

template <class T> Tensor<T, 1> tensor(const std::vector<T>& values) {
  return Tensor<T, 1>::from_host(test_device(), {static_cast<i64>(values.size())}, values);
}

TEST(OutIndex, IsAnIndexOfTheNextLaunch) {
  const auto table = tensor<i32>({10, 11, 12, 13, 14});
  const auto x = tensor<i64>({3, -7, 4, 5, i64{1} << 40, -(i64{1} << 40), 2, 1, 0, 99, 3});
  const Queue queue(test_device());
  const auto at = kernel<clamped>()(fresh(11).below(5), x).start(queue);
  EXPECT_EQ(at.bound(), 5);
  EXPECT_FALSE(at.or_none());
  const auto z = kernel<looked_up>()(fresh(11), table, at).start(queue);
  EXPECT_EQ(z.to_host(), (std::vector<i32>{13, 10, 14, 14, 14, 10, 12, 11, 10, 14, 13}));
  EXPECT_EQ(at.to_host(), (std::vector<i32>{3, 0, 4, 4, 4, 0, 2, 1, 0, 4, 3}));
  const std::string small =
      message_of<LaunchError>([&] { std::ignore = kernel<looked_up>()(fresh(11), tensor<i32>({1, 2, 3, 4}).share(), at).sync(); });
  EXPECT_NE(small, "no error") << "the table has fewer rows than the bound";
}

TEST(OutIndex, IsRefilledInPlace) {
  const auto k = kernel<clamped>();
  auto at = Certified<i32, 1>::from_host(test_device(), {3}, {1, 2, 0}, 4);
  k(out(at), tensor<i64>({-1, 2, 9}).share()).sync();
  EXPECT_EQ(at.to_host(), (std::vector<i32>{0, 2, 3}));
  EXPECT_EQ(at.bound(), 4);
  at = k(std::move(at), tensor<i64>({9, 0, 1}).share()).sync();
  EXPECT_EQ(at.to_host(), (std::vector<i32>{3, 0, 1}));
  auto perhaps = Certified<i32, 1>::from_host(test_device(), {3}, {-1, 2, -1}, 4, or_none);
  perhaps = k(std::move(perhaps), tensor<i64>({9, 0, 1}).share()).sync();
  EXPECT_EQ(perhaps.to_host(), (std::vector<i32>{3, 0, 1}));
  EXPECT_TRUE(perhaps.or_none());
}

/// Whoever was started behind a launch that fails runs before anybody hears of it, on a GPU: then it must not leave its table.
TEST(OutIndex, HoldsNothingElseEvenIfTheLaunchFails) {
  const auto wrong = tensor<i32>({1, 2, 1 << 30, -5, 0, 2, 1, 0, 4, 3, 7}).share();
  const auto table = tensor<i32>({10, 11, 12}).share();
  const Queue queue(test_device());
  const auto at = kernel<copied>()(fresh(11).below(3), wrong).start(queue);
  const auto z = kernel<walked_to>()(fresh(11), table, at).start(queue);
  const auto is_about_values = [](const std::string& said) {
    return said.find("the values of parameter 1 are not all below its bound") != std::string::npos;
  };
  EXPECT_PRED1(is_about_values, message_of<LaunchError>([&] { z.to_host(); }));
  EXPECT_PRED1(is_about_values, message_of<LaunchError>([&] { at.to_host(); }));

  auto again = Certified<i32, 1>::from_host(test_device(), {11}, std::vector<i32>(11, 2), 3);
  kernel<copied>()(out(again), wrong).start(queue);
  const auto y = kernel<walked_to>()(fresh(11), table, again).start(queue);
  EXPECT_PRED1(is_about_values, message_of<LaunchError>([&] { y.to_host(); }));
  kernel<clamped>()(out(again), tensor<i64>(std::vector<i64>(11, 1)).share()).sync();
  EXPECT_EQ(again.to_host(), std::vector<i32>(11, 1)) << "well again";
}

TEST(OutIndex, GivesBackWhatFailed) {
  auto op = kernel<copied>()(Certified<i32, 1>::from_host(test_device(), {3}, {1, 2, 0}, 4), tensor<i32>({0, 4, 1}).share());
  EXPECT_THROW(std::move(op).sync(), LaunchError);
  const auto at = std::move(op).cancel();
  EXPECT_EQ(at.bound(), 4);
  for (const i32 value : at.to_host())
    EXPECT_TRUE(value >= 0 && value < 4) << value;
  auto never = kernel<copied>()(fresh(3).below(4), tensor<i32>({0, 4, 1}).share());
  EXPECT_THROW(std::move(never).sync(), LaunchError);
  const auto unwritten = std::move(never).cancel();
  EXPECT_THROW(unwritten.to_host(), Error);
  EXPECT_THROW(std::ignore = kernel<looked_up>()(fresh(3), tensor<i32>({1, 2, 3, 4}).share(), unwritten).sync(), LaunchError);
}

TEST(OutIndex, PiecesRanksAndGroups) {
  const auto k = kernel("grouped", [](Group<OutIndex<i16, 4, 8>, 2> y) {
    for (int g = 0; g < 2; ++g)
      for (auto t : split<2, 4>(y[g]))
        t.store(cast<i16>((t.row() * 2 + iota<i64, 2, 4>(0) + t.col() * 4 + iota<i64, 2, 4>(1)) % minimum(y[g].bound(), 9)));
  });
  auto [a, b] = k(group(fresh(test_device(), 3, 5).below(7), fresh(test_device(), 3, 5).below(100))).sync();
  std::vector<i16> by_seven, by_nine;
  for (i16 row = 0; row < 3; ++row)
    for (i16 col = 0; col < 5; ++col) {
      by_seven.push_back(static_cast<i16>((row + col) % 7));
      by_nine.push_back(static_cast<i16>((row + col) % 9));
    }
  EXPECT_EQ(a.to_host(), by_seven);
  EXPECT_EQ(b.to_host(), by_nine);
  EXPECT_EQ(b.bound(), 100);
  const auto one = kernel("scalar", [](OutIndex<i8> y) { y.store(0); })(fresh(test_device()).below(1)).sync();
  EXPECT_EQ(one.to_host(), std::vector<i8>{0});
}

} // namespace

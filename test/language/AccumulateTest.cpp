// Sums into narrow elements, whose rows start and end anywhere in a word of memory: nothing beside them is touched, and nothing
// lost.
#include "Language.h"

namespace tegula::test {
namespace {

template <class T> class Sums : public testing::Test {};
using Elements = testing::Types<bf16, f16, f32>;
TYPED_TEST_SUITE(Sums, Elements);

TYPED_TEST(Sums, OfRowsOfOddLength) {
  using T = TypeParam;
  auto k = kernel("sums", [](AddInto<T, 2, 4> s, In<T, 2, 4> x, Scalar<i64> times) {
    expects(s.extent(0) == x.extent(0) && s.extent(1) == x.extent(1), "one shape");
    for ([[maybe_unused]] auto turn : range(this_program(), times, programs()))
      for (auto i : x.rows())
        for (auto j : x.cols())
          s.accumulate(x(i, j), i, j);
  });
  for (auto [rows, columns] : {std::pair{1, 1}, {1, 3}, {3, 5}, {5, 4}, {1, 130}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    const auto numbers = some<T>(rows * columns, -3, 3);
    const auto x = Tensor<T, 2>::from_host(test_device(), {rows, columns}, numbers);
    auto s = Tensor<T, 2>::zeros(test_device(), {rows, columns});
    s = k(std::move(s), x, 9).programs(4).sync();
    expect_near(s.to_host(), map([](auto value) { return 9 * number(value); }, numbers), 0);
  }
}

TYPED_TEST(Sums, AtOnePosition) {
  using T = TypeParam;
  auto k = kernel("at", [](AddInto<T, 1> s, Index<i32, 128> at) {
    for (auto i : range(this_program(), at.count(0), programs()))
      accumulate_at<0>(s, at(i), ones<T, 128>());
  });
  for (int bins : {1, 3}) {
    SCOPED_TRACE(bins);
    std::vector<i32> at(200);
    std::vector<double> want(static_cast<std::size_t>(bins));
    for (int i = 0; i < 200; ++i)
      ++want[static_cast<std::size_t>(at[static_cast<std::size_t>(i)] = i % bins)];
    const auto positions = Certified<i32, 1>::from_host(test_device(), {200}, at, bins);
    auto s = Tensor<T, 1>::zeros(test_device(), {bins});
    expect_near(k(std::move(s), positions).programs(2).sync().to_host(), want, 0);
  }
}

} // namespace
} // namespace tegula::test

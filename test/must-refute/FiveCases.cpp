// Five kinds of access for which other tile compilers keep a check in the loop. Here each is proved, certified, or a condition of
// the launch, which `strict` asserts; and each is run.
#include "Refute.h"

#include <numeric>

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

const Device device = Device::cpu();

Shared<i32, 1> counting(i64 n) {
  std::vector<i32> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 1);
  return Tensor<i32, 1>::from_host(device, {n}, numbers).share();
}

TEST(FiveCases, StridedLoop) {
  const auto k = kernel("strided",
                        [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> step) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(c.at(0), a.count(0), 3))
                            sum += a(i);
                          for (auto i : range(0, a.count(0), step))
                            sum += a(i);
                          for (auto i : range(0, a.count(0) - 1, 2))
                            sum += a(i + 1);
                          c.store(sum);
                        },
                        {.strict = true});
  expect_settled(k); // the step is at least 1
  const auto c = k(sevens(16), counting(80), 4).sync().to_host();
  for (i32 n = 0; n < 16; ++n) // tiles 0 and 3, then 0 and 4, then 1 and 3
    EXPECT_EQ(c[static_cast<std::size_t>(n)], (0 + 3 + 0 + 4 + 1 + 3) * 16 + 6 * (n + 1));
}

TEST(FiveCases, AnIndexComputedInTheBody) {
  const auto k = kernel("computed",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          for (auto i : range(a.count(0) / 2)) {
                            auto from = i * 2 + select(i % 2 == 0, Int(1), Int(0));
                            sum += a(from) - a(minimum(from + 3, a.count(0) - 1));
                          }
                          c.store(sum);
                        },
                        {.strict = true});
  expect_proved(k);
  const auto c = k(sevens(16), counting(64)).sync().to_host();
  EXPECT_EQ(c, std::vector<i32>(16, ((1 - 3) + (2 - 3)) * 16));
}

TEST(FiveCases, AnAccessUnderACondition) {
  const auto k = kernel("guarded",
                        [](Out<i32, 16> c, In<i32, 16> a) {
                          auto sum = zeros<i32, 16>();
                          if_(c.at(0) >= 1 && c.at(0) - 1 < a.count(0), [&] { sum += a(c.at(0) - 1); });
                          if_(c.at(0) + 1 < a.count(0), [&] { sum += a(c.at(0) + 1); });
                          c.store(sum);
                        },
                        {.strict = true});
  expect_proved(k);
  const auto c = k(sevens(48), counting(32)).sync().to_host();
  EXPECT_EQ(c[0], 17);
  EXPECT_EQ(c[16], 1);
  EXPECT_EQ(c[32], 17);
}

TEST(FiveCases, AnIndexThatIsData) {
  const auto k = kernel("certified",
                        [](Out<i32, 16> c, In<i32, 1> table, Index<i32, 16> at) {
                          expects(at.extent(0) == c.extent(0), "a position for each element");
                          c.store(gather<0>(table, at[c]));
                        },
                        {.strict = true});
  expect_condition(k, {bounds, 2, 0}, "#2.extent(0) >= #3.bound()");
  expect_settled(k);
  const auto at = Certified<i32, 1>::from_host(device, {20}, std::vector<i32>(20, 2), 3);
  EXPECT_EQ(k(sevens(20), counting(3), at).sync().to_host(), std::vector<i32>(20, 3));
  expect_refused(k(sevens(20), counting(2), at), "#2.extent(0) >= #3.bound()");
}

TEST(FiveCases, ArithmeticThatMayWrap) {
  const auto k =
      kernel("may wrap", [](Out<i32, 16> c, In<i32, 16> a, Scalar<i64> offset) { c.store(a(cast<i32>(c.at(0) * 2 + offset))); },
             {.strict = true});
  expect_settled(k);
  const auto c = k(sevens(32), counting(80), 1).sync().to_host();
  EXPECT_EQ(c[0], 17);
  EXPECT_EQ(c[16], 49);
  for (const i64 offset : {INT64_MAX, i64{-1}, i64{4}})
    expect_refused(k(sevens(32), counting(80), offset), "is proved only when");
  if (!checks_everything()) // cut to 32 bits these are 0, which a check finds right
    for (const i64 offset : {INT64_MIN, i64{1} << 32, i64{1} << 62})
      expect_refused(k(sevens(32), counting(80), offset), "is proved only when");
}

} // namespace

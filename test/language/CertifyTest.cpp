// certify() by its kernels, and what certified tensors are for.
#include "Language.h"

#include <algorithm>
#include <numeric>

namespace {

using namespace tegula;
using tegula::test::message_of;

template <class T> class Certify : public testing::Test {};
using Integers = testing::Types<i64, i32, i16, i8>;
TYPED_TEST_SUITE(Certify, Integers);

template <class T> Tensor<T, 1> tensor(const std::vector<T>& values) {
  return Tensor<T, 1>::from_host(test::test_device(), {static_cast<i64>(values.size())}, values);
}

/// 0 to n - 1 in another order; n is a product of twos and fives.
std::vector<i64> shuffled(i64 n) {
  std::vector<i64> r;
  for (i64 i = 0; i < n; ++i)
    r.push_back((i * 37 + 11) % n);
  return r;
}

TYPED_TEST(Certify, FindsTheFirstValueOutOfRange) {
  for (i64 n : {1, 2, 1023, 1024, 1025, 5000}) {
    std::vector<TypeParam> values(static_cast<std::size_t>(n), TypeParam{3});
    EXPECT_EQ(certify(tensor(values), 4).bound(), 4) << n;
    const auto refused = [&](i64 bound) { return message_of<Error>([&] { certify(tensor(values), bound); }); };
    EXPECT_NE(refused(3).find("with values in [0, 3): element (0) is 3"), std::string::npos) << refused(3);
    EXPECT_NE(refused(0).find("element (0) is 3"), std::string::npos) << refused(0);
    for (i64 at : {n - 1, n / 2, n / 3}) { // each before the last one
      values[static_cast<std::size_t>(at)] = static_cast<TypeParam>(-1);
      const std::string element = "element (" + std::to_string(at) + ") is " + std::to_string(static_cast<TypeParam>(-1));
      EXPECT_NE(refused(4).find(element), std::string::npos) << refused(4);
    }
  }
}

TYPED_TEST(Certify, FindsTheFirstValueThatRepeats) {
  const i64 most = sizeof(TypeParam) == 1 ? 100 : 5000;
  std::vector<TypeParam> values;
  for (i64 x : shuffled(most))
    values.push_back(static_cast<TypeParam>(x));
  EXPECT_TRUE(certify(tensor(values), most, distinct).distinct());
  for (auto [first, second] : {std::pair{most - 2, most - 1}, {most / 3, most / 2}, {0, most / 2 - 1}}) {
    values[static_cast<std::size_t>(second)] = values[static_cast<std::size_t>(first)];
    const std::string said = message_of<Error>([&] { certify(tensor(values), most, distinct); });
    EXPECT_NE(said.find("elements (" + std::to_string(first) + ") and (" + std::to_string(second) + ") are both " +
                        std::to_string(values[static_cast<std::size_t>(first)])),
              std::string::npos)
        << said;
    EXPECT_FALSE(certify(tensor(values), most).distinct()) << "they are in range";
  }
}

TYPED_TEST(Certify, LeavesOutNone) {
  const i64 most = sizeof(TypeParam) == 1 ? 100 : 5000;
  std::vector<TypeParam> values;
  for (i64 x : shuffled(most))
    values.push_back(static_cast<TypeParam>(x % 7 == 2 ? -1 : x));
  const auto c = certify(tensor(values), most, distinct, or_none);
  EXPECT_TRUE(c.distinct() && c.or_none());
  const auto refused = [&](i64 bound) { return message_of<Error>([&] { certify(tensor(values), bound, distinct, or_none); }); };
  const auto at = static_cast<i64>(std::ranges::find(values, static_cast<TypeParam>(most - 1)) - values.begin());
  EXPECT_NE(refused(most - 1).find("with values in [-1, " + std::to_string(most - 1) + "), -1 for none: element (" +
                                   std::to_string(at) + ") is " + std::to_string(most - 1)),
            std::string::npos)
      << refused(most - 1);
  const i64 last = most - 1;
  values[static_cast<std::size_t>(last)] = values[static_cast<std::size_t>(at)];
  EXPECT_NE(refused(most).find("elements (" + std::to_string(std::min(at, last)) + ") and (" + std::to_string(std::max(at, last)) +
                               ") are both " + std::to_string(most - 1)),
            std::string::npos)
      << refused(most);
  values[static_cast<std::size_t>(last)] = static_cast<TypeParam>(-2);
  EXPECT_NE(refused(most).find("element (" + std::to_string(last) + ") is -2"), std::string::npos) << refused(most);
  EXPECT_EQ(certify(tensor(std::vector<TypeParam>(1025, TypeParam{-1})), 0, distinct, or_none).size(), 1025);
}

TEST(Certified, NonePadsAList) {
  // Slots of experts: each takes at most `capacity` tokens, and what is not used holds -1.
  const Device d = test::test_device();
  constexpr i64 tokens = 70, experts = 5, capacity = 24;
  std::vector<i32> slots(experts * capacity, -1);
  for (i64 t = 0; t < tokens - 3; ++t) // the last ones are dropped
    slots[static_cast<std::size_t>(t % experts * capacity + t / experts)] = static_cast<i32>(t);
  const auto from = certify(tensor(slots), tokens, distinct, or_none);
  std::vector<f32> numbers(tokens);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  const auto x = Tensor<f32, 1>::from_host(d, {tokens}, numbers);

  const auto pick = kernel("pick",
                           [](Out<f32, 16> y, IndexOrNone<i32, 16> at, In<f32, 16> x) {
                             expects(x.extent(0) == at.bound(), "positions are rows of x");
                             y.store(gather<0>(x, at[y]));
                           },
                           {.strict = true});
  const auto picked = pick(Tensor<f32, 1>::zeros(d, {experts * capacity}), from, x).sync();
  const auto place = kernel("place",
                            [](Patch<f32, 16> y, DistinctIndexOrNone<i32, 16> at, In<f32, 16> x) {
                              for (auto i : range(this_program(), at.count(0), programs()))
                                scatter<0>(y, at(i), x(i) * 2.0);
                            },
                            {.strict = true});
  const auto put = place(Tensor<f32, 1>::full(d, {tokens}, -1), from, picked).programs(3).sync().to_host();
  const auto add = kernel("add",
                          [](AddInto<f32, 16> y, IndexOrNone<i32, 16> at, In<f32, 16> x) {
                            for (auto i : range(this_program(), at.count(0), programs()))
                              accumulate_at<0>(y, at(i), x(i));
                          },
                          {.strict = true});
  const auto sum = add(Tensor<f32, 1>::zeros(d, {tokens}), from, picked).programs(3).sync().to_host();
  // One row of a table for each slot that has one.
  const auto rows = kernel("rows", [](Out<f32, 1, 16> y, IndexOrNone<i32, 1> at, In<f32, 1, 16> table) {
    expects(table.extent(0) == at.bound() && at.extent(0) == y.extent(0), "positions are rows of the table");
    auto row = zeros<f32, 1, 16>();
    auto i = reshape<>(at(y.row()));
    if_(i >= 0, [&] { row = table(i, y.col()); });
    y.store(row);
  });
  const auto table = Tensor<f32, 2>::from_host(d, {tokens, 1}, numbers);
  const auto read = rows(Tensor<f32, 2>::zeros(d, {experts * capacity, 1}), from, table).sync().to_host();

  const auto values = picked.to_host();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(values[i], slots[i] < 0 ? 0.0f : static_cast<f32>(slots[i]) + 1) << i;
    EXPECT_EQ(read[i], values[i]) << i;
  }
  for (i64 t = 0; t < tokens; ++t) {
    const bool hit = t < tokens - 3;
    EXPECT_EQ(put[static_cast<std::size_t>(t)], hit ? static_cast<f32>(2 * t + 2) : -1.0f) << t;
    EXPECT_EQ(sum[static_cast<std::size_t>(t)], hit ? static_cast<f32>(t + 1) : 0.0f) << t;
  }
}

TEST(Certified, GathersAndScatters) {
  const Device d = test::test_device();
  constexpr i64 rows = 70, slots = 100;
  std::vector<i32> order;
  for (i64 x : shuffled(slots))
    order.push_back(static_cast<i32>(x));
  order.resize(rows);
  const auto positions = certify(tensor(order), slots, distinct);
  std::vector<f32> numbers(slots);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  const auto from = Tensor<f32, 1>::from_host(d, {slots}, numbers);

  const auto pick = kernel("pick", [](Out<f32, 16> y, Index<i32, 16> at, In<f32, 16> x) { y.store(gather<0>(x, at[y])); });
  const auto picked = pick(Tensor<f32, 1>::zeros(d, {rows}), positions, from).sync();
  EXPECT_EQ(picked.to_host(), std::vector<f32>(order.begin(), order.end()));

  const auto place = kernel("place", [](Patch<f32, 16> y, DistinctIndex<i32, 16> at, In<f32, 16> x) {
    for (auto i : range(this_program(), at.count(0), programs()))
      scatter<0>(y, at(i), x(i));
  });
  const auto put = place(Tensor<f32, 1>::full(d, {slots}, -1), positions, picked).programs(3).sync().to_host();
  for (i64 i = 0; i < slots; ++i) {
    const bool hit = std::ranges::find(order, i) != order.end();
    EXPECT_EQ(put[static_cast<std::size_t>(i)], hit ? static_cast<f32>(i) : -1.0f) << i;
  }
}

TEST(Uninit, AProvedKernelMakesItOrdinary) {
  const Device d = test::test_device();
  const auto fill = kernel("fill", [](Out<i32, 16> y) { y.store(ones<i32, 16>()); });
  const auto t = fill(Tensor<i32, 1>::uninit(d, {50})).sync();
  EXPECT_EQ(t.to_host(), std::vector<i32>(50, 1));
}

} // namespace

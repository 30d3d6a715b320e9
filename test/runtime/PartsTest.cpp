// Tensors that are split into parts and joined again, on the CPU and on a GPU whose work is done as late as it may be.
#include "Adders.h"
#include "Expect.h"

#include <random>

namespace {

using namespace tegula;

std::vector<i32> numbers(i32 from, i32 to) {
  std::vector<i32> all;
  for (i32 i = from; i < to; ++i)
    all.push_back(i);
  return all;
}

class Parts : public Adders {
protected:
  Tensor<i32, 1> counted(i32 n) { return Tensor<i32, 1>::from_host(device, {n}, numbers(0, n)); }
  Tensor<i32, 1> full(i64 n, i32 value) { return Tensor<i32, 1>::full(device, {n}, value); }
};

TEST_P(Parts, ArePiecesOfTheWholeAndBecomeItAgain) {
  auto [low, middle, high] = counted(9).split<0>(1, 6);
  EXPECT_EQ(low.to_host(), numbers(0, 1));
  EXPECT_EQ(middle.to_host(), numbers(1, 6));
  EXPECT_EQ(high.to_host(), numbers(6, 9));
  EXPECT_EQ(middle.shape(), Extents<1>(5));
  EXPECT_EQ(device.statistics().bytes_in_use, 36);
  auto whole = join(std::move(low), std::move(middle), std::move(high));
  EXPECT_EQ(whole.to_host(), numbers(0, 9));
  whole = {};
  device.synchronize();
  EXPECT_EQ(device.statistics().bytes_in_use, 0);
}

TEST_P(Parts, OfHigherRankAreRows) {
  auto [top, rest] = Tensor<i32, 2>::from_host(device, {4, 3}, numbers(0, 12)).split<0>(1);
  EXPECT_EQ(top.shape(), Extents<2>(1, 3));
  EXPECT_EQ(rest.to_host(), numbers(3, 12));
  EXPECT_EQ(rest.view().transpose().slice(0, 1, 2).to_host(), (std::vector<i32>{4, 7, 10})) << "a strided view of a part";
  EXPECT_EQ(rest.copy().to_host(), numbers(3, 12));
  auto whole = join(std::move(top), std::move(rest));
  EXPECT_EQ(whole.shape(), Extents<2>(4, 3));
}

TEST_P(Parts, MayBeEmpty) {
  auto [none, all, end] = counted(6).split<0>(0, 6);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(end.size(), 0);
  none = plus(std::move(none), end, 1).sync();
  auto [a, b] = std::move(end).split<0>(0);
  EXPECT_EQ(join(std::move(none), std::move(all), std::move(a), std::move(b)).to_host(), numbers(0, 6));
  auto [left, right] = full(0, 0).split<0>(0);
  EXPECT_EQ(join(std::move(left), std::move(right)).size(), 0);
  auto [flat, rows] = Tensor<i32, 2>::zeros(device, {4, 0}).split<0>(3);
  EXPECT_EQ(join(std::move(flat), std::move(rows)).shape(), Extents<2>(4, 0));
}

TEST_P(Parts, AreSplitAgainAndJoinedAsTheyLie) {
  auto [low, high] = counted(9).split<0>(5);
  auto [a, b] = std::move(low).split<0>(2);
  auto [c, d] = std::move(high).split<0>(1);
  auto middle = join(std::move(b), std::move(c));
  EXPECT_EQ(middle.to_host(), numbers(2, 6));
  EXPECT_EQ(join(std::move(a), std::move(middle), std::move(d)).to_host(), numbers(0, 9));
}

TEST_P(Parts, ThatDoNotFitStayWhereTheyAre) {
  auto [low, middle, high] = counted(9).split<0>(1, 6);
  auto other = counted(3);
  Tensor<i32, 1> empty;
  EXPECT_MESSAGE(join(std::move(low), std::move(high)),
                 "join(): arguments 1 and 2 are no neighbours in this order: the first ends at element 1 of their tensor, the "
                 "second begins at element 6");
  EXPECT_MESSAGE(join(std::move(middle), std::move(low)),
                 "the first ends at element 6 of their tensor, the second begins at element 0");
  EXPECT_MESSAGE(join(std::move(low), std::move(middle), std::move(other)),
                 "join(): arguments 2 and 3 are not parts of one tensor");
  EXPECT_MESSAGE(join(std::move(other), counted(3)), "join(): arguments 1 and 2 are not parts of one tensor");
  EXPECT_MESSAGE(join(std::move(low), std::move(empty)), "join(): argument 2 was moved from or never made");
  EXPECT_MESSAGE(join(std::move(middle), std::move(middle)), "are no neighbours");
  auto [top, rest] = Tensor<i32, 2>::zeros(device, {4, 6}).split<0>(2);
  auto wide = std::move(rest).reshape<2>({1, 12});
  EXPECT_MESSAGE(join(std::move(top), std::move(wide)), "arguments 1 and 2 are 2×6 and 1×12: they differ along axis 1");
  EXPECT_MESSAGE(std::move(other).split<0>(4), "split<0>(4): want numbers from 0 to 3, the extent of axis 0, none smaller");
  EXPECT_MESSAGE(std::move(other).split<0>(2, 1), "split<0>(2, 1): want numbers");
  EXPECT_MESSAGE(std::move(other).split<0>(-1), "split<0>(-1)");
  EXPECT_MESSAGE(std::move(empty).split<0>(0), "split() of a tensor that was moved from or never made");
  EXPECT_EQ(other.to_host(), numbers(0, 3));
  EXPECT_EQ(join(std::move(low), std::move(middle), std::move(high)).to_host(), numbers(0, 9));
  EXPECT_EQ(join(std::move(top), std::move(wide).reshape<2>({2, 6})).size(), 24);
}

TEST_P(Parts, KeepWhatIsKnownOfTheirContents) {
  auto [low, high] = Tensor<i32, 1>::uninit(device, {8}).split<0>(3);
  const auto ones = full(8, 1);
  plus(out(low), ones.view().slice(0, 0, 3), 1).sync();
  EXPECT_MESSAGE(high.to_host(), "never been written");
  EXPECT_EQ(low.to_host(), std::vector<i32>(3, 2));
  auto whole = join(std::move(low), std::move(high));
  EXPECT_MESSAGE(whole.to_host(), "never been written");
  auto [a, b] = std::move(whole).split<0>(8);
  EXPECT_TRUE(b.to_host().empty()) << "of nothing, everything is written";
  a = plus(std::move(a), ones, 2).start();
  EXPECT_EQ(join(std::move(a), std::move(b)).to_host(), std::vector<i32>(8, 3));
}

TEST_P(Parts, AreWrittenByTwoQueuesAtOnce) {
  for_each_order([&](unsigned seed) {
    const Queue one(device), two(device);
    auto x = full(9, 10);
    auto [low, high] = counted(9).split<0>(4);
    to(out(low), x.view().slice(0, 0, 4), 1).start(one);
    to(out(high), x.view().slice(0, 4, 9), 2).start(two);
    auto whole = join(std::move(low), std::move(high)); // waits for nothing; its reader waits for both
    x = plus(std::move(x), whole, 0).start();
    std::vector<i32> expected;
    for (i32 i = 0; i < 9; ++i)
      expected.push_back(i < 4 ? i + 11 : i + 12);
    EXPECT_EQ(x.to_host(), expected) << seed;
    EXPECT_EQ(whole.to_host(), expected) << seed;
    plus(out(whole), x, 1).start(two);
    EXPECT_EQ(whole.to_host()[8], 21) << seed;
  });
}

TEST_P(Parts, JoinedAreReadyWhenAllAre) {
  for_each_order([&](unsigned seed) {
    const Queue one(device), two(device);
    const auto x = full(4, 1);
    auto [low, high] = full(8, 0).split<0>(4);
    plus(out(low), x, 1).start(one);
    plus(out(high), x, 2).start(two);
    auto whole = join(std::move(low), std::move(high));
    while (!whole.ready()) {
    }
    EXPECT_TRUE(one.ready() && two.ready()) << seed;
    whole.sync();
  });
}

TEST_P(Parts, AreDroppedInAnyOrderWithWorkUnderWay) {
  for_each_order([&](unsigned seed) {
    std::mt19937 random(seed);
    const Queue one(device), two(device), three(device);
    const auto x = full(3, 1), fours = full(9, 4);
    auto split = full(9, 0).split<0>(3, 6);
    std::vector<Tensor<i32, 1>> parts(std::make_move_iterator(split.begin()), std::make_move_iterator(split.end()));
    plus(out(parts[0]), x, 1).start(one);
    plus(out(parts[1]), x, 2).start(two);
    auto read = plus(fresh(3), parts[2], 7).start(three);
    std::ranges::shuffle(parts, random);
    while (parts.size() > 1)
      parts.pop_back();
    auto used_again = plus(fresh(9), fours, 5).start(two); // nothing is freed yet
    parts.clear();
    device.queue().sync(); // what is freed too early is gone by now
    auto in_its_place = plus(fresh(9), fours, 6).start(one);
    EXPECT_EQ(read.to_host(), std::vector<i32>(3, 7)) << seed;
    EXPECT_EQ(used_again.to_host(), std::vector<i32>(9, 9)) << seed;
    EXPECT_EQ(in_its_place.to_host(), std::vector<i32>(9, 10)) << seed;
  });
  device.synchronize();
  EXPECT_EQ(device.statistics().bytes_in_use, 0);
}

TEST_P(Parts, AFailureStaysInItsPartAndIsInTheWhole) {
  for_each_order([&](unsigned seed) {
    const auto x = full(4, 1);
    auto [low, high] = full(8, 0).split<0>(4);
    fails(out(low), x, 1).start();
    plus(out(high), x, 1).start();
    EXPECT_EQ(high.to_host(), std::vector<i32>(4, 2)) << seed;
    auto whole = join(std::move(low), std::move(high));
    EXPECT_ERROR(LaunchError, whole.to_host(), "s is 0");
    auto [still, well] = std::move(whole).split<0>(4);
    EXPECT_ERROR(LaunchError, well.to_host(), "s is 0"); // which part failed is not known any more
    plus(out(well), x, 1).start();
    EXPECT_EQ(well.to_host(), std::vector<i32>(4, 2)) << seed;
  });
}

TEST_P(Parts, OfAPoisonedTensorArePoisoned) {
  const auto x = full(8, 1);
  auto [low, high] = fails(fresh(8), x, 1).start().split<0>(4);
  EXPECT_ERROR(LaunchError, low.sync(), "s is 0");
  EXPECT_ERROR(LaunchError, high.to_host(), "s is 0");
}

TEST_P(Parts, CanBeSharedAndEndLast) {
  Shared<i32, 1> kept;
  {
    auto [low, high] = counted(9).split<0>(4);
    kept = std::move(high).share();
  }
  EXPECT_EQ(plus(fresh(5), kept, 1).sync().to_host(), numbers(5, 10));
  EXPECT_EQ(device.statistics().bytes_in_use, 36) << "the whole is there while a part is";
}

INSTANTIATE_TEST_SUITE_P(Devices, Parts, testing::Values(Kind::cpu, Kind::gpu), name_of_kind);

} // namespace

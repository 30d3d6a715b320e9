// The algebra of layouts, against plain arithmetic on indices: over all registers, lanes and warps of random tiles.
#include "lib/lower/simt/Layouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace tegula::simt {
namespace {

using Shape = std::vector<int64_t>;
using Index = std::vector<int64_t>;
constexpr uint32_t lanes = 32;

int64_t sizeOf(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()); }

Index indexOf(int64_t element, const Shape& shape) {
  Index index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return index;
}

int64_t elementAt(const Index& index, const Shape& shape) {
  int64_t element = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    element = element * shape[axis] + index[axis];
  return element;
}

/// What LayoutAttr says, bit by bit.
uint32_t held(const Layout& layout, uint32_t reg, uint32_t lane, uint32_t warp) {
  uint32_t element = 0;
  auto add = [&](uint32_t number, const Layout::Bases& bases) {
    for (size_t bit = 0; bit < bases.size(); ++bit)
      element ^= (number >> bit & 1) * bases[bit];
  };
  add(reg, layout.registers);
  add(lane, layout.lanes);
  add(warp, layout.warps);
  return element;
}

using Held = std::set<int64_t>;
Held heldByThread(const Layout& layout, uint32_t lane, uint32_t warp) {
  Held elements;
  for (uint32_t reg = 0; reg < layout.registerCount(); ++reg)
    elements.insert(held(layout, reg, lane, warp));
  return elements;
}

template <class F> void forEachThread(const Layout& layout, F body) {
  for (uint32_t warp = 0; warp < 1u << layout.warps.size(); ++warp)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      body(lane, warp);
}

/// A tile of at most 2^11 elements, and a number of warps.
class Random {
public:
  explicit Random(uint32_t seed) : engine(seed) {}
  int64_t below(int64_t count) { return std::uniform_int_distribution<int64_t>(0, count - 1)(engine); }
  int64_t power(int bits) { return int64_t(1) << below(bits + 1); }
  Shape shape() {
    Shape result(static_cast<size_t>(1 + below(4)));
    do
      for (int64_t& extent : result)
        extent = power(6);
    while (sizeOf(result) > 2048);
    return result;
  }
  Shape permutation(size_t rank) {
    Shape result(rank);
    std::iota(result.begin(), result.end(), 0);
    std::shuffle(result.begin(), result.end(), engine);
    return result;
  }
  Layout layout(const Shape& shape) {
    int64_t axis = below(static_cast<int64_t>(shape.size())), warps = power(3);
    return below(2) ? blocked(shape, axis, power(4), warps) : alongAxis(shape, axis, warps);
  }

private:
  std::mt19937 engine;
};

class Layouts : public testing::TestWithParam<uint32_t> {
protected:
  Random random{GetParam()};
  const Shape shape = random.shape();
  const int64_t axis = random.below(static_cast<int64_t>(shape.size()));

  /// The layout of another tile holds, in each thread, exactly the images of the elements that the thread holds.
  template <class F> void expectImages(const Layout& layout, const Layout& image, F map) {
    forEachThread(layout, [&](uint32_t lane, uint32_t warp) {
      Held expected;
      for (int64_t element : heldByThread(layout, lane, warp))
        expected.insert(map(element));
      EXPECT_EQ(heldByThread(image, lane, warp), expected) << "lane " << lane << ", warp " << warp;
      EXPECT_EQ(static_cast<size_t>(image.registerCount()), expected.size()) << "no element is held twice by a thread";
    });
  }
};

TEST_P(Layouts, BlockedDealsNeighboursToLanesThenWarps) {
  int64_t vector = std::min(random.power(4), shape[axis]), warps = random.power(3);
  Layout layout = blocked(shape, axis, vector, warps);
  // All elements, neighbours along `axis` first, then along the last axis, and so on.
  std::vector<int64_t> order{axis};
  for (int64_t other = static_cast<int64_t>(shape.size()) - 1; other >= 0; --other)
    if (other != axis)
      order.push_back(other);
  for (int64_t number = 0; number < sizeOf(shape); ++number) {
    Index index(shape.size());
    int64_t rest = number;
    for (int64_t next : order) {
      index[next] = rest % shape[next];
      rest /= shape[next];
    }
    auto lane = static_cast<uint32_t>(number / vector % lanes), warp = static_cast<uint32_t>(number / (vector * lanes) % warps);
    auto reg = static_cast<uint32_t>(number % vector + number / (vector * lanes * warps) * vector);
    ASSERT_LT(reg, layout.registerCount());
    EXPECT_EQ(held(layout, reg, lane, warp), elementAt(index, shape));
  }
}

TEST_P(Layouts, AlongAnAxisTheOrderIsThatOfWarpLaneRegister) {
  int64_t warps = random.power(3);
  Layout layout = alongAxis(shape, axis, warps);
  ASSERT_EQ(layout.lanes.size(), 5u);
  ASSERT_EQ(int64_t(1) << layout.warps.size(), warps);
  // Of each line along the axis: who holds its elements first, in the order of threads.
  std::vector<std::vector<int64_t>> lines(static_cast<size_t>(sizeOf(shape)));
  std::set<int64_t> seen;
  forEachThread(layout, [&](uint32_t lane, uint32_t warp) {
    for (uint32_t reg = 0; reg < layout.registerCount(); ++reg) {
      int64_t element = held(layout, reg, lane, warp);
      if (!seen.insert(element).second)
        continue;
      Index index = indexOf(element, shape);
      int64_t position = std::exchange(index[axis], 0);
      std::vector<int64_t>& line = lines[static_cast<size_t>(elementAt(index, shape))];
      EXPECT_EQ(position, static_cast<int64_t>(line.size()));
      line.push_back(position);
    }
  });
  EXPECT_EQ(static_cast<int64_t>(seen.size()), sizeOf(shape)) << "every element is held";
  int64_t run = std::max<int64_t>(1, shape[axis] / (lanes * warps));
  std::set<int64_t> positions;
  for (int64_t element : heldByThread(layout, 0, 0))
    positions.insert(indexOf(element, shape)[axis]);
  EXPECT_EQ(static_cast<int64_t>(positions.size()), run) << "the axis is spread over as many threads as it has elements";
}

TEST_P(Layouts, PermutingAxesMovesEveryElement) {
  Layout layout = random.layout(shape);
  Shape permutation = random.permutation(shape.size()), to(shape.size());
  for (size_t position = 0; position < to.size(); ++position)
    to[position] = shape[static_cast<size_t>(permutation[position])];
  Layout moved = permuted(layout, shape, permutation);
  forEachThread(layout, [&](uint32_t lane, uint32_t warp) {
    for (uint32_t reg = 0; reg < layout.registerCount(); ++reg) {
      Index from = indexOf(held(layout, reg, lane, warp), shape), index(shape.size());
      for (size_t position = 0; position < to.size(); ++position)
        index[position] = from[static_cast<size_t>(permutation[position])];
      EXPECT_EQ(held(moved, reg, lane, warp), elementAt(index, to));
    }
  });
  EXPECT_EQ(unpermuted(moved, shape, permutation), layout);
  EXPECT_EQ(permuted(unpermuted(layout, shape, permutation), shape, permutation), layout);
}

TEST_P(Layouts, WithoutAnAxisItsElementsFallTogether) {
  Layout layout = random.layout(shape);
  Shape reduced = shape;
  reduced[axis] = 1;
  expectImages(layout, withoutAxis(layout, shape, axis), [&](int64_t element) {
    Index index = indexOf(element, shape);
    index[axis] = 0;
    return elementAt(index, reduced);
  });
}

TEST_P(Layouts, OfAnAxisAloneThePositionIsLeft) {
  Layout layout = random.layout(shape);
  expectImages(layout, ofAxesAlone(layout, shape, {axis}), [&](int64_t element) { return indexOf(element, shape)[axis]; });
}

TEST_P(Layouts, OfTwoAxesAloneThePairOfPositionsIsLeft) {
  Layout layout = random.layout(shape);
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  if (axis == last)
    return;
  expectImages(layout, ofAxesAlone(layout, shape, {axis, last}), [&](int64_t element) {
    Index index = indexOf(element, shape);
    return elementAt({index[axis], index[last]}, {shape[axis], shape[last]});
  });
}

TEST_P(Layouts, ABroadcastsOperandIsWhereItsResultIs) {
  Layout layout = random.layout(shape);
  size_t missing = static_cast<size_t>(random.below(static_cast<int64_t>(shape.size())));
  Shape from(shape.begin() + static_cast<ptrdiff_t>(missing), shape.end());
  for (int64_t& extent : from)
    if (random.below(2))
      extent = 1;
  expectImages(layout, ofBroadcastOperand(layout, shape, from), [&](int64_t element) {
    Index index = indexOf(element, shape), own(from.size());
    for (size_t at = 0; at < from.size(); ++at)
      own[at] = from[at] == 1 ? 0 : index[at + missing];
    return elementAt(own, from);
  });
}

TEST_P(Layouts, ShortenedKeepsTheFirstElements) {
  Layout layout = random.layout(shape);
  int64_t extent = int64_t(1) << random.below(log2(shape[axis]) + 1);
  Shape kept = shape;
  kept[axis] = extent;
  expectImages(layout, shortened(layout, shape, axis, extent), [&](int64_t element) {
    Index index = indexOf(element, shape);
    index[axis] %= extent;
    return elementAt(index, kept);
  });
}

TEST_P(Layouts, ConcatenationAddsTheSecondTileInHigherRegisters) {
  Layout part = random.layout(shape);
  Layout both = concatenated(part, shape, axis);
  Shape whole = shape;
  whole[axis] *= 2;
  ASSERT_EQ(both.registerCount(), 2 * part.registerCount());
  forEachThread(part, [&](uint32_t lane, uint32_t warp) {
    for (uint32_t reg = 0; reg < both.registerCount(); ++reg) {
      Index index = indexOf(held(part, reg % static_cast<uint32_t>(part.registerCount()), lane, warp), shape);
      if (reg >= part.registerCount())
        index[axis] += shape[axis];
      EXPECT_EQ(held(both, reg, lane, warp), elementAt(index, whole));
    }
  });
}

TEST_P(Layouts, RegistersWithinAThreadAreFoundIfTheyAreThere) {
  // Any bases at all, not only those that passes make.
  Layout from;
  auto fill = [&](Layout::Bases& bases, int64_t count) {
    for (int64_t bit = 0; bit < count; ++bit)
      bases.push_back(static_cast<uint32_t>(random.below(64)));
  };
  fill(from.registers, random.below(5));
  fill(from.lanes, 5);
  fill(from.warps, random.below(3));
  Layout to = from;
  to.registers.clear();
  for (int64_t bit = random.below(5); bit > 0; --bit)
    to.registers.push_back(random.below(4) ? from.element(static_cast<uint32_t>(random.below(from.registerCount())))
                                           : static_cast<uint32_t>(random.below(64)));
  Held own = heldByThread(from, 0, 0), wanted = heldByThread(to, 0, 0);
  bool isThere = std::includes(own.begin(), own.end(), wanted.begin(), wanted.end());
  auto found = registersWithin(from, to);
  ASSERT_EQ(found.has_value(), isThere);
  if (!found)
    return;
  ASSERT_EQ(static_cast<int64_t>(found->size()), to.registerCount());
  forEachThread(from, [&](uint32_t lane, uint32_t warp) {
    for (uint32_t reg = 0; reg < found->size(); ++reg)
      EXPECT_EQ(held(from, (*found)[reg], lane, warp), held(to, reg, lane, warp));
  });
}

INSTANTIATE_TEST_SUITE_P(random, Layouts, testing::Range(1u, 101u));

TEST(Layout, RegistersOfOtherThreadsAreNotFound) {
  Layout from = blocked({64}, 0, 2, 1), to = blocked({64}, 0, 1, 1);
  EXPECT_FALSE(registersWithin(from, to));
  EXPECT_FALSE(registersWithin(to, from));
}

TEST(Layout, APermutationMovesEachBitToOnePlace) {
  EXPECT_TRUE((Layout{{1, 2}, {4, 8, 0, 0, 0}, {}}).isPermutation());
  EXPECT_FALSE((Layout{{1, 1}, {}, {}}).isPermutation());
  EXPECT_FALSE((Layout{{3}, {4}, {}}).isPermutation());
}

TEST(Layout, IsWrittenAndReadAsAnAttribute) {
  mlir::MLIRContext context;
  context.loadDialect<tile::TileDialect>();
  Layout layout = blocked({8, 64}, 1, 4, 2);
  EXPECT_EQ(Layout::of(layout.attribute(&context)), layout);
}

} // namespace
} // namespace tegula::simt

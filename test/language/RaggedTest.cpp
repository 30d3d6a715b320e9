// Segments that follow one another, as certified offsets: by rows, by segments and by tiles, with empty ones among them.
#include "Language.h"

#include <numeric>

namespace {

using namespace tegula;
using tegula::test::message_of;
using tegula::test::test_device;

constexpr i64 columns = 40;
const std::vector<i32> lengths{3, 0, 0, 17, 1, 40, 0, 16, 5, 0};

template <class T> std::vector<T> offsets_of(const std::vector<i32>& lengths) {
  std::vector<T> offsets{0};
  for (const i32 length : lengths)
    offsets.push_back(static_cast<T>(offsets.back() + length));
  return offsets;
}
template <class T> Certified<T, 1> certified(const std::vector<T>& offsets) {
  return Certified<T, 1>::from_host(test_device(), {static_cast<i64>(offsets.size())}, offsets, offsets.back(), as_offsets);
}

struct Packed {
  std::vector<i32> offsets = offsets_of<i32>(lengths),
                   numbers = std::vector<i32>(static_cast<std::size_t>(offsets.back() * columns));
  Packed() { std::iota(numbers.begin(), numbers.end(), 1); }
  i64 rows() const { return offsets.back(); }
  Tensor<i32, 2> tensor() const { return Tensor<i32, 2>::from_host(test_device(), {rows(), columns}, numbers); }
  /// A row's segment, and the sum of the segment's rows in a column.
  std::size_t segment(i64 row) const {
    std::size_t s = 0;
    while (offsets[s + 1] <= row)
      ++s;
    return s;
  }
  i32 sum(std::size_t s, i64 column) const {
    i32 result = 0;
    for (i32 row = offsets[s]; row < offsets[s + 1]; ++row)
      result += numbers[static_cast<std::size_t>(row * columns + column)];
    return result;
  }
};

TEST(Ragged, RowsOfEachSegment) {
  const Packed packed;
  const auto x = packed.tensor();
  const auto k = kernel("rows_of_segments", [](OutTiles<i32, 1, 16> y, In<i32, 1, 16> x, Offsets<i32> o) {
    expects(x.extent(1) == y.extent(1), "y is as wide as x");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto row : o.positions(s))
        for (auto c : x.cols())
          y.tile(row, c).store(x(row, c) * cast<i32>(s));
  });
  for (const i64 programs : {1, 3, 20}) {
    auto y = Tensor<i32, 2>::uninit(test_device(), {packed.rows(), columns});
    const std::vector<i32> found = k(std::move(y), x, certified(packed.offsets)).programs(programs).sync().to_host();
    for (i64 i = 0; i < packed.rows() * columns; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)],
                packed.numbers[static_cast<std::size_t>(i)] * static_cast<i32>(packed.segment(i / columns)))
          << i;
  }
}

TEST(Ragged, EachRowFindsItsSegment) {
  const Packed packed;
  const auto x = packed.tensor();
  const auto k = kernel("rows", [](Out<i32, 1, 16> y, In<i32, 1, 16> x, Offsets<i64> o) {
    expects(o.bound() == y.extent(0) && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "a row for each position");
    auto sum = zeros<i32, 1, 16>();
    for (auto row : o.positions(o.find(y.row())))
      sum += x(row, y.col());
    y.store(sum);
  });
  auto y = Tensor<i32, 2>::uninit(test_device(), {packed.rows(), columns});
  const std::vector<i32> found = k(std::move(y), x, certified(offsets_of<i64>(lengths))).sync().to_host();
  for (i64 row = 0; row < packed.rows(); ++row)
    for (i64 c = 0; c < columns; ++c)
      ASSERT_EQ(found[static_cast<std::size_t>(row * columns + c)], packed.sum(packed.segment(row), c)) << row << ", " << c;
}

TEST(Ragged, TilesOfSegmentsCoverTheOutput) {
  const Packed packed;
  const auto x = packed.tensor();
  const auto k = kernel("tiles_of_segments", [](OutTiles<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o) {
    expects(x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "y is as large as x");
    for (auto s : range(this_program(), o.segments(), programs()))
      for (auto first : range(o.begin(s), o.end(s), 16)) {
        auto at = first + iota<i64, 16>();
        for (auto c : x.cols())
          scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, c * 16) + cast<i32>(s), c);
      }
  });
  for (const i64 programs : {1, 4}) {
    auto y = Tensor<i32, 2>::uninit(test_device(), {packed.rows(), columns});
    const std::vector<i32> found = k(std::move(y), x, certified(packed.offsets)).programs(programs).sync().to_host();
    for (i64 i = 0; i < packed.rows() * columns; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)],
                packed.numbers[static_cast<std::size_t>(i)] + static_cast<i32>(packed.segment(i / columns)))
          << i;
  }
}

TEST(Ragged, TilesAreDealtOutByTheirNumbers) {
  const Packed packed;
  std::vector<i32> tiles;
  for (const i32 length : lengths)
    tiles.push_back((length + 15) / 16);
  const auto x = packed.tensor();
  const auto k = kernel("tiles", [](Patch<i32, 16, 16> y, In<i32, 16, 16> x, Offsets<i32> o, Offsets<i16> tiles) {
    expects(o.bound() <= y.extent(0) && x.extent(0) == y.extent(0) && x.extent(1) == y.extent(1), "a row for each position");
    expects(o.segments() == tiles.segments(), "both are about the same segments");
    for (auto t : range(this_program(), tiles.bound(), programs())) {
      auto s = tiles.find(t), first = o.begin(s) + (t - tiles.begin(s)) * 16;
      auto at = first + iota<i64, 16>();
      for (auto c : x.cols())
        scatter<0>(y, select(at < o.end(s), at, -1), x.at_element(first, c * 16, or_padding) - cast<i32>(t), c);
    }
  });
  auto y = Tensor<i32, 2>::zeros(test_device(), {packed.rows(), columns});
  const std::vector<i32> found =
      k(std::move(y), x, certified(packed.offsets), certified(offsets_of<i16>(tiles))).programs(3).sync().to_host();
  for (i64 row = 0; row < packed.rows(); ++row) {
    const std::size_t s = packed.segment(row);
    const i32 tile = offsets_of<i32>(tiles)[s] + static_cast<i32>(row - packed.offsets[s]) / 16;
    for (i64 c = 0; c < columns; ++c) {
      const auto i = static_cast<std::size_t>(row * columns + c);
      ASSERT_EQ(found[i], packed.numbers[i] - tile) << row << ", " << c;
    }
  }
}

TEST(Ragged, FindsTheSegmentOfAnyPosition) {
  const auto k = kernel("find", [](Out<i64, 1> y, Offsets<i32> o) { y.store(reshape<1>(o.find(y.at(0) - 3))); });
  for (const std::vector<i32>& some : {lengths, {}, {0}, {0, 0, 0}, {4}, {1, 1, 1}, {0, 7, 0}}) {
    const std::vector<i32> offsets = offsets_of<i32>(some);
    const i64 n = offsets.back() + 6, last = std::max<i64>(0, static_cast<i64>(some.size()) - 1);
    const auto found = k(Tensor<i64, 1>::uninit(test_device(), {n}), certified(offsets)).sync().to_host();
    for (i64 i = 0; i < n; ++i) {
      const i64 at = i - 3, s = found[static_cast<std::size_t>(i)];
      if (at < 0 || at >= offsets.back())
        ASSERT_EQ(s, at < 0 ? 0 : last) << at << " of " << some.size();
      else
        ASSERT_TRUE(offsets[static_cast<std::size_t>(s)] <= at && at < offsets[static_cast<std::size_t>(s) + 1]) << at << ": " << s;
    }
  }
}

TEST(Ragged, BlocksOfASparseMatrix) {
  // Block rows of 16 with 2, 0 and 1 blocks.
  const std::vector<i32> rows{0, 2, 2, 3}, cols{3, 0, 1};
  const Device d = test_device();
  std::vector<f32> blocks(3 * 16 * 16), dense(4 * 16 * 16);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = static_cast<f32>(i % 7) - 3;
  for (std::size_t i = 0; i < dense.size(); ++i)
    dense[i] = static_cast<f32>(i % 5) - 2;
  const auto k = kernel(
      "block_sparse", [](Out<f32, 16, 16> c, In<f32, 1, 16, 16> blocks, Index<i32, 1> cols, Offsets<i32> rows, In<f32, 16, 16> b) {
        auto sum = zeros<f32, 16, 16>();
        for (auto j : rows.positions(c.row()))
          sum = mma(reshape<16, 16>(blocks(j, 0, 0)), b(reshape<>(cols(j)), c.col()), sum);
        c.store(sum);
      });
  const auto found =
      k(Tensor<f32, 2>::uninit(d, {48, 16}), Tensor<f32, 3>::from_host(d, {3, 16, 16}, blocks).share(),
        Certified<i32, 1>::from_host(d, {3}, cols, 4), certified(rows), Tensor<f32, 2>::from_host(d, {64, 16}, dense).share())
          .sync()
          .to_host();
  for (std::size_t r = 0; r < 48; ++r)
    for (std::size_t c = 0; c < 16; ++c) {
      f32 sum = 0;
      for (auto j = static_cast<std::size_t>(rows[r / 16]); j < static_cast<std::size_t>(rows[r / 16 + 1]); ++j)
        for (std::size_t i = 0; i < 16; ++i)
          sum += blocks[(j * 16 + r % 16) * 16 + i] * dense[(static_cast<std::size_t>(cols[j]) * 16 + i) * 16 + c];
      ASSERT_EQ(found[r * 16 + c], sum) << r << ", " << c;
    }
}

template <class T> class CertifyOffsets : public testing::Test {};
using Integers = testing::Types<i64, i32, i16, i8>;
TYPED_TEST_SUITE(CertifyOffsets, Integers);

TYPED_TEST(CertifyOffsets, FindsTheFirstThatFalls) {
  using T = TypeParam;
  const auto tensor = [](const std::vector<T>& values) {
    return Tensor<T, 1>::from_host(test_device(), {static_cast<i64>(values.size())}, values);
  };
  for (const i64 n : {1, 2, 1023, 1024, 1025, 3000}) {
    std::vector<T> values;
    for (i64 i = 0; i < n; ++i)
      values.push_back(static_cast<T>(i * 100 / n));
    const auto offsets = certify(tensor(values), 100, as_offsets);
    EXPECT_EQ(offsets.bound(), i64{values.back()}) << "the last one, not what it may be at most";
    EXPECT_TRUE(offsets.offsets());
    const auto refused = [&](const std::vector<T>& wrong, i64 most) {
      return message_of<Error>([&] { certify(tensor(wrong), most, as_offsets); });
    };
    if (values.back() > 0)
      EXPECT_NE(refused(values, values.back() - 1).find("but the last segment ends at " + std::to_string(values.back() - 1)),
                std::string::npos);
    for (const i64 at : {n - 1, n / 2, n / 3}) {
      std::vector<T> wrong = values;
      wrong[static_cast<std::size_t>(at)] = static_cast<T>(-1);
      const std::string said = refused(wrong, 100);
      const std::string element = "element (" + std::to_string(at) + ") is -1, ";
      EXPECT_NE(said.find(element + (at == 0 ? "but the first segment begins at 0" : "less than the one before it")),
                std::string::npos)
          << said;
    }
  }
  EXPECT_NE(message_of<Error>([&] { certify(tensor({}), 5, as_offsets); }).find("there is no element"), std::string::npos);
}

} // namespace

// Gathers by positions, along one axis and along two.
#include "Language.h"

namespace tegula::test {
namespace {

constexpr i64 height = 37, width = 53;

Host<i32> numbered() {
  Host<i32> r(static_cast<std::size_t>(height * width));
  for (i64 i = 0; i < height * width; ++i)
    r[i] = static_cast<i32>(i + 1);
  return r;
}
/// Positions below n in no order, and now and then none.
Host<i32> positions(i64 count, i64 n) {
  Host<i32> r(static_cast<std::size_t>(count));
  for (i64 i = 0; i < count; ++i)
    r[i] = static_cast<i32>(i % 7 == 3 ? -1 : i * 31 % n);
  return r;
}
Certified<i32, 1> certified(const Host<i32>& x, i64 bound) {
  return Certified<i32, 1>::from_host(test_device(), {static_cast<i64>(x.size())}, x, bound, or_none);
}
i32 element(i32 row, i32 column) { return row < 0 || column < 0 ? 0 : row * static_cast<i32>(width) + column + 1; }

void gather(Out<i32, 16> c, In<i32, 1> a, IndexOrNone<i32, 16> at) { c.store(gather<0>(a, at[c]) + tegula::gather<0>(a, at[c])); }

TEST(Gather, InAKernelOfThatName) {
  const Host<i32> at = positions(70, width);
  const auto a = Tensor<i32, 1>::from_host(test_device(), {height * width}, numbered());
  Host<i32> want;
  for (i32 position : at)
    want.push_back(2 * element(0, position));
  expect_same(kernel<gather>()(Tensor<i32, 1>::uninit(test_device(), {70}), a, certified(at, width)).sync().to_host(), want);
}

TEST(Gather, RowsAndColumns) {
  const auto k = kernel("rows_and_columns",
                        [](Out<i32, 16, 32> c, In<i32, 1, 1> a, IndexOrNone<i32, 16> rows, IndexOrNone<i32, 32> columns) {
                          expects(rows.extent(0) == c.extent(0) && columns.extent(0) == c.extent(1),
                                  "a position for each row and each column");
                          c.store(gather<0, 1>(a, reshape<16, 1>(rows(c.row())), reshape<1, 32>(columns(c.col()))));
                        },
                        {.strict = true});
  const Host<i32> rows = positions(21, height), columns = positions(70, width);
  const auto a = Tensor<i32, 2>::from_host(test_device(), {height, width}, numbered());
  const auto r = certified(rows, height), q = certified(columns, width);
  Host<i32> want;
  for (i32 row : rows)
    for (i32 column : columns)
      want.push_back(element(row, column));
  expect_same(k(Tensor<i32, 2>::uninit(test_device(), {21, 70}), a, r, q).sync().to_host(), want);
}

TEST(Gather, SingleElements) {
  const auto k = kernel("elements",
                        [](Out<i32, 64, 1> c, In<i32, 1, 1> a, IndexOrNone<i32, 64> rows, IndexOrNone<i32, 64> columns) {
                          expects(rows.extent(0) == c.extent(0) && columns.extent(0) == c.extent(0) && c.extent(1) == 1,
                                  "a pair for each element");
                          c.store(gather<0, 1>(a, reshape<64, 1>(rows(c.row())), reshape<64, 1>(columns(c.row()))));
                        },
                        {.strict = true});
  const Host<i32> rows = positions(200, height), columns = positions(200, width);
  const auto a = Tensor<i32, 2>::from_host(test_device(), {height, width}, numbered());
  const auto r = certified(rows, height), q = certified(columns, width);
  Host<i32> want;
  for (std::size_t i = 0; i < rows.size(); ++i)
    want.push_back(element(rows[i], columns[i]));
  expect_same(k(Tensor<i32, 2>::uninit(test_device(), {200, 1}), a, r, q).sync().to_host(), want);
}

TEST(Gather, RowsOfPages) {
  // A cache in pages of 4 rows: position t is row t % 4 of the page that a table names.
  const auto k = kernel("pages", [](Out<i32, 16, 1, 32> c, In<i32, 1, 4, 32> cache, Index<i32, 1, 8> table) {
    expects(table.extent(0) == 1 && cache.extent(0) >= table.bound() && cache.extent(1) == 4, "pages of four rows");
    expects(c.extent(0) <= 4 * table.extent(1) && c.extent(1) == 1, "a page for each four rows");
    auto t = c.at(0) * 16 + iota<i64, 16, 1>(0);
    auto page = gather<0, 1>(table, zeros<i32, 16, 1>(), select(t < c.extent(0), t / 4, -1));
    c.store(gather<0, 1>(cache, page, t % 4, c.at(2)));
  });
  constexpr i64 rows = 29, pages = 11, columns = 45;
  Host<i32> table(8), cache(static_cast<std::size_t>(pages * 4 * columns));
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<i32>(i * 7 % pages);
  for (std::size_t i = 0; i < cache.size(); ++i)
    cache[i] = static_cast<i32>(i);
  const auto t = Certified<i32, 2>::from_host(test_device(), {1, 8}, table, pages);
  const auto x = Tensor<i32, 3>::from_host(test_device(), {pages, 4, columns}, cache);
  Host<i32> want;
  for (i64 row = 0; row < rows; ++row)
    for (i64 column = 0; column < columns; ++column)
      want.push_back(static_cast<i32>((table[row / 4] * 4 + row % 4) * columns + column));
  auto c = Tensor<i32, 3>::uninit(test_device(), {rows, 1, columns});
  expect_same(k(std::move(c), x, t).sync().to_host(), want);
}

} // namespace
} // namespace tegula::test

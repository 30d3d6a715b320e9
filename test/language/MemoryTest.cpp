// Loads and stores: edges and pads, sub-tiles, split, pieces, several outputs, every rank and element type.
#include "Language.h"

namespace tegula::test {
namespace {

TEST(Load, WhatLiesOutsideIsThePad) {
  auto k = kernel("pads", [](Out<f32, 8, 8> zero, Out<f32, 8, 8> pad, Out<f32, 8, 8> scalar, In<f32, 8, 8> x, Scalar<f32> s) {
    zero.store(broadcast<8, 8>(sum<1>(x[zero] + 1)));
    pad.store(broadcast<8, 8>(sum<1>(x.load_or(pad, -7))));
    scalar.store(broadcast<8, 8>(sum<1>(x.load_or(scalar.row(), scalar.col(), s))));
  });
  constexpr int rows = 13, columns = 21;
  const auto host = some<f32>(rows * columns, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {rows, columns}, host);
  const auto make = [&] { return Tensor<f32, 2>::zeros(test_device(), {rows, columns}); };
  const auto [zero, pad, scalar] = k(make(), make(), make(), x, 1.5).sync();
  const auto expected = [&](f32 outside, f32 plus) {
    std::vector<f32> r;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        f32 total = 0;
        for (int c = j / 8 * 8; c < j / 8 * 8 + 8; ++c)
          total += (c < columns ? host[i * columns + c] : outside) + plus;
        r.push_back(total);
      }
    return r;
  };
  expect_same(zero.to_host(), expected(0, 1));
  expect_same(pad.to_host(), expected(-7, 0));
  expect_same(scalar.to_host(), expected(1.5, 0));
}

TEST(Load, TilesFarOutside) {
  auto k = kernel("outside", [](Out<i32, 4> y, In<i32, 4> x, Scalar<i64> at) { y.store(x.load_or(at, -5, or_padding)); });
  const auto x = Tensor<i32, 1>::from_host(test_device(), {6}, {1, 2, 3, 4, 5, 6});
  const auto run = [&](i64 at) { return k(Tensor<i32, 1>::zeros(test_device(), {4}), x, at).sync().to_host(); };
  expect_same(run(0), std::vector<i32>{1, 2, 3, 4});
  expect_same(run(1), std::vector<i32>{5, 6, -5, -5});
  for (i64 at : {i64{2}, i64{-1}, i64{1} << 40, INT64_MIN, INT64_MAX, i64{1} << 62})
    expect_same(run(at), std::vector<i32>(4, -5));
}

TEST(Load, NothingOutsideIsWritten) {
  // Tensors of all sizes around one tile; the neighbours of the output in memory are its own elements.
  auto k = kernel("copy", [](Out<i16, 16> y, In<i16, 16> x) { y.store(x[y] * 3); });
  for (i64 n = 0; n <= 70; ++n) {
    const auto host = some<i16>(n, -99, 99);
    const auto x = Tensor<i16, 1>::from_host(test_device(), {n}, host);
    expect_same(k(Tensor<i16, 1>::full(test_device(), {n}, 5), x).sync().to_host(), map([](i16 v) { return i16(v * 3); }, host));
  }
}

TEST(Load, SubTiles) {
  auto k = kernel("sub_tiles", [](Out<f32, 8, 16> y, In<f32, 8, 16> x) {
    auto total = zeros<f32, 2, 4>();
    for (auto i : range(4))
      for (auto j : range(4))
        total += load<2, 4>(x, y.row() * 4 + i, y.col() * 4 + j, or_padding);
    auto last = load_or<1, 16>(x, y.row() * 8 + 7, y.col(), 100, or_padding);
    y.store(broadcast<8, 16>(sum<0>(reshape<8, 1>(total))) + last);
  });
  constexpr int rows = 12, columns = 21;
  const auto host = some<f32>(rows * columns, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {rows, columns}, host);
  std::vector<f32> want;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      f32 total = 0;
      for (int r = i / 8 * 8; r < std::min(rows, i / 8 * 8 + 8); ++r)
        for (int c = j / 16 * 16; c < std::min(columns, j / 16 * 16 + 16); ++c)
          total += host[r * columns + c];
      const int last = i / 8 * 8 + 7;
      want.push_back(total + (last < rows ? host[last * columns + j] : 100));
    }
  expect_same(k(Tensor<f32, 2>::zeros(test_device(), {rows, columns}), x).sync().to_host(), want);
}

TEST(Load, QueriesOfExtentsAndCounts) {
  auto k = kernel("queries", [](Out<i64, 1, 4> y, Out<i64, 1, 16> z, In<f32, 8, 4> x) {
    auto r = zeros<i64, 1, 16>();
    int n = 0;
    const auto put = [&](const Int& value) { r = insert(r, full<i64, 1, 1>(value), 0, n++); };
    put(x.extent(0));
    put(x.extent(1));
    put(x.count(0));
    put(x.count(1));
    put(y.extent(0));
    put(y.extent(1));
    put(y.count(0));
    put(y.count(1));
    put(y.row());
    put(y.col());
    put(y.at(0));
    put(y.at(1));
    put(z.col());
    y.store(zeros<i64, 1, 4>());
    z.store(r);
  });
  const auto x = Tensor<f32, 2>::zeros(test_device(), {17, 9});
  const auto [y, z] = k(Tensor<i64, 2>::zeros(test_device(), {2, 7}), Tensor<i64, 2>::zeros(test_device(), {2, 32}), x).sync();
  const auto got = z.to_host();
  for (i64 row = 0; row < 2; ++row)
    for (i64 col = 0; col < 2; ++col)
      expect_same(std::vector<i64>(got.begin() + row * 32 + col * 16, got.begin() + row * 32 + col * 16 + 13),
                  std::vector<i64>{17, 9, 3, 3, 2, 7, 2, 2, row, col, row, col, col});
}

TEST(Split, PieceByPiece) {
  auto k = kernel("split", [](Out<f32, 16, 32> y, In<f32, 16, 32> x) {
    auto whole = x[y] * 2;
    for (auto t : split<4, 8>(y))
      t.store(extract<4, 8>(whole, t.within(0), t.within(1)) + load<4, 8>(x, t.row(), t.col(), or_padding));
  });
  constexpr int rows = 27, columns = 50;
  const auto host = some<f32>(rows * columns, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {rows, columns}, host);
  expect_same(k(Tensor<f32, 2>::zeros(test_device(), {rows, columns}), x).sync().to_host(), map([](f32 v) { return v * 3; }, host));
}

TEST(Split, OfASplit) {
  auto k = kernel("split_twice", [](Out<i32, 8, 8> y) {
    for (auto t : split<4, 4>(y))
      for (auto u : split<2, 1>(t))
        u.store(full<i32, 2, 1>(cast<i32>(u.row() * 100 + u.col() * 10 + t.within(1))) + iota<2, 1>(0) * 1000);
  });
  const auto got = k(Tensor<i32, 2>::zeros(test_device(), {11, 13})).sync().to_host();
  std::vector<i32> want;
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 13; ++j)
      want.push_back(i / 2 * 100 + j * 10 + j % 8 / 4 + i % 2 * 1000);
  expect_same(got, want);
}

TEST(Pieces, EveryTileIsWrittenOnce) {
  auto k = kernel("pieces", [](OutTiles<f32, 4, 8> y, In<f32, 4, 8> x) {
    auto carried = zeros<f32, 4, 8>();
    for (auto t : y.my_tiles()) {
      t.store(x[t] + x(t.row(), t.col()) + full<f32, 4, 8>(cast<f32>(y.count(0) * 10 + y.extent(1))));
      carried += x[t];
    }
  });
  constexpr int rows = 19, columns = 45;
  const auto host = some<f32>(rows * columns, -9, 9);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {rows, columns}, host);
  for (i64 programs : {0, 1, 2, 3, 7, 30, 100})
    expect_same(k(Tensor<f32, 2>::zeros(test_device(), {rows, columns}), x).programs(programs).sync().to_host(),
                map([](f32 v) { return v * 2 + 50 + 45; }, host));
}

TEST(Pieces, BesideAnOut) {
  auto k = kernel("both", [](Out<i32, 1> sums, OutTiles<i32, 8> y, In<i32, 8> x) {
    auto total = zeros<i32, 1>();
    for (auto t : y.my_tiles()) {
      t.store(x[t] + 1);
      total += sum<0>(x[t]);
    }
    sums.store(total);
  });
  const auto host = some<i32>(100, 0, 9);
  const auto x = Tensor<i32, 1>::from_host(test_device(), {100}, host);
  const auto [sums, y] = k(Tensor<i32, 1>::zeros(test_device(), {4}), Tensor<i32, 1>::zeros(test_device(), {100}), x).sync();
  expect_same(y.to_host(), map([](i32 v) { return v + 1; }, host));
  i32 want = 0, got = 0;
  for (i32 v : host)
    want += v;
  for (i32 v : sums.to_host())
    got += v;
  EXPECT_EQ(got, want);
}

TEST(Outputs, SeveralOfDifferentShapesAndTypes) {
  auto k = kernel("outputs", [](Out<f32, 4, 16> y, Out<i32, 4, 1> at, Out<bool, 4, 16> big, In<f32, 4, 16> x) {
    auto v = x(y.row(), 0);
    y.store(v - max<1>(v));
    at.store(argmax<1>(v));
    big.store(v > 0);
  });
  const auto host = some<f32>(10 * 16, -99, 99);
  const auto x = Tensor<f32, 2>::from_host(test_device(), {10, 16}, host);
  const auto [y, at, big] = k(Tensor<f32, 2>::zeros(test_device(), {10, 16}), Tensor<i32, 2>::zeros(test_device(), {10, 1}),
                              Tensor<bool, 2>::zeros(test_device(), {10, 16}), x)
                                .sync();
  for (int i = 0; i < 10; ++i) {
    int best = 0;
    for (int j = 0; j < 16; ++j)
      best = host[i * 16 + j] > host[i * 16 + best] ? j : best;
    EXPECT_EQ(at.to_host()[i], best);
    for (int j = 0; j < 16; ++j) {
      EXPECT_EQ(y.to_host()[i * 16 + j], host[i * 16 + j] - host[i * 16 + best]);
      EXPECT_EQ(big.to_host()[i * 16 + j], host[i * 16 + j] > 0);
    }
  }
}

TEST(Ranks, ZeroToSix) {
  auto r0 = kernel("r0", [](Out<i32> y, In<i32> x) { y.store(x[y] * 2 + x() + 1); });
  const auto x0 = Tensor<i32, 0>::from_host(test_device(), {}, {5});
  expect_same(r0(Tensor<i32, 0>::zeros(test_device(), {}), x0).sync().to_host(), std::vector<i32>{16});
  auto constant = kernel("constant", [](Out<f32> y) { y.store(2.5); });
  expect_same(constant(Tensor<f32, 0>::zeros(test_device(), {})).sync().to_host(), std::vector<f32>{2.5});

  auto r6 = kernel("r6", [](Out<i32, 2, 1, 2, 4, 1, 2> y, In<i32, 2, 1, 2, 4, 1, 2> x) {
    y.store(x[y] + cast<i32>(y.at(0) * 100000 + y.at(1) * 10000 + y.at(2) * 1000 + y.at(3) * 100 + y.at(4) * 10 + y.at(5)));
  });
  const i64 e[] = {3, 2, 3, 5, 2, 3};
  const auto host = some<i32>(3 * 2 * 3 * 5 * 2 * 3, 0, 9);
  const auto x = Tensor<i32, 6>::from_host(test_device(), {3, 2, 3, 5, 2, 3}, host);
  std::vector<i32> want;
  for (int a = 0, n = 0; a < e[0]; ++a)
    for (int b = 0; b < e[1]; ++b)
      for (int c = 0; c < e[2]; ++c)
        for (int d = 0; d < e[3]; ++d)
          for (int f = 0; f < e[4]; ++f)
            for (int g = 0; g < e[5]; ++g)
              want.push_back(host[n++] + a / 2 * 100000 + b * 10000 + c / 2 * 1000 + d / 4 * 100 + f * 10 + g / 2);
  expect_same(r6(Tensor<i32, 6>::zeros(test_device(), {3, 2, 3, 5, 2, 3}), x).sync().to_host(), want);

  auto r3 = kernel("r3", [](Out<f64, 2, 4, 8> y, In<f64, 2, 4, 8> x) { y.store(cumsum<2>(x[y])); });
  const auto h3 = some<f64>(3 * 5 * 11, -9, 9);
  const auto x3 = Tensor<f64, 3>::from_host(test_device(), {3, 5, 11}, h3);
  auto w3 = h3;
  for (int line = 0; line < 15; ++line)
    for (int i = 1; i < 11; ++i)
      if (i % 8)
        w3[line * 11 + i] += w3[line * 11 + i - 1];
  expect_same(r3(Tensor<f64, 3>::zeros(test_device(), {3, 5, 11}), x3).sync().to_host(), w3);
}

TEST(Extents, EmptyTensors) {
  auto k = kernel("empty", [](Out<f32, 4, 8> y, In<f32, 4, 8> x, In<f32, 8> bias) { y.store(x[y] + bias(y.col())); });
  const auto run = [&](i64 rows, i64 columns) {
    const auto x = Tensor<f32, 2>::zeros(test_device(), {rows, columns});
    const auto bias = Tensor<f32, 1>::zeros(test_device(), {columns});
    const auto y = k(Tensor<f32, 2>::zeros(test_device(), {rows, columns}), x, bias).sync();
    EXPECT_EQ(y.extent(0), rows);
    EXPECT_EQ(y.extent(1), columns);
    EXPECT_TRUE(y.to_host().empty());
  };
  run(0, 5);
  run(5, 0);
  run(0, 0);
  // Reading an empty tensor gives pads; a loop over its tiles runs not at all.
  auto sums = kernel("sums", [](Out<f32, 4> y, In<f32, 8> x) {
    auto total = full<f32, 4>(1);
    for (auto i : x.tiles(0))
      total += sum<0>(x(i));
    y.store(total + sum<0>(x.load_or(0, 2, or_padding)));
  });
  const auto nothing = Tensor<f32, 1>::zeros(test_device(), {0});
  expect_same(sums(Tensor<f32, 1>::zeros(test_device(), {3}), nothing).sync().to_host(), std::vector<f32>(3, 17));
  auto pieces = kernel("empty_pieces", [](OutTiles<f32, 4> y) {
    for (auto t : y.my_tiles())
      t.store(ones<f32, 4>());
  });
  EXPECT_TRUE(pieces(Tensor<f32, 1>::zeros(test_device(), {0})).sync().to_host().empty());
  EXPECT_TRUE(pieces(Tensor<f32, 1>::zeros(test_device(), {0})).programs(3).sync().to_host().empty());
}

TEST(Extents, OneElement) {
  auto k =
      kernel("one", [](Out<f32, 16, 16> y, In<f32, 16, 16> x) { y.store(broadcast<16, 16>(sum<0>(sum<1>(x.load_or(y, 1))))); });
  const auto x = Tensor<f32, 2>::from_host(test_device(), {1, 1}, {41});
  expect_same(k(Tensor<f32, 2>::zeros(test_device(), {1, 1}), x).sync().to_host(), std::vector<f32>{41 + 255});
}

template <class T> void check_copy() {
  SCOPED_TRACE(name(dtype_of<T>::value));
  auto k = kernel("copy", [](Out<T, 4, 8> y, In<T, 4, 8> x) { y.store(x[y]); });
  auto t = kernel("copy_transposed", [](Out<T, 8, 4> y, In<T, 4, 8> x) { y.store(transpose(x(y.col(), y.row()))); });
  const auto host = some<T>(9 * 13, 0, std::is_same_v<T, bool> ? 1 : 9);
  const auto x = Tensor<T, 2>::from_host(test_device(), {9, 13}, host);
  expect_same(k(Tensor<T, 2>::uninit(test_device(), {9, 13}), x).sync().to_host(), host);
  Host<T> transposed;
  for (int j = 0; j < 13; ++j)
    for (int i = 0; i < 9; ++i)
      transposed.push_back(host[i * 13 + j]);
  expect_same(t(Tensor<T, 2>::uninit(test_device(), {13, 9}), x).sync().to_host(), transposed);
}
TEST(Types, EveryOneIsLoadedAndStored) {
  check_copy<f64>();
  check_copy<f32>();
  check_copy<f16>();
  check_copy<bf16>();
  check_copy<f8e4m3>();
  check_copy<f8e5m2>();
  check_copy<f8e8m0>();
  check_copy<i64>();
  check_copy<i32>();
  check_copy<i16>();
  check_copy<i8>();
  check_copy<u64>();
  check_copy<u32>();
  check_copy<u16>();
  check_copy<u8>();
  check_copy<bool>();
}

TEST(Types, ScalarsOfEveryKind) {
  auto k = kernel("scalars", [](Out<f64, 16> y, Scalar<f64> a, Scalar<f32> b, Scalar<f16> c, Scalar<bf16> d, Scalar<i64> e,
                                Scalar<i32> f, Scalar<i16> g, Scalar<i8> h, Scalar<u64> i, Scalar<u32> j, Scalar<u16> l,
                                Scalar<u8> m, Scalar<bool> n, Scalar<f8e4m3> o, Scalar<f8e5m2> p, Scalar<f8e8m0> q) {
    auto r = zeros<f64, 16>();
    int at = 0;
    const auto put = [&](const auto& value) { r = insert(r, full<f64, 1>(cast<f64>(value)), at++); };
    put(a), put(b), put(c), put(d), put(e), put(f), put(g), put(h), put(i), put(j), put(l), put(m), put(n), put(o), put(p), put(q);
    y.store(r);
  });
  const auto got = k(Tensor<f64, 1>::zeros(test_device(), {16}), -1.1, 0.1f, 1.5, f32(bf16(0.1f)), INT64_MIN + 1024, INT32_MIN,
                     -32768, -128, UINT64_MAX, UINT32_MAX, 65535, 255, true, 448, -0.5f, 0.25)
                       .sync()
                       .to_host();
  expect_same(got, std::vector<f64>{-1.1, f64(0.1f), 1.5, f64(f32(bf16(0.1f))), f64(INT64_MIN + 1024), f64(INT32_MIN), -32768, -128,
                                    f64(UINT64_MAX), f64(UINT32_MAX), 65535, 255, 1, 448, -0.5, 0.25});
}

} // namespace
} // namespace tegula::test

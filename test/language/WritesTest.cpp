// A program that writes an element more than once: what it wrote last stays, whichever of its threads wrote before.
#include "Language.h"

namespace tegula::test {
namespace {

constexpr int n = 2048, piece = 128; // several warps to a tile

Host<i32> counted(int count, int from = 0) {
  Host<i32> r(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    r[i] = from + i;
  return r;
}
/// All positions below `count`, in an order of which neighbours are far apart.
Host<i32> mixed(int count) {
  return map([&](i32 i) { return (i * 1237 + 11) % count; }, counted(count));
}
Tensor<i32, 1> on_device(const Host<i32>& x) { return Tensor<i32, 1>::from_host(test_device(), {static_cast<i64>(x.size())}, x); }
Certified<i32, 1> distinct_positions(const Host<i32>& x, i64 bound) {
  return Certified<i32, 1>::from_host(test_device(), {static_cast<i64>(x.size())}, x, bound, distinct);
}
Host<i32> scattered(Host<i32> into, const Host<i32>& positions, const Host<i32>& values) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    into[positions[i]] = values[i];
  return into;
}

TEST(Writes, FillThenScatter) {
  auto k = kernel("fill_then_scatter", [](Patch<i32, n> out, In<i32, n> v, DistinctIndex<i32, n> x) {
    expects(programs() == 1, "one program");
    out.tile(0).store(full<i32, n>(-1));
    scatter<0>(out, x(0), v(0));
  });
  const Host<i32> at = mixed(n), values = counted(n);
  const auto v = on_device(values);
  const auto x = distinct_positions(at, n);
  auto out = Tensor<i32, 1>::zeros(test_device(), {n});
  expect_same(k(std::move(out), v, x).programs(1).sync().to_host(), scattered(Host<i32>(n), at, values));
}

TEST(Writes, ScatterThenFill) {
  auto k = kernel("scatter_then_fill", [](Patch<i32, 1, n> out, In<i32, 1, n> v, DistinctIndex<i32, n> x) {
    for (auto r : range(this_program(), out.extent(0), programs())) {
      scatter<1>(out, x(0), v(r, 0), r);
      out.tile(r, 0).store(full<i32, 1, n>(5));
    }
  });
  const auto v = Tensor<i32, 2>::full(test_device(), {3, n}, 1);
  const auto x = distinct_positions(mixed(n), n);
  auto out = Tensor<i32, 2>::zeros(test_device(), {3, n});
  expect_same(k(std::move(out), v, x).programs(2).sync().to_host(), Host<i32>(3 * n, 5));
}

TEST(Writes, ScattersInALoop) {
  auto k = kernel("scatters", [](Patch<i32, n> out, In<i32, n> v, DistinctIndex<i32, n> x) {
    expects(programs() == 1, "one program");
    for (auto i : x.tiles(0))
      scatter<0>(out, x(i) / 2, v(i));
    for (auto i : v.tiles(0))
      scatter<0>(out, x(0), v(i));
  });
  const Host<i32> at = mixed(n);
  const auto v = on_device(counted(3 * n));
  const auto x = distinct_positions(at, n);
  auto out = Tensor<i32, 1>::zeros(test_device(), {n});
  expect_same(k(std::move(out), v, x).programs(1).sync().to_host(), scattered(Host<i32>(n), at, counted(n, 2 * n)));
}

TEST(Writes, BranchesInALoop) {
  auto k = kernel("branches", [](Patch<i32, n> out, In<i32, n> v, DistinctIndex<i32, n> x, Scalar<i64> turns) {
    expects(programs() == 1, "one program");
    expects(turns <= v.count(0), "a tile for each turn");
    for (auto i : range(turns))
      if_(
          i % 2 == 0, [&] { scatter<0>(out, x(0), v(i)); },
          [&] {
            out.tile(0).store(full<i32, n>(-1));
            if_(i == 3, [&] { scatter<0>(out, x(0), v(i)); });
          });
  });
  const Host<i32> at = mixed(n), filled(n, -1);
  const auto v = on_device(counted(5 * n));
  const auto x = distinct_positions(at, n);
  for (int turns : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(turns);
    auto out = Tensor<i32, 1>::zeros(test_device(), {n});
    expect_same(k(std::move(out), v, x, turns).programs(1).sync().to_host(),
                turns == 2 ? filled : scattered(filled, at, counted(n, (turns - 1) * n)));
  }
}

TEST(Writes, WholeThenPieces) {
  auto k = kernel("whole_then_pieces", [](OutTiles<i32, n> out, In<i32, n> v) {
    for (auto i : range(this_program(), out.count(0), programs())) {
      out.tile(i).store(v(i));
      auto again = out.tile(i);
      for (auto t : split<piece>(again))
        t.store(full<i32, piece>(-1));
    }
  });
  const auto v = on_device(counted(2 * n + 100));
  auto out = Tensor<i32, 1>::uninit(test_device(), {2 * n + 100});
  expect_same(k(std::move(out), v).programs(2).sync().to_host(), Host<i32>(2 * n + 100, -1));
}

TEST(Writes, PiecesThenWhole) {
  auto k = kernel("pieces_then_whole", [](OutTiles<i32, n> out, In<i32, n> v) {
    for (auto i : range(this_program(), out.count(0), programs())) {
      auto first = out.tile(i);
      for (auto t : split<piece>(first))
        t.store(full<i32, piece>(-1));
      out.tile(i).store(v(i));
    }
  });
  const auto v = on_device(counted(2 * n + 100));
  auto out = Tensor<i32, 1>::uninit(test_device(), {2 * n + 100});
  expect_same(k(std::move(out), v).programs(2).sync().to_host(), counted(2 * n + 100));
}

TEST(Writes, PiecesOfOneSizeAndTwoShapes) {
  auto k = kernel("two_splits", [](OutTiles<i32, 64, 64> out) {
    for (auto i : range(this_program(), out.count(0), programs())) {
      auto rows = out.tile(i, 0);
      for (auto t : split<16, 64>(rows))
        t.store(full<i32, 16, 64>(-1));
      auto columns = out.tile(i, 0);
      for (auto t : split<64, 16>(columns))
        t.store(iota<i32, 64, 16>(0) * 64 + iota<i32, 64, 16>(1) + 16 * cast<i32>(t.within(1)));
    }
  });
  auto out = Tensor<i32, 2>::uninit(test_device(), {128, 64});
  Host<i32> want = counted(4096);
  want.insert(want.end(), want.begin(), want.begin() + 4096);
  expect_same(k(std::move(out)).programs(1).sync().to_host(), want);
}

TEST(Writes, FillThenProduct) {
  constexpr int m = 64;
  auto k = kernel("fill_then_product", [](Patch<f32, m, m> out, In<f16, m, m> a, Scalar<i64> upto) {
    for (auto i : range(this_program(), out.count(0), programs())) {
      out.tile(i, 0).store(full<f32, m, m>(-1.0));
      if_(i < upto, [&] { out.tile(i, 0).store(mma(a(i, 0), a(0, 0), zeros<f32, m, m>())); });
      if_(i == 1, [&] { out.tile(i, 0).store(full<f32, m, m>(7.0)); });
    }
  });
  const auto a = Tensor<f16, 2>::full(test_device(), {3 * m, m}, f16(1.f));
  Host<f32> want(m * m, 64.f);
  want.resize(2 * m * m, 7.f);
  want.resize(3 * m * m, -1.f);
  auto out = Tensor<f32, 2>::zeros(test_device(), {3 * m, m});
  expect_same(k(std::move(out), a, 2).programs(2).sync().to_host(), want);
}

TEST(Writes, ProductThenScatter) {
  constexpr int m = 64;
  auto k = kernel("product_then_scatter", [](Patch<f32, m, m> out, In<f16, m, m> a, DistinctIndex<i32, m> x) {
    expects(programs() == 1, "one program");
    out.tile(0, 0).store(mma(a(0, 0), a(0, 0), zeros<f32, m, m>()));
    scatter<0>(out, x(0), full<f32, m, m>(5.0), 0);
  });
  const auto a = Tensor<f16, 2>::full(test_device(), {m, m}, f16(1.f));
  const auto x = distinct_positions(mixed(m), m);
  auto out = Tensor<f32, 2>::zeros(test_device(), {m, m});
  expect_same(k(std::move(out), a, x).programs(1).sync().to_host(), Host<f32>(m * m, 5.f));
}

TEST(Writes, InPlaceByPieces) {
  auto k = kernel("in_place", [](InOut<i32, 64, 64> c, Out<i32, 64, 64> copy) {
    auto turned = transpose(c.load());
    for (auto t : split<16, 64>(c))
      t.store(extract<16, 64>(turned, t.within(0), t.within(1)));
    copy.store(transpose(c.load()));
  });
  const Host<i32> x = counted(4096);
  Host<i32> turned(4096);
  for (int i = 0; i < 4096; ++i)
    turned[i] = x[i % 64 * 64 + i / 64];
  auto [c, copy] = k(Tensor<i32, 2>::from_host(test_device(), {64, 64}, x), Tensor<i32, 2>::uninit(test_device(), {64, 64})).sync();
  expect_same(c.to_host(), turned);
  expect_same(copy.to_host(), x);
}

// Positions that differ where the tensor has any, and are all the same beyond it.
template <class F> void check_padded(F, int pad) {
  SCOPED_TRACE(pad);
  auto k = kernel("padded", [](Patch<i32, 1> out, In<i32, n> v, DistinctIndex<i32, n> x) {
    expects(programs() == 1, "one program");
    scatter<0>(out, F{}(x), v(0));
  });
  constexpr int count = 100, size = 512;
  const Host<i32> values = counted(n);
  Host<i32> want = scattered(Host<i32>(size, -1), counted(count), values);
  if (pad >= 0)
    want[pad] = n - 1;
  const auto v = on_device(values);
  const auto x = distinct_positions(counted(count), size);
  expect_same(k(Tensor<i32, 1>::full(test_device(), {size}, -1), v, x).programs(1).sync().to_host(), want);
}
TEST(Writes, PaddedPositions) {
  check_padded([](const auto& x) { return x.load_or(0, 0); }, 0);
  check_padded([](const auto& x) { return x.load_or(0, 77); }, 77);
  check_padded([](const auto& x) { return x.load_or(0, -1); }, -1);
  check_padded([](const auto& x) { return x(0); }, -1);
}

} // namespace
} // namespace tegula::test

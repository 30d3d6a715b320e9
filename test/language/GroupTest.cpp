// Groups: one kernel over a list of tensors, each with extents of its own.
#include "Language.h"

namespace tegula::test {
namespace {

template <int N> void products(Group<OutTiles<f32, 16, 16>, N> c, Group<In<f32, 16, 8>, N> a, Group<In<f32, 8, 16>, N> b) {
  for (int g = 0; g < N; ++g) {
    expects(a[g].extent(0) == c[g].extent(0) && b[g].extent(0) == a[g].extent(1) && b[g].extent(1) == c[g].extent(1),
            "the factors fit");
    for (auto t : c[g].my_tiles()) {
      auto sum = zeros<f32, 16, 16>();
      for (auto k : a[g].cols())
        sum = mma(a[g](t.row(), k), b[g](k, t.col()), sum);
      t.store(sum);
    }
  }
}

struct Problem {
  i64 m, n, k;
  Host<f32> x = some<f32>(m * k, -3, 3, u32(m)), y = some<f32>(k * n, -3, 3, u32(n));

  Tensor<f32, 2> a() const { return Tensor<f32, 2>::from_host(test_device(), {m, k}, x); }
  Tensor<f32, 2> b() const { return Tensor<f32, 2>::from_host(test_device(), {k, n}, y); }
  auto c() const { return Tensor<f32, 2>::uninit(test_device(), {m, n}); }
  Host<f32> product() const {
    Host<f32> sums(static_cast<std::size_t>(m * n));
    for (i64 i = 0; i < m; ++i)
      for (i64 j = 0; j < n; ++j)
        for (i64 l = 0; l < k; ++l)
          sums[i * n + j] += x[i * k + l] * y[l * n + j];
    return sums;
  }
};

TEST(Group, ProductsOfDifferentExtents) {
  const Problem p{37, 50, 21}, q{5, 3, 9}, r{1, 70, 1};
  const auto k = kernel<products<3>>("products");
  const auto a0 = p.a(), a1 = q.a(), a2 = r.a(), b0 = p.b(), b1 = q.b(), b2 = r.b();
  for (i64 programs : {0, 1, 5}) {
    const auto c = k(group(p.c(), q.c(), r.c()), group(a0, a1, a2), group(b0, b1, b2)).programs(programs).sync();
    static_assert(std::is_same_v<decltype(c), const std::array<Tensor<f32, 2>, 3>>);
    expect_same(c[0].to_host(), p.product());
    expect_same(c[1].to_host(), q.product());
    expect_same(c[2].to_host(), r.product());
  }
}

TEST(Group, OfOne) {
  const Problem p{17, 18, 19};
  const auto a = p.a(), b = p.b();
  const auto c = kernel<products<1>>("products")(group(p.c()), group(a), group(b)).sync();
  expect_same(c[0].to_host(), p.product());
}

TEST(Group, EmptyMembers) {
  const Problem p{20, 7, 5}, none{0, 7, 5}, zero{9, 20, 0};
  const auto a0 = none.a(), a1 = p.a(), a2 = zero.a(), b0 = none.b(), b1 = p.b(), b2 = zero.b();
  const auto c = kernel<products<3>>("products")(group(none.c(), p.c(), zero.c()), group(a0, a1, a2), group(b0, b1, b2)).sync();
  EXPECT_EQ(c[0].size(), 0);
  expect_same(c[1].to_host(), p.product());
  expect_same(c[2].to_host(), Host<f32>(9 * 20));
}

TEST(Group, AnythingThatAMemberTakes) {
  const Problem p{20, 7, 5}, q{5, 33, 12};
  const auto a = p.a(), transposed = Tensor<f32, 2>::from_host(test_device(), {12, 5}, [&] {
                          Host<f32> x(60);
                          for (int i = 0; i < 5; ++i)
                            for (int l = 0; l < 12; ++l)
                              x[l * 5 + i] = q.x[i * 12 + l];
                          return x;
                        }());
  const auto b = q.b().share();
  const auto view = a.view();
  const auto c =
      kernel<products<2>>("products")(group(p.c(), q.c()), group(view, transposed.view().transpose()), group(p.b().share(), b))
          .sync();
  expect_same(c[0].to_host(), p.product());
  expect_same(c[1].to_host(), q.product());
}

TEST(Group, OwnsSharedInputs) {
  const Problem p{20, 7, 5}, q{5, 33, 12};
  auto op = [&] {
    return kernel<products<2>>("products")(group(p.c(), q.c()), group(p.a().share(), q.a().share()),
                                           group(p.b().share(), q.b().share()));
  }();
  auto moved = std::move(op);
  const auto c = std::move(moved).sync();
  expect_same(c[0].to_host(), p.product());
  expect_same(c[1].to_host(), q.product());
}

TEST(Group, NamedForSeveralLaunches) {
  const Problem p{20, 7, 5}, q{5, 33, 12};
  const auto a0 = p.a(), a1 = q.a(), b0 = p.b(), b1 = q.b();
  const auto a = group(a0, a1);
  auto b = group(b0, b1);
  for (int i = 0; i < 2; ++i) {
    const auto c = kernel<products<2>>("products")(group(p.c(), q.c()), a, b).sync();
    expect_same(c[1].to_host(), q.product());
  }
}

TEST(Group, BesideOtherParameters) {
  const auto k = kernel("pick", [](Group<OutTiles<i32, 8>, 2> y, Scalar<i32> base, Group<Index<i32, 8>, 2> x, In<i32, 8> table,
                                   Group<Scalar<i32>, 2> factor, AddInto<i32, 1> total, Group<Offsets<i64>, 1> o) {
    for (int g = 0; g < 2; ++g) {
      expects(x[g].bound() <= table.extent(0), "positions are in the table");
      for (auto t : y[g].my_tiles()) {
        auto v = gather<0>(table, x[g][t]) * factor[g] + base;
        t.store(v);
        total.accumulate(reshape<1>(sum<0>(select(iota<i64, 8>() + t.at(0) * 8 < t.extent(0), v, 0))), 0);
      }
    }
    if_(this_program() == 0, [&] { total.accumulate(cast<i32>(reshape<1>(o[0].bound())), 0); });
  });
  const Device device = test_device();
  const Host<i32> table = some<i32>(30, -50, 50), x0 = some<i32>(11, 0, 29, 2), x1 = some<i32>(40, 0, 29, 3);
  const auto positions = [&](const Host<i32>& x) {
    return Certified<i32, 1>::from_host(device, {static_cast<i64>(x.size())}, x, 30);
  };
  const auto t = Tensor<i32, 1>::from_host(device, {30}, table);
  const auto named = positions(x0);
  const auto offsets = Certified<i64, 1>::from_host(device, {2}, std::vector<i64>{0, 1000}, 1000, as_offsets);
  auto [y, total] = k(group(Tensor<i32, 1>::uninit(device, {11}), Tensor<i32, 1>::uninit(device, {40})), 7,
                      group(named, positions(x1)), t, group(2, -1), Tensor<i32, 1>::zeros(device, {1}), group(offsets))
                        .programs(3)
                        .sync();
  const auto want0 = map([&](i32 i) { return table[i] * 2 + 7; }, x0), want1 = map([&](i32 i) { return 7 - table[i]; }, x1);
  expect_same(y[0].to_host(), want0);
  expect_same(y[1].to_host(), want1);
  i32 sum = 1000;
  for (i32 v : want0)
    sum += v;
  for (i32 v : want1)
    sum += v;
  EXPECT_EQ(total.to_host(), Host<i32>{sum});
}

TEST(Group, OfEveryOtherOutput) {
  const auto k = kernel(
      "outputs", [](Group<Out<i32, 4>, 2> a, Group<InOut<i32, 4>, 2> b, Group<Patch<i32, 4>, 2> c, Group<MaxInto<i32, 4>, 2> d) {
        for (int g = 0; g < 2; ++g) {
          auto v = iota<4>() + g * 10;
          a[g].store(v);
          b[g].store(b[g].load() + v);
          c[g].tile(this_program()).store(v);
          d[g].accumulate(v, this_program());
        }
      });
  const Device device = test_device();
  const auto sevens = [&] { return Tensor<i32, 1>::full(device, {6}, 7); };
  auto [a, b, c, d] =
      k(group(sevens(), sevens()), group(sevens(), sevens()), group(sevens(), sevens()), group(sevens(), sevens())).sync();
  EXPECT_EQ(a[1].to_host(), (Host<i32>{10, 11, 12, 13, 10, 11}));
  EXPECT_EQ(b[0].to_host(), (Host<i32>{7, 8, 9, 10, 7, 8}));
  EXPECT_EQ(c[0].to_host(), (Host<i32>{0, 1, 2, 3, 0, 1}));
  EXPECT_EQ(d[1].to_host(), (Host<i32>{10, 11, 12, 13, 10, 11}));
  EXPECT_EQ(d[0].to_host(), Host<i32>(6, 7));
}

TEST(Group, ComesBackFromCancel) {
  const Problem p{20, 7, 5}, q{5, 33, 12};
  const auto a0 = p.a(), a1 = q.a(), b0 = p.b(), b1 = q.b();
  auto op = kernel<products<2>>("products")(group(p.c(), q.c()), group(a1, a0), group(b0, b1));
  const std::string message = message_of<LaunchError>([&] { std::move(op).sync(); });
  EXPECT_NE(message.find("the factors fit"), std::string::npos) << message;
  auto c = std::move(op).cancel();
  EXPECT_EQ(c[0].shape(), (Extents<2>{20, 7}));
  EXPECT_EQ(c[1].shape(), (Extents<2>{5, 33}));
}

TEST(Group, TensorsThatAreGone) {
  const Problem p{20, 7, 5};
  const auto b = p.b();
  const auto k = kernel<products<1>>("products");
  const auto lost = [&] {
    auto a = p.a();
    return group(a); // NOLINT: the mistake
  };
  const auto a = lost();
  const std::string outdated = message_of<LaunchError>([&] { k(group(p.c()), a, group(b)).sync(); });
  EXPECT_NE(outdated.find("parameter 2 is a view of a tensor that has been moved, assigned, lent or destroyed since"),
            std::string::npos)
      << outdated;
  auto empty = p.a();
  const auto taken = std::move(empty);
  EXPECT_NE(message_of<Error>([&] { k(group(p.c()), group(empty), group(b)).sync(); }).find("moved from"), std::string::npos);
}

TEST(Group, ProgramsForAllTilesTogether) {
  const auto k = kernel("numbers", [](Group<OutTiles<i64, 4>, 3> y) {
    for (int g = 0; g < 3; ++g)
      for (auto t : y[g].my_tiles())
        t.store(full<i64, 4>(programs()));
  });
  const auto run = [&](const Device& device, i64 asked) {
    const auto piece = [&](i64 n) { return Tensor<i64, 1>::uninit(device, {n}); };
    return k(group(piece(9), piece(0), piece(6))).programs(asked).sync()[0].to_host()[0];
  };
  for (int threads : {2, 4, 64}) {
    const Device device = test_device(threads);
    EXPECT_EQ(run(device, 7), 7);
    EXPECT_EQ(run(device, 0), std::min(device.parallelism(), 5)) << "3 tiles, none and 2";
  }
}

} // namespace
} // namespace tegula::test

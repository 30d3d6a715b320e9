// Fingerprints: equal whatever the order of evaluation, different for different kernels.
#include "Tracing.h"

#include <set>

namespace tegula::trace {
namespace {

TEST(Fingerprint, DoesNotDependOnTheOrderOfArguments) {
  const Record left = traced([](Out<f32, 8> c, In<f32, 8> a, In<f32, 8> b) {
    auto x = exp(a[c]);
    auto y = log(b[c]);
    c.store(x - y);
  });
  const Record right = traced([](Out<f32, 8> c, In<f32, 8> a, In<f32, 8> b) {
    auto y = log(b[c]);
    auto x = exp(a[c]);
    c.store(x - y);
  });
  const Record nested = traced([](Out<f32, 8> c, In<f32, 8> a, In<f32, 8> b) { c.store(exp(a[c]) - log(b[c])); });
  EXPECT_NE(left.str(), right.str());
  EXPECT_EQ(left.fingerprint(), right.fingerprint());
  EXPECT_EQ(left.fingerprint(), nested.fingerprint());
}

TEST(Fingerprint, DoesNotDependOnTheOrderOfCarriedValues) {
  const Record one = traced([](Out<f32> c, Scalar<i64> n) {
    Scalar<f32> x = 1;
    Scalar<f32> y = 2;
    for (auto _ : range(n)) {
      auto t = x + y;
      x = y * 2;
      y = t;
    }
    c.store(x - y);
  });
  const Record two = traced([](Out<f32> c, Scalar<i64> n) {
    Scalar<f32> y = 2;
    Scalar<f32> x = 1;
    for (auto _ : range(n)) {
      auto t = y * 2;
      y = x + y;
      x = t;
    }
    c.store(x - y);
  });
  EXPECT_EQ(one.fingerprint(), two.fingerprint());
}

TEST(Fingerprint, WhileAndIfInEitherOrder) {
  const Record one = traced([](Out<f32> c, Scalar<f32> s) {
    Scalar<f32> x = 1, y = 2;
    for (auto _ : loop_while([&] { return x < s; })) {
      x = x * 2;
      y = y + x;
    }
    if_(s > 0, [&] { x = y; }, [&] { y = x * x; });
    c.store(x - y);
  });
  const Record two = traced([](Out<f32> c, Scalar<f32> s) {
    Scalar<f32> y = 2, x = 1;
    for (auto _ : loop_while([&] { return x < s; })) {
      auto t = x * 2;
      y = y + t;
      x = t;
    }
    if_(s > 0, [&] { x = y; }, [&] { y = x * x; });
    c.store(x - y);
  });
  EXPECT_EQ(one.fingerprint(), two.fingerprint());
}

TEST(Fingerprint, IgnoresNamesAndUnusedValues) {
  const auto kernel = [](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); };
  EXPECT_EQ(traced(kernel, "one").fingerprint(), traced(kernel, "two").fingerprint());
  EXPECT_EQ(traced(kernel).fingerprint(), traced([](Out<f32, 8> c, In<f32, 8> a) {
                                            auto x = a[c];
                                            auto unused = exp(x) + a(7, or_padding);
                                            c.store(x);
                                          }).fingerprint());
}

TEST(Fingerprint, DiffersForDifferentKernels) {
  std::set<std::uint64_t> all;
  int count = 0;
  const auto add = [&](const Record& r) {
    all.insert(r.fingerprint());
    ++count;
  };
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 16> c, In<f32, 16> a) { c.store(a[c]); }));
  add(traced([](Out<f16, 8> c, In<f16, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] + 1); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] + 2); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] - 1); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(1 - a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a(0)); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, In<f32, 8>) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8>, In<f32, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(broadcast<8>(sum<0>(a[c]))); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(broadcast<8>(max<0>(a[c]))); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    print("a", a[c]);
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    c.store(a[c]);
    print("a", a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto unused = extract<4>(a[c], 9); // fails the launch
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto unused = a(9); // may be refused
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    for (auto i : range(n))
      auto unused = a(i);
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    for (auto _ : range(0, 8, n)) { // a step below 1 fails the launch
    }
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      x += y;
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      y += x;
    c.store(y + x - x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      std::swap(x, y);
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c];
    if_(n > 0, [&] { x = a(0); });
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a(0);
    if_(n > 0, [&] { x = a[c]; });
    c.store(x);
  }));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
}

TEST(Fingerprint, DiffersByKindBoundsAndEffects) {
  std::set<std::uint64_t> all;
  int count = 0;
  const auto add = [&](const Record& r) {
    all.insert(r.fingerprint());
    ++count;
  };
  add(traced([](Outs<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0)); }));
  add(traced([](Outs<f32, 8> c, In<f32, 8> a) { c.tile(0, unsafe("alone")).store(a(0)); }));
  add(traced([](Outs<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0, or_padding)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) { c.scatter(axis<0>, iota<8>(), a(0)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) {
    c.scatter(axis<0>, iota<8>(), a(0));
    c.scatter(axis<0>, iota<8>(), a(0));
  }));
  add(traced([](AddInto<i32, 8> c, In<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) { c.accumulate_at(axis<0>, iota<8>(), a(0)); }));
  add(traced([](MaxInto<i32, 8> c, Index<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, DistinctIndex<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) {
    expects(a.dim(0) == c.dim(0), "equal");
    c.accumulate(a(0), 0);
  }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) {
    expects(a.dim(0) <= c.dim(0), "equal");
    c.accumulate(a(0), 0);
  }));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
}

TEST(Fingerprint, OrdersLoadsWithStoresOfTheSameTile) {
  const Record before = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto old = x.load();
    x.store(old * 2);
    y.store(old);
  });
  const Record after = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto old = x.load();
    x.store(old * 2);
    y.store(x.load());
  });
  EXPECT_NE(before.fingerprint(), after.fingerprint());
  const Record once = traced([](InOut<f32, 8> x, Out<f32, 4> y) {
    auto old = extract<4>(x.load(), 0);
    for (auto t : split<4>(x))
      t.store(old);
    y.store(old);
  });
  const Record each = traced([](InOut<f32, 8> x, Out<f32, 4> y) {
    auto old = extract<4>(x.load(), 0);
    for (auto t : split<4>(x))
      t.store(extract<4>(x.load(), 0));
    y.store(old);
  });
  EXPECT_NE(once.fingerprint(), each.fingerprint());
}

TEST(Fingerprint, DoesNotDependOnTheOrderOfLoadsBetweenStores) {
  const Record left = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto a = x.load();
    auto b = y.load();
    x.store(a - b);
    y.store(b);
  });
  const Record right = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto b = y.load();
    auto a = x.load();
    x.store(a - b);
    y.store(b);
  });
  EXPECT_NE(left.str(), right.str());
  EXPECT_EQ(left.fingerprint(), right.fingerprint());
}

TEST(Fingerprint, OfALongChainNeedsNoDeepStack) {
  const Record record = traced([](Out<f32> c, Scalar<f32> s) {
    auto x = s;
    for (int i = 0; i < 200'000; ++i)
      x = x * s;
    c.store(x);
  });
  EXPECT_NE(record.fingerprint(), 0u);
}

} // namespace
} // namespace tegula::trace

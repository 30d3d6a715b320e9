// Tiles are ordinary C++ objects: passed to functions, kept in structs, arrays, tuples and lambdas.
#include "Tracing.h"

#include <array>
#include <vector>

namespace tegula::trace {
namespace {

template <class T, int... D> Tile<T, D...> square(const Tile<T, D...>& x) { return x * x; }
template <int... D> void accumulate(Tile<f32, D...>& total, const Tile<f32, D...>& x) { total += square(x); }

struct Softmax {
  Tile<f32, 16, 1> top = full<f32, 16, 1>(-1e30), total = zeros<f32, 16, 1>();
  void add(const Tile<f32, 16, 64>& s) {
    auto next = maximum(top, max<1>(s));
    total = total * exp(top - next) + sum<1>(exp(s - next));
    top = next;
  }
};

TEST(Values, HelpersAssignThroughReferences) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    auto total = zeros<f32, 64>();
    for (auto i : a.rows())
      accumulate(total, a(i));
    c.store(total);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 1u);
}

TEST(Values, StructsWithMethods) {
  const Record record = traced([](Out<f32, 16, 1> c, In<f32, 16, 64> a) {
    Softmax state;
    for (auto j : a.cols())
      state.add(a(c.row(), j));
    c.store(state.total);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 2u);
}

TEST(Values, Arrays) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    Tile<f32, 64> x[2] = {zeros<f32, 64>(), ones<f32, 64>()};
    std::array<Tile<f32, 64>, 2> y{a[c], a[c]};
    std::vector<Tile<f32, 64>> z(3, a[c]);
    for (auto i : a.rows()) {
      for (int k = 0; k < 2; ++k)
        x[k] += a(i) * y[1 - k];
      z[2] = x[0] + z[1];
    }
    c.store(x[0] + x[1] + z[2]);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 3u); // x[0], x[1], z[2]
}

TEST(Values, Tuples) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    std::tuple state{zeros<f32, 64>(), Scalar<f32>(1)};
    for (auto i : a.rows()) {
      auto& [total, weight] = state;
      total += a(i) * weight;
      weight *= 0.5;
    }
    c.store(std::get<0>(state));
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 2u);
}

TEST(Values, LambdasCaptureByReferenceAndCopy) {
  const Record record = traced([](Out<f32, 64> c, In<f32, 64> a) {
    auto total = zeros<f32, 64>();
    auto bias = a[c];
    auto step = [&total, bias](const Tile<f32, 64>& x) { total += x + bias; };
    for (auto i : a.rows())
      step(a(i));
    c.store(total);
  });
  EXPECT_EQ(find(record, "scf.for")[0]->results.size(), 1u);
}

TEST(Values, CopiesAreIndependent) {
  EXPECT_EQ(body(traced([](Out<f32> c, Scalar<f32> s) {
              auto x = s;
              auto y = x;
              x += 1;
              c.store(x * y);
            })),
            R"(  %3 = tile.constant {value = 1} : f32
  %4 = tile.add %2, %3 : f32
  %5 = tile.mul %4, %2 : f32
  tile.store %5, %1
)");
}

TEST(Values, ScalarsFromHostNumbers) {
  const Record record = traced([](Out<f32> c, Scalar<f32> s) {
    auto twice = [](const Scalar<f32>& x) { return x * 2; };
    c.store(twice(3.5f) + s);
  });
  EXPECT_EQ(std::get<double>(find(record, "tile.constant")[0]->attributes[0].value), 3.5);
}

} // namespace
} // namespace tegula::trace

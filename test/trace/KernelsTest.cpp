// The kernels that the language was designed for. They have the operations of the same kernels written one operation at a time, in
// an order of its own, so the tests hold for every order in which a compiler evaluates arguments.
#include "Tracing.h"

#include <cmath>

namespace tegula::trace {
namespace {

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) { c.store(a[c] + b[c]); }

template <int BM, int BN, int BK> void gemm(Out<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto acc = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    acc = mma(a(c.row(), k), b(k, c.col()), acc);
  c.store(cast<bf16>(acc));
}

template <int BM, int BN, int BK> void gemm_stepwise(Out<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto acc = zeros<f32, BM, BN>();
  for (auto k : a.cols()) {
    auto col = c.col();
    auto right = b(k, col);
    auto row = c.row();
    auto left = a(row, k);
    acc = mma(left, right, acc);
  }
  auto result = cast<bf16>(acc);
  c.store(result);
}

template <int BM, int BN, int BK> void gemm_persistent(OutTiles<bf16, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  for (auto t : c.my_tiles()) {
    auto acc = zeros<f32, BM, BN>();
    for (auto k : a.cols())
      acc = mma(a(t.row(), k), b(k, t.col()), acc);
    t.store(cast<bf16>(acc));
  }
}

template <int BM, int BN, int D>
void attention(Out<bf16, BM, D> o, In<bf16, BM, D> q, In<bf16, BN, D> k, In<bf16, BN, D> v, Scalar<f32> scale) {
  auto qt = q[o];
  auto m = full<f32, BM, 1>(-INFINITY), l = zeros<f32, BM, 1>();
  auto acc = zeros<f32, BM, D>();
  for (auto j : k.rows()) {
    auto s = mma(qt, transpose(k(j, 0)), zeros<f32, BM, BN>()) * scale;
    auto m_new = maximum(m, max<1>(s));
    auto p = exp(s - m_new);
    auto alpha = exp(m - m_new);
    l = l * alpha + sum<1>(p);
    acc = mma(cast<bf16>(p), v(j, 0), acc * alpha);
    m = m_new;
  }
  o.store(cast<bf16>(acc / l));
}

template <int BM, int BN, int D>
void attention_stepwise(Out<bf16, BM, D> o, In<bf16, BM, D> q, In<bf16, BN, D> k, In<bf16, BN, D> v, Scalar<f32> scale) {
  auto acc = zeros<f32, BM, D>(); // carried values declared in another order
  auto l = zeros<f32, BM, 1>();
  auto m = full<f32, BM, 1>(-INFINITY);
  auto qt = q[o];
  for (auto j : k.rows()) {
    auto vt = v(j, 0);
    auto kt = transpose(k(j, 0));
    auto s = mma(qt, kt, zeros<f32, BM, BN>());
    s *= scale;
    auto top = max<1>(s);
    auto m_new = maximum(m, top);
    auto alpha = exp(m - m_new);
    auto p = exp(s - m_new);
    auto row = sum<1>(p);
    l = l * alpha + row;
    auto scaled = acc * alpha;
    auto pt = cast<bf16>(p);
    acc = mma(pt, vt, scaled);
    m = m_new;
  }
  o.store(cast<bf16>(acc / l));
}

template <int BM, int N> void argmax(Out<i32, BM, 1> y, In<f32, BM, N> x) {
  auto [best, at] = reduce<1>(std::tuple{x(y.row(), 0), iota<BM, N>(1)}, [](auto av, auto ai, auto bv, auto bi) {
    auto a_wins = av > bv || (av == bv && ai < bi);
    return std::tuple{select(a_wins, av, bv), select(a_wins, ai, bi)};
  });
  y.store(at);
}

TEST(Kernels, Add) {
  const Record record = traced<add<1024>>("add");
  EXPECT_EQ(record.str().substr(0, record.str().find('\n')),
            "kernel @add(%1: out<1024xf32>, %2: in<1024xf32>, %3: in<1024xf32>) {");
  EXPECT_EQ(find(record, "tile.load").size(), 2u);
  EXPECT_EQ(find(record, "tile.add").size(), 1u);
  EXPECT_EQ(find(record, "tile.store").size(), 1u);
  EXPECT_EQ(record.parameters[0].kind, ParameterKind::out);
  EXPECT_TRUE(record.parameters[1].is_view());
}

TEST(Kernels, Lambda) {
  const Record record = traced([](Out<f32, 256> y, In<f32, 256> x, Scalar<f32> s) { y.store(2 * x[y] * s + 1); }, "scale");
  EXPECT_EQ(record.str(), R"(kernel @scale(%1: out<256xf32>, %2: in<256xf32>, %3: f32) {
  %4 = tile.program_index %1 {axis = 0} : i64
  %5 = tile.load %2, %4 : 256xf32
  %6 = tile.constant {value = 2} : 256xf32
  %7 = tile.mul %6, %5 : 256xf32
  %8 = tile.broadcast %3 : 256xf32
  %9 = tile.mul %7, %8 : 256xf32
  %10 = tile.constant {value = 1} : 256xf32
  %11 = tile.add %9, %10 : 256xf32
  %12 = tile.program_index %1 {axis = 0} : i64
  tile.store %11, %1, %12
}
)");
}

TEST(Kernels, ConstReferences) {
  const Record record = traced([](const Out<f32, 64>& y, const In<f32, 64>& x, const Scalar<f32>& s) { y.store(x[y] * s); });
  const Record values = traced([](Out<f32, 64> y, In<f32, 64> x, Scalar<f32> s) { y.store(x[y] * s); });
  EXPECT_EQ(record.key(Places::spoken), values.key(Places::spoken));
}

TEST(Kernels, Gemm) {
  const Record record = traced<gemm<128, 256, 64>>();
  EXPECT_EQ(contents(record), contents(traced<gemm_stepwise<128, 256, 64>>()));
  const std::vector<const Operation*> loops = find(record, "scf.for");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0]->operands.size(), 4u);
  EXPECT_EQ(loops[0]->regions[0].arguments.size(), 2u);
  EXPECT_EQ(record.types[loops[0]->results[0]], (Type{DType::f32, {128, 256}}));
}

TEST(Kernels, GemmStepwiseText) {
  EXPECT_EQ(body(traced<gemm_stepwise<128, 256, 64>>()), R"(  %4 = tile.constant {value = 0} : 128x256xf32
  %5 = tile.constant {value = 0} : i64
  %6 = tile.num_tiles %2 {axis = 1} : i64
  %7 = tile.constant {value = 1} : i64
  %8 = scf.for %5, %6, %7, %4 : 128x256xf32 { |%9: i64, %10: 128x256xf32|
    %11 = tile.program_index %1 {axis = 1} : i64
    %12 = tile.load %3, %9, %11 : 64x256xbf16
    %13 = tile.program_index %1 {axis = 0} : i64
    %14 = tile.load %2, %13, %9 : 128x64xbf16
    %15 = tile.mma %14, %12, %10 : 128x256xf32
    scf.yield %15
  }
  %16 = tile.cast %8 {rounding = 0} : 128x256xbf16
  %17 = tile.program_index %1 {axis = 0} : i64
  %18 = tile.program_index %1 {axis = 1} : i64
  tile.store %16, %1, %17, %18
)");
}

TEST(Kernels, PersistentGemm) {
  const Record record = traced<gemm_persistent<128, 256, 64>>();
  const std::vector<const Operation*> loops = find(record, "scf.for");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_TRUE(loops[0]->results.empty());
  EXPECT_EQ(loops[1]->results.size(), 1u);
  EXPECT_EQ(find(record, "tile.program_id")[0]->results[0], loops[0]->operands[0]);
  EXPECT_EQ(find(record, "tile.mul")[0]->results[0], loops[0]->operands[1]);
  EXPECT_EQ(find(record, "tile.num_programs")[0]->results[0], loops[0]->operands[2]);
  EXPECT_EQ(find(record, "tile.unflatten")[0]->results.size(), 2u);
  const Operation& store = *find(record, "tile.store")[0];
  EXPECT_EQ(store.operands[2], find(record, "tile.unflatten")[0]->results[0]);
  EXPECT_EQ(store.operands[3], find(record, "tile.unflatten")[0]->results[1]);
}

TEST(Kernels, Attention) {
  const Record record = traced<attention<128, 64, 128>>();
  EXPECT_EQ(contents(record), contents(traced<attention_stepwise<128, 64, 128>>()));
  const Operation& loop = *find(record, "scf.for")[0];
  EXPECT_EQ(loop.results.size(), 3u); // m, l and acc; q is used, but does not change
}

TEST(Kernels, ArgmaxByCombiner) {
  const Record record = traced<(argmax<4, 1024>)>();
  const Operation& reduce = *find(record, "tile.reduce_by")[0];
  EXPECT_EQ(reduce.regions[0].arguments.size(), 4u);
  EXPECT_EQ(reduce.regions[0].operations.back().name, "tile.yield");
  EXPECT_EQ(record.types[reduce.results[0]], (Type{DType::f32, {4, 1}}));
  EXPECT_EQ(record.types[reduce.results[1]], (Type{DType::i32, {4, 1}}));
}

TEST(Kernels, Softmax) {
  const Record record = traced([](Out<f32, 4, 1024> y, In<f32, 4, 1024> x) {
    auto v = x.load_or(y, -INFINITY);
    auto e = exp(v - max<1>(v));
    y.store(e / sum<1>(e));
  });
  EXPECT_EQ(body(record), R"(  %3 = tile.constant {value = -inf} : f32
  %4 = tile.program_index %1 {axis = 0} : i64
  %5 = tile.program_index %1 {axis = 1} : i64
  %6 = tile.load %2, %4, %5, %3 {has_pad} : 4x1024xf32
  %7 = tile.reduce %6 {combiner = 3, axis = 1} : 4x1xf32
  %8 = tile.broadcast %7 : 4x1024xf32
  %9 = tile.sub %6, %8 : 4x1024xf32
  %10 = tile.function %9 {function = 0} : 4x1024xf32
  %11 = tile.reduce %10 {combiner = 0, axis = 1} : 4x1xf32
  %12 = tile.broadcast %11 : 4x1024xf32
  %13 = tile.div %10, %12 : 4x1024xf32
  %14 = tile.program_index %1 {axis = 0} : i64
  %15 = tile.program_index %1 {axis = 1} : i64
  tile.store %13, %1, %14, %15
)");
}

} // namespace
} // namespace tegula::trace

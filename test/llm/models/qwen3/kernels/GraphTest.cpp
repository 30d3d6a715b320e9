// A step that is recorded once and replayed: positions, slots and pages are on the device, and move on without the host.
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/attend_decode.hpp"
#include "llm/models/qwen3/kernels/merge_append.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

constexpr int S = 2, G = 2, D = 32;
constexpr i64 batch = 2;
constexpr Geometry geometry{1, G, D, 3, 2};
constexpr Hints strict{.strict = true};

struct State {
  Tensor<bf16, 4> keys, values;
  Tensor<i32, 1> positions;
  Tensor<bf16, 3> o;
};

struct Fixed {
  Tensor<bf16, 3> qkv;
  Tensor<bf16, 1> q_weight, k_weight;
  Tensor<f32, 3> turns;
  Certified<i32, 2> table;
  Certified<i32, 1> slots;
};

void step(const Queue& queue, const Fixed& fixed, State& state) {
  static const auto attend = kernel<attend_decode<bf16, S, 16, G, D>>("attend_decode", strict);
  static const auto merge = kernel<merge_append<bf16, S, G, D>>("merge_append", strict);
  static const auto move = kernel<qwen3::advance<4>>("advance", strict);
  const Geometry& g = geometry;
  const auto [sums, largest, weights] =
      attend(fresh(S, batch, g.kv_heads, G, D), fresh(S, batch, g.kv_heads, G, 1), fresh(S, batch, g.kv_heads, G, 1), fixed.qkv,
             fixed.q_weight, fixed.k_weight, fixed.turns, state.keys.view().permute<0, 1, 3, 2>(), state.values, fixed.table.view(),
             fixed.slots, state.positions, frozen(epsilon), frozen(0.2))
          .start(queue);
  merge(out(state.o), out(state.keys), out(state.values), sums, largest, weights, fixed.qkv, fixed.k_weight, fixed.turns,
        fixed.table, fixed.slots, state.positions, frozen(epsilon))
      .start(queue);
  move(out(state.positions), fixed.slots, frozen(g.capacity())).start(queue);
}

State start(const Cache& cache) {
  return {tensor<bf16, 4>(cache.extents(), cache.keys), tensor<bf16, 4>(cache.extents(), cache.values),
          tensor<i32, 1>({batch}, {62, 125}), zeros<bf16, 3>({batch, geometry.kv_heads * G, D})};
}

TEST(Graph, ReplaysOfAStepAreStepsOneAfterTheOther) {
  constexpr int steps = 6; // over a page's edge, and up to the capacity of the second sequence
  const Device device = test::test_device();
  const Cache cache(geometry, 1);
  const Fixed fixed{tensor<bf16, 3>({batch, geometry.heads(), D}, numbers<bf16>(batch * geometry.heads() * D, 2)),
                    tensor<bf16, 1>({D}, numbers<bf16>(D, 3)),
                    tensor<bf16, 1>({D}, numbers<bf16>(D, 4)),
                    tensor<f32, 3>({geometry.capacity(), 2, D}, rotations(geometry.capacity(), D)),
                    cache.certified(),
                    Certified<i32, 1>::from_host(device, {batch}, {2, 0}, geometry.slots, distinct, or_none)};
  const Queue queue(device);
  State run = start(cache), replayed = start(cache);
  for (int i = 0; i < steps; ++i)
    step(queue, fixed, run);
  Recorder recorder(device);
  step(recorder, fixed, replayed);
  const Graph graph = std::move(recorder).finish();
  graph.start(queue, steps);

  EXPECT_EQ(replayed.positions.to_host(), (std::vector<i32>{68, 128}));
  EXPECT_EQ(run.positions.to_host(), replayed.positions.to_host());
  const auto same = [](const Tensor<bf16, 4>& a, const Tensor<bf16, 4>& b) {
    const std::vector<bf16> right = b.to_host();
    expect_elements(a.to_host(), [&](i64 e) { return float(right[at(e)]); });
  };
  same(run.keys, replayed.keys);
  same(run.values, replayed.values);
  const std::vector<bf16> o = run.o.to_host();
  expect_elements(replayed.o.to_host(), [&](i64 e) { return float(o[at(e)]); });
}

} // namespace
} // namespace tegula::llm::qwen3

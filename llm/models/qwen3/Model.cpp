#include "llm/models/qwen3/Model.h"
#include "kernels/embedding.hpp"
#include "llm/models/qwen3/Projections.h"
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/last_rows.hpp"
#include "llm/models/qwen3/kernels/pages.hpp"

#include <cmath>
#include <utility>

namespace tegula::llm::qwen3 {
namespace {

constexpr Hints proved{.strict = true};

Matrix flat(Tensor<bf16, 3> heads) {
  const i64 rows = heads.extent(0), width = heads.extent(1) * heads.extent(2);
  return std::move(heads).reshape<2>({rows, width});
}

i64 capacity_of(const Pages& pages) { return pages.table.extent(1) * page_tokens; }

} // namespace

Model::Model(const Device& device, const Config& config, DeviceWeights weights)
    : device_(device), config_(config), weights_(std::move(weights)), attention_(Attention::make(config)) {}

Cache Model::make_cache(i64 pages) const {
  const auto make = [&] {
    return Tensor<bf16, 4>::zeros(device_, {pages, config_.num_key_value_heads, page_tokens, config_.head_dim});
  };
  Cache cache;
  for (i64 layer = 0; layer < config_.num_hidden_layers; ++layer)
    cache.push_back({make(), make()});
  return cache;
}

Tensor<f32, 3> Model::make_rotations(i64 positions) const {
  const i64 width = config_.head_dim, half = width / 2;
  std::vector<f32> table(static_cast<std::size_t>(positions * 2 * width));
  for (i64 i = 0; i < half; ++i) {
    const double frequency = std::pow(config_.rope_theta, -2.0 * static_cast<double>(i) / static_cast<double>(width));
    for (i64 position = 0; position < positions; ++position) {
      const double angle = static_cast<double>(position) * frequency;
      f32* const cosines = table.data() + position * 2 * width;
      cosines[i] = cosines[half + i] = static_cast<f32>(std::cos(angle));
      cosines[width + i] = cosines[width + half + i] = static_cast<f32>(std::sin(angle));
    }
  }
  return Tensor<f32, 3>::from_host(device_, {positions, 2, width}, table);
}

Matrix Model::embed(const Queue& queue, const Certified<i32, 1>& tokens) const {
  static const auto look_up = kernel<kernels::embedding<bf16, i32, 1, 1024>>(proved);
  return look_up(fresh(tokens.extent(0), config_.hidden_size), weights_.embedding, tokens).start(queue);
}

Tensor<f32, 2> Model::decode(const Queue& queue, const Certified<i32, 1>& tokens, Cache& cache, const Pages& pages,
                             Sequences& sequences) const {
  const double epsilon = config_.rms_norm_eps;
  const By by = tokens.extent(0) == 1 ? By::vectors : By::matrices; // one row at a time reads all weights for each
  Matrix x = embed(queue, tokens);
  for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
    const LayerWeights& layer = weights_.layers[i];
    const auto qkv =
        norm_project(queue, by, x, layer.input_norm, layer.qkv, epsilon).reshape<3>({x.extent(0), qkv_heads(), config_.head_dim});
    const Matrix o = flat(attention_->decode(queue, qkv, layer, cache[i], pages, sequences));
    x = project_add(queue, by, std::move(x), layer.o, o);
    const Matrix h = norm_gate_up(queue, by, x, layer.post_attention_norm, layer.gate, layer.up, epsilon);
    x = project_add(queue, by, std::move(x), layer.down, h);
  }
  static const auto move_on = kernel<advance<32>>(proved);
  move_on(out(sequences.positions), sequences.slots, frozen(capacity_of(pages))).start(queue);
  return norm_project_f32(queue, by, x, weights_.norm, weights_.head(), epsilon);
}

Tensor<f32, 2> Model::prefill(const Queue& queue, const Certified<i32, 1>& tokens, const Segments& segments, Cache& cache,
                              const Pages& pages, Sequences& sequences) const {
  const double epsilon = config_.rms_norm_eps;
  Matrix x = embed(queue, tokens);
  for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
    const LayerWeights& layer = weights_.layers[i];
    const auto qkv = norm_project(queue, By::matrices, x, layer.input_norm, layer.qkv, epsilon)
                         .reshape<3>({x.extent(0), qkv_heads(), config_.head_dim});
    const Matrix o = flat(attention_->prefill(queue, qkv, layer, cache[i], pages, sequences, segments));
    x = project_add(queue, By::matrices, std::move(x), layer.o, o);
    const Matrix h = norm_gate_up(queue, By::matrices, x, layer.post_attention_norm, layer.gate, layer.up, epsilon);
    x = project_add(queue, By::matrices, std::move(x), layer.down, h);
  }
  static const auto last = kernel<last_rows<bf16, 1024>>(proved);
  static const auto move_on = kernel<advance_segments>(proved);
  const i64 count = sequences.positions.extent(0);
  const Matrix ends = last(fresh(count, config_.hidden_size), x, segments.offsets).start(queue);
  move_on(out(sequences.positions), sequences.slots, segments.offsets, frozen(capacity_of(pages))).start(queue);
  return norm_project_f32(queue, By::matrices, ends, weights_.norm, weights_.head(), epsilon);
}

} // namespace tegula::llm::qwen3

#include "llm/models/qwen3/DeviceWeights.h"
#include "llm/checkpoint/Bf16.h"
#include "llm/checkpoint/Quote.h"
#include "llm/models/qwen3/Weights.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tegula::llm::qwen3 {
namespace {

constexpr std::size_t piece_bytes = std::size_t{32} << 20; // of a file, at a time: what comes next is prefetched while it is copied

/// Finds tensors by the last part of their name, and says how much of all has been read.
class Reader {
public:
  Reader(const Device& device, const Config& config, const Checkpoint& checkpoint, const Progress& progress)
      : device_(device), checkpoint_(checkpoint), progress_(progress) {
    for (const WeightShape& weight : weight_shapes(config)) {
      all_ += checkpoint.find(weight).bytes.size();
      shapes_.emplace(weight.name, weight.shape);
    }
  }

  Vector vector(const std::string& name) {
    const Shape& shape = shapes_.at(name);
    Vector to = Vector::uninit(device_, {shape[0]});
    fill(to, name);
    return to;
  }
  Matrix matrix(const std::string& name) {
    const Shape& shape = shapes_.at(name);
    Matrix to = Matrix::uninit(device_, {shape[0], shape[1]});
    fill(to, name);
    return to;
  }
  /// One above the other.
  Matrix stacked(const std::array<std::string, 3>& names) {
    const std::int64_t first = shapes_.at(names[0])[0], second = shapes_.at(names[1])[0], third = shapes_.at(names[2])[0];
    auto parts = Matrix::uninit(device_, {first + second + third, shapes_.at(names[0])[1]});
    auto [a, b, c] = std::move(parts).split<0>(first, first + second);
    fill(a, names[0]);
    fill(b, names[1]);
    fill(c, names[2]);
    return join(std::move(a), std::move(b), std::move(c));
  }

private:
  /// Piece by piece: what has been read has been copied, too.
  template <int R> void fill(Tensor<bf16, R>& to, const std::string& name) {
    const Weight weight = checkpoint_.find(name, shapes_.at(name));
    const std::size_t row_bytes = weight.bytes.size() / static_cast<std::size_t>(to.extent(0));
    const i64 rows = static_cast<i64>(std::max<std::size_t>(1, piece_bytes / row_bytes));
    Tensor<bf16, R> rest = std::move(to);
    std::optional<Tensor<bf16, R>> filled;
    std::size_t at = 0;
    while (rest.extent(0) > rows) {
      auto [piece, behind] = std::move(rest).template split<0>(rows);
      fill(piece, weight, at);
      at += static_cast<std::size_t>(rows) * row_bytes;
      filled = filled ? join(std::move(*filled), std::move(piece)) : std::move(piece);
      rest = std::move(behind);
    }
    fill(rest, weight, at);
    to = filled ? join(std::move(*filled), std::move(rest)) : std::move(rest);
  }
  /// With the bytes from there on.
  template <int R> void fill(Tensor<bf16, R>& to, const Weight& weight, std::size_t at) {
    const std::span<const std::byte> bytes = weight.bytes.subspan(at, static_cast<std::size_t>(to.size() * size_of(weight.dtype)));
    load(weight, at, bytes);
    if (weight.dtype == DType::bf16 && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(bf16) == 0) {
      to.copy_from(std::span(reinterpret_cast<const bf16*>(bytes.data()), bytes.size() / sizeof(bf16)));
    } else {
      converted_.resize(static_cast<std::size_t>(to.size()));
      copy_as_bf16(converted_, bytes, weight.dtype);
      to.copy_from(std::span<const bf16>(converted_));
    }
    done_ += bytes.size();
    if (progress_)
      progress_(done_, all_);
  }
  /// From the disk, where it is not in memory yet: what cannot be read is an error before it is used.
  static void load(const Weight& weight, std::size_t at, std::span<const std::byte> bytes) {
    const std::size_t behind = at + bytes.size();
    weight.file->will_need(weight.bytes.subspan(behind, std::min(piece_bytes, weight.bytes.size() - behind)));
    weight.file->load(bytes);
  }

  const Device& device_;
  const Checkpoint& checkpoint_;
  const Progress& progress_;
  std::map<std::string, Shape> shapes_;
  std::vector<bf16> converted_;
  std::uint64_t done_ = 0, all_ = 0;
};

/// What belongs to a layer and has no place in the model makes another one. Tables that older files have are computed here.
void check_layers(const Config& config, const Checkpoint& checkpoint) {
  for (const std::string& name : checkpoint.names_besides(weight_shapes(config)))
    if (name.starts_with("model.layers.") && !name.ends_with(".rotary_emb.inv_freq"))
      throw Error(checkpoint.files()[0].file().path().parent_path().string() + ": the weights have the tensor " + in_quotes(name) +
                  ", for which a model as config.json describes it, with " + std::to_string(config.num_hidden_layers) +
                  " layers, has no place. The weights are of another model than the configuration");
}

} // namespace

DeviceWeights load_weights(const Device& device, const Config& config, const Checkpoint& checkpoint, const Progress& progress) {
  check_layers(config, checkpoint);
  Reader reader(device, config, checkpoint, progress);
  DeviceWeights weights;
  weights.embedding = reader.matrix("model.embed_tokens.weight");
  for (std::int64_t i = 0; i < config.num_hidden_layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".", attention = layer + "self_attn.", mlp = layer + "mlp.";
    weights.layers.push_back({
        .input_norm = reader.vector(layer + "input_layernorm.weight"),
        .query_norm = reader.vector(attention + "q_norm.weight"),
        .key_norm = reader.vector(attention + "k_norm.weight"),
        .post_attention_norm = reader.vector(layer + "post_attention_layernorm.weight"),
        .qkv = reader.stacked({attention + "q_proj.weight", attention + "k_proj.weight", attention + "v_proj.weight"}),
        .o = reader.matrix(attention + "o_proj.weight"),
        .gate = reader.matrix(mlp + "gate_proj.weight"),
        .up = reader.matrix(mlp + "up_proj.weight"),
        .down = reader.matrix(mlp + "down_proj.weight"),
    });
  }
  weights.norm = reader.vector("model.norm.weight");
  if (!config.tie_word_embeddings)
    weights.separate_head = reader.matrix("lm_head.weight");
  return weights;
}

} // namespace tegula::llm::qwen3

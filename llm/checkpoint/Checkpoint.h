// The weights in a folder, in one file or in several.
#pragma once
#include "llm/checkpoint/SafeTensors.h"

namespace tegula::llm {

/// A tensor that a model asks for.
struct WeightShape {
  std::string name;
  Shape shape;
};

/// A tensor that was found, row by row without gaps. The bytes may lie at any address: where they are no multiple of the element's
/// size, they cannot be used as an array of it, but copied, as by copy_as_bf16.
struct Weight {
  DType dtype; // f32, f16 or bf16
  std::span<const std::byte> bytes;
  const MappedFile* file; // to load and prefetch the bytes; lives as long as the Checkpoint
};

/// Many threads may read one.
class Checkpoint {
public:
  /// Opens model.safetensors, or the files that model.safetensors.index.json lists, and checks their headers; the data is not read.
  /// Throws an Error if there is neither or both, a file of the index is missing or damaged or lacks a tensor that the index says
  /// it has, or two files have a tensor of the same name.
  static Checkpoint open(const std::filesystem::path& folder);

  /// Throws an Error that names the file, the tensor and what was expected, if it is missing, has another shape, or elements that
  /// weights do not have.
  Weight find(std::string_view name, std::span<const std::int64_t> shape) const;
  Weight find(const WeightShape& weight) const { return find(weight.name, weight.shape); }
  /// Names of the tensors that are not asked for, in alphabetical order: tables that models compute themselves, or a sign that the
  /// folder is another model's. What files have and the index does not list is among them, and is not found.
  std::vector<std::string> names_besides(std::span<const WeightShape> asked) const;

  const std::vector<SafeTensors>& files() const noexcept { return files_; }

private:
  Checkpoint() = default;
  void open_single(const std::filesystem::path& path);
  void open_shards(const std::filesystem::path& index);

  struct Place {
    const SafeTensors* file;
    const StoredTensor* tensor;
  };
  std::string source_; // the file that says which tensors there are
  std::vector<SafeTensors> files_;
  std::map<std::string, Place, std::less<>> places_;
};

} // namespace tegula::llm

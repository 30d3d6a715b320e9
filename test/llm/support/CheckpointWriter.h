// Writes checkpoints in the format safetensors: the counterpart of llm/checkpoint, for tests.
#pragma once
#include "llm/checkpoint/Shape.h"

#include <filesystem>
#include <map>
#include <string>

namespace tegula::llm {

struct TensorData {
  std::string name, type; // as in the files: "F32", "BF16", ...
  Shape shape;
  std::string bytes;
};

/// A file with this text for its header, whatever it says.
std::string safetensors_of(const std::string& header, const std::string& data = "");
/// A right one, with the tensors in this order and the data at a multiple of 8 bytes.
std::string safetensors_of(const std::vector<TensorData>& tensors, const std::map<std::string, std::string>& metadata = {});

void write_file(const std::filesystem::path& path, const std::string& bytes);
/// As one file, model.safetensors.
void write_single(const std::filesystem::path& folder, const std::vector<TensorData>& tensors);
/// As shards, model-00001-of-00002.safetensors and so on, with their index.
void write_sharded(const std::filesystem::path& folder, const std::vector<std::vector<TensorData>>& shards);

/// The bytes of numbers.
template <class T> std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

} // namespace tegula::llm

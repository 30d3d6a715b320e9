#include "CheckpointWriter.h"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tegula::llm {
namespace {

using Ordered = nlohmann::ordered_json;

std::string padded_number(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(5 - digits.size(), '0') + digits;
}

} // namespace

std::string safetensors_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + data;
}

std::string safetensors_of(const std::vector<TensorData>& tensors, const std::map<std::string, std::string>& metadata) {
  Ordered header = Ordered::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  std::string data;
  for (const TensorData& tensor : tensors) {
    const std::size_t begin = data.size();
    data += tensor.bytes;
    header[tensor.name] = {{"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return safetensors_of(text, data);
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush())
    throw std::runtime_error("cannot write " + path.string());
}

void write_single(const std::filesystem::path& folder, const std::vector<TensorData>& tensors) {
  write_file(folder / "model.safetensors", safetensors_of(tensors));
}

void write_sharded(const std::filesystem::path& folder, const std::vector<std::vector<TensorData>>& shards) {
  Ordered map = Ordered::object();
  std::size_t bytes = 0, number = 0;
  for (const std::vector<TensorData>& shard : shards) {
    const std::string name = "model-" + padded_number(++number) + "-of-" + padded_number(shards.size()) + ".safetensors";
    write_file(folder / name, safetensors_of(shard));
    for (const TensorData& tensor : shard) {
      map[tensor.name] = name;
      bytes += tensor.bytes.size();
    }
  }
  const Ordered index = {{"metadata", {{"total_size", bytes}}}, {"weight_map", map}};
  write_file(folder / "model.safetensors.index.json", index.dump(2));
}

} // namespace tegula::llm

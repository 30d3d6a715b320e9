// One safetensors file.
#pragma once
#include "llm/checkpoint/MappedFile.h"
#include "llm/checkpoint/SafeTensorsHeader.h"

#include <string_view>

namespace tegula::llm {

class SafeTensors {
public:
  /// Maps the file and checks its header; the data is not read. Throws an Error that names the file.
  explicit SafeTensors(const std::filesystem::path& path);

  const MappedFile& file() const noexcept { return file_; }
  /// In the order of their bytes.
  const std::vector<StoredTensor>& tensors() const noexcept { return header_.tensors; }
  const std::map<std::string, std::string>& metadata() const noexcept { return header_.metadata; }
  /// Null if there is none of this name.
  const StoredTensor* find(std::string_view name) const;
  /// Of one of `tensors()`.
  std::span<const std::byte> bytes(const StoredTensor& tensor) const noexcept {
    return file_.bytes().subspan(tensor.begin, tensor.end - tensor.begin);
  }

private:
  MappedFile file_;
  SafeTensorsHeader header_;
  std::map<std::string_view, const StoredTensor*> by_name_;
};

} // namespace tegula::llm

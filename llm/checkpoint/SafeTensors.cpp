#include "llm/checkpoint/SafeTensors.h"

#include <algorithm>

namespace tegula::llm {

SafeTensors::SafeTensors(const std::filesystem::path& path) : file_(path) {
  const std::span<const std::byte> bytes = file_.bytes();
  file_.load(bytes.first(std::min(bytes.size(), sizeof(std::uint64_t))));
  file_.load(bytes.first(header_end(path.string(), bytes)));
  header_ = read_header(path.string(), bytes);
  for (const StoredTensor& tensor : header_.tensors)
    by_name_.emplace(tensor.name, &tensor);
}

const StoredTensor* SafeTensors::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

} // namespace tegula::llm

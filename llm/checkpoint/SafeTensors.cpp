#include "llm/checkpoint/SafeTensors.h"

namespace tegula::llm {

SafeTensors::SafeTensors(const std::filesystem::path& path) : file_(path), header_(read_header(path.string(), file_.bytes())) {
  for (const StoredTensor& tensor : header_.tensors)
    by_name_.emplace(tensor.name, &tensor);
}

const StoredTensor* SafeTensors::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

} // namespace tegula::llm

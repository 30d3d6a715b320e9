#include "llm/checkpoint/Shape.h"

namespace tegula::llm {

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

} // namespace tegula::llm

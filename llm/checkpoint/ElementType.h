// The element types that safetensors files name.
#pragma once
#include "tegula/dtype.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::llm {

struct ElementType {
  std::string_view name; // in the files
  int bits;
  std::optional<DType> dtype; // none for types that Tegula does not have

  /// Whether weights may have it: f32, f16 and bf16.
  bool is_weight() const noexcept { return dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16; }
};

/// None if the name is unknown, and with it the size.
std::optional<ElementType> element_type(std::string_view name);
/// The names of all there are, for messages.
std::string element_type_names();

} // namespace tegula::llm

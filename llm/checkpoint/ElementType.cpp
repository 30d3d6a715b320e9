#include "llm/checkpoint/ElementType.h"

#include <algorithm>
#include <iterator>

namespace tegula::llm {
namespace {

constexpr ElementType types[] = {
    {"F32", 32, DType::f32},       {"F16", 16, DType::f16},       {"BF16", 16, DType::bf16},     {"F64", 64, DType::f64},
    {"F8_E4M3", 8, DType::f8e4m3}, {"F8_E5M2", 8, DType::f8e5m2}, {"F8_E8M0", 8, DType::f8e8m0}, {"I64", 64, DType::i64},
    {"I32", 32, DType::i32},       {"I16", 16, DType::i16},       {"I8", 8, DType::i8},          {"U64", 64, DType::u64},
    {"U32", 32, DType::u32},       {"U16", 16, DType::u16},       {"U8", 8, DType::u8},          {"BOOL", 8, DType::boolean},
    {"C64", 64, std::nullopt},     {"F6_E2M3", 6, std::nullopt},  {"F6_E3M2", 6, std::nullopt},  {"F4", 4, std::nullopt},
};

} // namespace

std::optional<ElementType> element_type(std::string_view name) {
  const auto* found = std::ranges::find(types, name, &ElementType::name);
  return found == std::end(types) ? std::nullopt : std::optional(*found);
}

std::string element_type_names() {
  std::string names;
  for (const ElementType& type : types)
    (names += names.empty() ? "" : ", ") += type.name;
  return names;
}

} // namespace tegula::llm

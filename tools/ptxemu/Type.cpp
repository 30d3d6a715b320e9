#include "tools/ptxemu/Type.h"

#include <map>

namespace ptxemu {

std::optional<Type> type_named(std::string_view name) {
  static const std::map<std::string_view, Type> types = {
      {"u8", Type::u8},       {"u16", Type::u16},       {"u32", Type::u32},       {"u64", Type::u64},       {"s8", Type::s8},
      {"s16", Type::s16},     {"s32", Type::s32},       {"s64", Type::s64},       {"b8", Type::u8},         {"b16", Type::u16},
      {"b32", Type::u32},     {"b64", Type::u64},       {"b128", Type::b128},     {"f16", Type::f16},       {"bf16", Type::bf16},
      {"f16x2", Type::f16x2}, {"bf16x2", Type::bf16x2}, {"f32", Type::f32},       {"f64", Type::f64},       {"tf32", Type::tf32},
      {"e4m3", Type::e4m3},   {"e5m2", Type::e5m2},     {"e4m3x2", Type::e4m3x2}, {"e5m2x2", Type::e5m2x2}, {"pred", Type::pred}};
  auto found = types.find(name);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

int bytes_of(Type type) {
  switch (type) {
  case Type::u8:
  case Type::s8:
  case Type::e4m3:
  case Type::e5m2:
  case Type::pred:
    return 1;
  case Type::u16:
  case Type::s16:
  case Type::f16:
  case Type::bf16:
  case Type::e4m3x2:
  case Type::e5m2x2:
    return 2;
  case Type::u32:
  case Type::s32:
  case Type::f32:
  case Type::tf32:
  case Type::f16x2:
  case Type::bf16x2:
    return 4;
  case Type::u64:
  case Type::s64:
  case Type::f64:
    return 8;
  case Type::b128:
    return 16;
  }
  return 0;
}

const char* name_of(Space space) {
  switch (space) {
  case Space::generic:
    return "generic";
  case Space::global:
    return "global";
  case Space::shared:
    return "shared";
  case Space::local:
    return "local";
  case Space::entry_parameter:
  case Space::parameter:
    return "param";
  }
  return "";
}

} // namespace ptxemu

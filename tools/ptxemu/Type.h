#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxemu {

// The types that opcodes name. b8 to b64 are handled as unsigned.
enum class Type : std::uint8_t {
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  b128,
  f16,
  bf16,
  f16x2,
  bf16x2,
  f32,
  f64,
  tf32,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  pred
};

std::optional<Type> type_named(std::string_view name);
int bytes_of(Type type);
inline bool is_integer(Type type) { return type <= Type::s64; }
inline bool is_signed(Type type) { return type >= Type::s8 && type <= Type::s64; }
inline bool is_half(Type type) { return type >= Type::f16 && type <= Type::bf16x2; }

enum class Round : std::uint8_t { nearest, zero, down, up, nearest_away };

// The state spaces of memory accesses; parameter: of a function that is called, in the thread's own memory.
enum class Space : std::uint8_t { generic, global, shared, local, entry_parameter, parameter };
const char* name_of(Space space);

} // namespace ptxemu

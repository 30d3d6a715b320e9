// The kinds of kernel parameters, seen in kernels, around them, in what is recorded and in tile IR.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tegula {

/// The order counts: what follows asks for ranges of it. docs/language.md says what each means.
enum class ParameterKind : std::uint8_t {
  in,
  out,
  outs,
  inout,
  patch,
  add_into,
  min_into,
  max_into,
  and_into,
  or_into,
  out_index,
  index,
  distinct,
  index_or_none,
  distinct_or_none,
  offsets,
  scalar // the only one that is no view
};

/// As tile IR writes it.
constexpr const char* name(ParameterKind kind) noexcept {
  constexpr const char* names[] = {
      "in",      "out",       "outs",  "inout",    "patch",         "add_into",         "min_into", "max_into", "and_into",
      "or_into", "out_index", "index", "distinct", "index_or_none", "distinct_or_none", "offsets",  "scalar"};
  return names[static_cast<int>(kind)];
}

constexpr bool is_view(ParameterKind kind) noexcept { return kind != ParameterKind::scalar; }

/// The kind of view with a name.
constexpr std::optional<ParameterKind> view_kind(std::string_view named) noexcept {
  for (int number = 0; is_view(static_cast<ParameterKind>(number)); ++number)
    if (named == name(static_cast<ParameterKind>(number)))
      return static_cast<ParameterKind>(number);
  return std::nullopt;
}

/// What it holds before the launch was certified.
constexpr bool is_certified(ParameterKind kind) noexcept { return kind >= ParameterKind::index && kind <= ParameterKind::offsets; }
/// A view that nobody writes in the launch.
constexpr bool is_input(ParameterKind kind) noexcept { return kind == ParameterKind::in || is_certified(kind); }
constexpr bool is_output(ParameterKind kind) noexcept { return is_view(kind) && !is_input(kind); }
/// A launch writes all of it and reads nothing.
constexpr bool is_only_written(ParameterKind kind) noexcept {
  return kind == ParameterKind::out || kind == ParameterKind::outs || kind == ParameterKind::out_index;
}
/// Each program owns the piece with its number.
constexpr bool is_partition(ParameterKind kind) noexcept {
  return kind == ParameterKind::out || kind == ParameterKind::inout || kind == ParameterKind::out_index;
}
/// Each program owns what it claims.
constexpr bool is_claimed(ParameterKind kind) noexcept { return kind == ParameterKind::outs || kind == ParameterKind::patch; }
constexpr bool is_accumulated(ParameterKind kind) noexcept {
  return kind >= ParameterKind::add_into && kind <= ParameterKind::or_into;
}
/// Its values are below a bound, or are to be.
constexpr bool has_bound(ParameterKind kind) noexcept { return kind == ParameterKind::out_index || is_certified(kind); }
/// No two values are equal, but for -1 where that stands for none.
constexpr bool is_distinct(ParameterKind kind) noexcept {
  return kind == ParameterKind::distinct || kind == ParameterKind::distinct_or_none;
}
constexpr bool may_be_none(ParameterKind kind) noexcept {
  return kind == ParameterKind::index_or_none || kind == ParameterKind::distinct_or_none;
}

} // namespace tegula

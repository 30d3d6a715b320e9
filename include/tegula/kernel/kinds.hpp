// The kinds of kernel parameters.
#pragma once
#include <cstdint>

namespace tegula::detail {

/// Those of views are in the order of trace::Access.
enum class Kind : std::uint8_t {
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
  scalar
};

constexpr bool is_accumulated(Kind k) { return k >= Kind::add_into && k <= Kind::or_into; }
constexpr bool is_certified(Kind k) { return k >= Kind::index && k <= Kind::offsets; }
constexpr bool is_output(Kind k) { return k != Kind::in && k != Kind::scalar && !is_certified(k); }

} // namespace tegula::detail

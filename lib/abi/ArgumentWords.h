// Arguments as compiled programs read them: 64-bit words, parameter by parameter.
#pragma once

namespace tegula {

/// The words of one parameter. A view has its data pointer, its extents, its strides in elements and, if its values have a bound,
/// that; a scalar has its value in the low bytes.
struct ArgumentWords {
  bool is_view = false;
  int rank = 0; // of a view
  bool has_bound = false;

  /// Where in a view's words something is.
  static constexpr int pointer = 0;
  constexpr int extent(int axis) const noexcept { return 1 + axis; }
  constexpr int stride(int axis) const noexcept { return 1 + rank + axis; }
  constexpr int bound() const noexcept { return 1 + 2 * rank; }

  constexpr int count() const noexcept { return is_view ? bound() + (has_bound ? 1 : 0) : 1; }
};

} // namespace tegula

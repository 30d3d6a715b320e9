// tile.sort for the CPU: called by compiled programs.
#include "lib/abi/CpuKernel.h"

#include "tegula/dtype.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

using namespace tegula;

namespace {

template <class T> bool is_nan(T value) {
  if constexpr (std::is_integral_v<T>)
    return false;
  else
    return std::isnan(static_cast<double>(value));
}

/// NaN is larger than everything, and equal to itself.
template <class T> bool is_less(T a, T b) {
  if constexpr (!std::is_integral_v<T>) {
    if (is_nan(a) || is_nan(b))
      return !is_nan(a);
  }
  return a < b;
}

struct Shape {
  std::int64_t outer, extent, inner, kept;
  bool descending;
};

template <class T> void sort_rows(const Shape& shape, const T* from, T* values, std::int32_t* indices, std::int32_t* order) {
  for (std::int64_t row = 0; row < shape.outer * shape.inner; ++row) {
    const std::int64_t outer = row / shape.inner, inner = row % shape.inner;
    const T* source = from + outer * shape.extent * shape.inner + inner;
    auto before = [&](std::int32_t i, std::int32_t j) {
      const T a = source[i * shape.inner], b = source[j * shape.inner];
      const bool first = shape.descending ? is_less(b, a) : is_less(a, b),
                 second = shape.descending ? is_less(a, b) : is_less(b, a);
      return first != second ? first : i < j;
    };
    std::iota(order, order + shape.extent, 0);
    std::partial_sort(order, order + shape.kept, order + shape.extent, before);
    for (std::int64_t k = 0; k < shape.kept; ++k) {
      const std::int64_t at = (outer * shape.kept + k) * shape.inner + inner;
      values[at] = source[order[k] * shape.inner];
      indices[at] = order[k];
    }
  }
}

} // namespace

void tegula_cpu_sort(std::int64_t dtype, std::int64_t outer, std::int64_t extent, std::int64_t inner, std::int64_t kept,
                     std::int64_t descending, const void* from, void* values, std::int32_t* indices, std::int32_t* workspace) {
  const Shape shape{outer, extent, inner, kept, descending != 0};
  auto run = [&]<class T>(T) { sort_rows(shape, static_cast<const T*>(from), static_cast<T*>(values), indices, workspace); };
  switch (static_cast<DType>(dtype)) {
  case DType::f64:
    return run(f64{});
  case DType::f32:
    return run(f32{});
  case DType::f16:
    return run(f16{});
  case DType::bf16:
    return run(bf16{});
  case DType::i64:
    return run(i64{});
  case DType::i32:
    return run(i32{});
  case DType::i16:
    return run(i16{});
  case DType::i8:
    return run(i8{});
  case DType::u64:
    return run(u64{});
  case DType::u32:
    return run(u32{});
  case DType::u16:
    return run(u16{});
  case DType::u8:
    return run(u8{});
  case DType::f8e4m3:
  case DType::f8e5m2:
  case DType::f8e8m0:
  case DType::boolean:
    return; // the verifier of tile.sort lets none through
  }
}

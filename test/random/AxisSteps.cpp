// Steps along an axis, and matrix products.
#include "test/random/Generator.h"

#include <algorithm>

namespace tegula::test {

static Shape with_extent(Shape shape, std::size_t axis, std::int64_t extent) {
  shape[axis] = extent;
  return shape;
}

/// Whether n whole numbers up to the limit have a sum that the type holds exactly.
static bool sums_exactly(DType t, std::int64_t n) { return ulp(t, static_cast<Real>(n) * limit) <= 1; }

void Generator::reduce_or_scan() {
  const Known* found = find([](const Known& k) { return !k.value.shape.empty() && !is_fp8(k.value.dtype) && k.error < 0.1L; });
  if (!found)
    return;
  Known x = *found;
  const DType t = x.value.dtype;
  std::size_t axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(x.value.shape.size())));
  std::int64_t n = x.value.shape[axis];
  static constexpr const char* of_bool[] = {"any", "all"};
  static constexpr const char* of_floats[] = {"sum", "sum", "min", "max"};
  static constexpr const char* of_integers[] = {"sum", "prod", "min", "max"};
  std::string combiner = t == DType::boolean ? random.pick(of_bool)
                         : is_float(t)       ? random.pick(of_floats)
                                             : random.pick(of_integers);
  bool is_float_sum = is_float(t) && combiner == "sum", is_exact = x.is_integral && sums_exactly(t, n);
  Real error = x.error;
  if (is_float_sum && !(is_exact && error == 0))
    error = static_cast<Real>(n + 1) * unit(t) + x.error;
  if (error > 0.25L)
    return;
  bool scans = random.chance(40);
  Shape to = scans ? x.value.shape : with_extent(x.value.shape, axis, 1);
  std::string text = (scans ? "tile.scan " : "tile.reduce ") + combiner + " " + x.value.name + " axis " + std::to_string(axis);
  text += scans ? (random.chance(50) ? " reverse : " : " : ") + x.value.type() : " : " + x.value.type() + " -> " + spell(t, to);
  Value result = kernel.emit(text, t, to);
  if (is_float_sum) // by a power of two: exact
    result = is_exact && x.error == 0 ? bound(result) : kernel.same("mul", {result, number(1 / static_cast<Real>(n), t, to)});
  keep(result, error, x.is_integral && is_exact);
}

void Generator::order() {
  const Known* found = find([](const Known& k) { return !k.value.shape.empty() && is_number(k.value.dtype) && k.error == 0; });
  if (!found)
    return;
  Known x = *found;
  std::size_t axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(x.value.shape.size())));
  std::int64_t n = x.value.shape[axis];
  std::string head = x.value.name + " axis " + std::to_string(axis);
  if (random.chance(40)) {
    Shape to = with_extent(x.value.shape, axis, 1);
    keep(kernel.emit("tile.arg_reduce " + std::string(random.chance(50) ? "max " : "min ") + head + " : " + x.value.type() +
                         " -> " + spell(DType::i32, to),
                     DType::i32, to));
    return;
  }
  Shape to = with_extent(x.value.shape, axis, random.chance(60) ? n : std::max<std::int64_t>(1, n / 2));
  Value values{kernel.fresh(), x.value.dtype, to}, indices{kernel.fresh(), DType::i32, to};
  kernel.line(names({values, indices}) + " = tile.sort " + head + (random.chance(50) ? " descending" : "") + " : " +
              x.value.type() + " -> " + values.type() + ", " + indices.type());
  keep(values, 0, x.is_integral);
  keep(indices);
}

/// reduce_by or scan_by with the composition of x -> a * x + b, whose order shows.
void Generator::compose() {
  const Known* found =
      find([](const Known& k) { return !k.value.shape.empty() && !is_float(k.value.dtype) && k.value.dtype != DType::boolean; });
  if (!found)
    return;
  Value x = found->value, y = get(x.dtype, x.shape).value;
  std::size_t axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(x.shape.size())));
  bool scans = random.chance(50);
  Shape to = scans ? x.shape : with_extent(x.shape, axis, 1);
  Values results = {{kernel.fresh(), x.dtype, to}, {kernel.fresh(), x.dtype, to}}, p;
  kernel.open(names(results) + " = tile." + (scans ? "scan_by " : "reduce_by ") + names({x, y}) + " axis " + std::to_string(axis) +
              (scans && random.chance(50) ? " reverse" : "") + " : " + x.type() + ", " + y.type() + " -> " + results[0].type() +
              ", " + results[1].type() + " {");
  std::string header;
  for (int i = 0; i < 4; ++i) {
    p.push_back({kernel.fresh(), x.dtype, {}});
    header += (i ? ", " : "") + p.back().name + ": " + spell(x.dtype);
  }
  kernel.line("^bb0(" + header + "):");
  Value a = kernel.same("mul", {p[2], p[0]}), b = kernel.same("add", {kernel.same("mul", {p[2], p[1]}), p[3]});
  kernel.line("tile.yield " + names({a, b}) + " : " + a.type() + ", " + b.type());
  kernel.close();
  for (const Value& value : results)
    keep(value);
}

void Generator::product() {
  auto fits = [](const Known& k) {
    DType t = k.value.dtype;
    return k.value.shape.size() >= 2 && k.error == 0 && (is_float(t) || tegula::size_of(t) == 1) && t != DType::boolean &&
           t != DType::f8e8m0;
  };
  const Known* found = find(fits);
  if (!found)
    return;
  Known a = *found;
  const DType t = a.value.dtype, acc = t == DType::f64 ? t : is_float(t) ? DType::f32 : DType::i32;
  std::size_t rank = a.value.shape.size();
  Shape shape_b = a.value.shape, shape_c = a.value.shape;
  std::int64_t depth = a.value.shape[rank - 1], columns = std::int64_t{1} << random.below(5);
  shape_b[rank - 2] = depth;
  shape_b[rank - 1] = shape_c[rank - 1] = columns;
  if (size_of(shape_b) > 1024 || size_of(shape_c) > 1024)
    return;
  Known b = get(t, shape_b), c = get(acc, shape_c);
  bool tf32 = t == DType::f32 && random.chance(25);
  Value result = kernel.emit("tile.mma " + names({a.value, b.value, c.value}) + (tf32 ? " tf32" : "") + " : " + a.value.type() +
                                 ", " + b.value.type() + " -> " + c.value.type(),
                             acc, shape_c);
  if (!is_float(acc)) {
    keep(result);
    return;
  }
  bool is_exact = a.is_integral && b.is_integral && c.is_integral;
  Real error = is_exact ? 0 : static_cast<Real>(depth + 2) * ulp(acc, static_cast<Real>(depth + 1) * limit * limit);
  keep(bound(result), error, is_exact);
}

} // namespace tegula::test

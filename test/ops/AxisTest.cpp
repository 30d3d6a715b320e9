// Reductions, scans, the index of the largest, and sorting.
#include "test/ops/OperationTest.h"

#include <algorithm>
#include <cmath>

namespace tegula::test {

namespace {

struct AxisShape {
  Shape shape;
  std::size_t axis;
  std::string name() const {
    std::string text;
    for (std::int64_t extent : shape)
      text += std::to_string(extent) + "x";
    text.back() = '_';
    return text + "axis_" + std::to_string(axis);
  }
  Shape with(std::int64_t extent) const {
    Shape result = shape;
    result[axis] = extent;
    return result;
  }
};

/// Elements of one line along the axis.
Bits line_at(const AxisShape& at, const Bits& tile, Shape index) {
  Bits line;
  for (index[at.axis] = 0; index[at.axis] < at.shape[at.axis]; ++index[at.axis])
    line.push_back(tile[static_cast<std::size_t>(flatten(at.shape, index))]);
  return line;
}

/// Applies `on_line` to every line; what it gives for each output has that output's extent along the axis.
Results along(const AxisShape& at, const std::vector<Bits>& in, const Shape& result_extents,
              const std::function<Results(const std::vector<Bits>& lines)>& on_line) {
  Results results;
  for (std::int64_t extent : result_extents)
    results.emplace_back(static_cast<std::size_t>(size_of(at.with(extent))));
  for_each_index(at.with(1), [&](const Shape& index) {
    std::vector<Bits> lines;
    for (const Bits& tile : in)
      lines.push_back(line_at(at, tile, index));
    Results made = on_line(lines);
    for (std::size_t r = 0; r < results.size(); ++r) {
      Shape to = index;
      for (std::int64_t i = 0; i < result_extents[r]; ++i) {
        to[at.axis] = i;
        results[r][static_cast<std::size_t>(flatten(at.with(result_extents[r]), to))] = made[r][static_cast<std::size_t>(i)];
      }
    }
  });
  return results;
}

//===----------------------------------------------------------------------===//
// reduce and scan
//===----------------------------------------------------------------------===//

/// f16 and bf16 may be combined in f32 or in their own type step by step; anything between is within this error.
Real error_of(DType dtype, std::size_t steps, Real magnitude) { return static_cast<Real>(steps) * ulp(dtype, magnitude); }

Expected combined(const std::string& combiner, DType dtype, const Bits& line) {
  if (dtype == DType::boolean)
    return Expected::of_bits(combiner == "any" ? std::count(line.begin(), line.end(), 1u) > 0
                                               : std::count(line.begin(), line.end(), 0u) == 0);
  if (!is_float(dtype)) {
    Whole result = decode_integer(dtype, line[0]);
    for (std::size_t i = 1; i < line.size(); ++i) {
      Whole next = decode_integer(dtype, line[i]);
      result = combiner == "sum"    ? result + next
               : combiner == "prod" ? result * next
               : combiner == "min"  ? std::min(result, next)
                                    : std::max(result, next);
      result = decode_integer(dtype, encode_integer(dtype, result));
    }
    return Expected::of_bits(encode_integer(dtype, result));
  }
  Real result = decode(dtype, line[0]), magnitude = std::fabs(result);
  bool has_nan = std::isnan(result);
  for (std::size_t i = 1; i < line.size(); ++i) {
    Real next = decode(dtype, line[i]);
    has_nan = has_nan || std::isnan(next);
    result = combiner == "sum"    ? result + next
             : combiner == "prod" ? result * next
             : combiner == "min"  ? std::min(result, next)
                                  : std::max(result, next);
    magnitude = combiner == "sum" ? magnitude + std::fabs(next) : std::fabs(result);
  }
  if (combiner == "min" || combiner == "max")
    return Expected::of_bits(encode(dtype, has_nan ? std::numeric_limits<Real>::quiet_NaN() : result));
  return Expected::about(result, error_of(dtype, line.size() - 1, magnitude));
}

/// Sums and products of floats stay far from the end of the range, where the order would matter.
Bits bounded_values(const std::string& combiner, DType dtype, std::int64_t count, Random& random) {
  if (!is_float(dtype))
    return combiner == "any" || combiner == "all" ? random_bits(dtype, random, count) : random_values(dtype, random, count, -9, 9);
  if (combiner == "prod") {
    Bits values = random_values(dtype, random, count, 0.75, 1.25);
    for (std::uint64_t& value : values)
      value ^= random.chance(30) ? encode(dtype, -0.0L) : 0;
    return values;
  }
  Bits values = random_values(dtype, random, count), extremes = special_values(dtype);
  if (combiner == "min" || combiner == "max")
    for (std::uint64_t& value : values)
      if (random.chance(5))
        value = random.pick(extremes);
  return values;
}

TileCase reduce_case(const std::string& combiner, DType dtype, const AxisShape& at) {
  TileCase test{case_name("reduce_" + combiner + "_" + at.name(), dtype), {{dtype, at.shape}}, {{dtype, at.with(1)}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    return Values{kernel.emit("tile.reduce " + combiner + " " + in[0].name + " axis " + std::to_string(at.axis) + " : " +
                                  in[0].type() + " -> " + spell(dtype, at.with(1)),
                              dtype, at.with(1))};
  };
  test.reference = [=](const std::vector<Bits>& in) {
    return along(at, in, {1}, [&](const std::vector<Bits>& lines) { return Results{{combined(combiner, dtype, lines[0])}}; });
  };
  test.values = [=](std::size_t, std::int64_t count, Random& random) { return bounded_values(combiner, dtype, count, random); };
  test.zeros_differ = false;
  return test;
}

TileCase scan_case(const std::string& combiner, DType dtype, const AxisShape& at, bool reverse) {
  TileCase test{case_name("scan_" + combiner + "_" + at.name() + (reverse ? "_reverse" : ""), dtype),
                {{dtype, at.shape}},
                {{dtype, at.shape}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    return Values{kernel.emit("tile.scan " + combiner + " " + in[0].name + " axis " + std::to_string(at.axis) +
                                  (reverse ? " reverse" : "") + " : " + in[0].type(),
                              dtype, at.shape)};
  };
  test.reference = [=](const std::vector<Bits>& in) {
    return along(at, in, {at.shape[at.axis]}, [&](const std::vector<Bits>& lines) {
      std::vector<Expected> results;
      for (std::size_t i = 0; i < lines[0].size(); ++i) {
        auto here = lines[0].begin() + static_cast<std::ptrdiff_t>(i);
        results.push_back(combined(combiner, dtype, reverse ? Bits(here, lines[0].end()) : Bits(lines[0].begin(), here + 1)));
      }
      return Results{results};
    });
  };
  test.values = [=](std::size_t, std::int64_t count, Random& random) { return bounded_values(combiner, dtype, count, random); };
  test.zeros_differ = false;
  return test;
}

//===----------------------------------------------------------------------===//
// arg_reduce and sort
//===----------------------------------------------------------------------===//

bool is_nan(DType t, std::uint64_t x) { return is_float(t) && std::isnan(decode(t, x)); }
bool is_less(DType t, std::uint64_t a, std::uint64_t b) {
  return is_float(t) ? decode(t, a) < decode(t, b) : decode_integer(t, a) < decode_integer(t, b);
}

std::uint64_t index_of(const std::string& combiner, DType t, const Bits& line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (is_nan(t, line[i]))
      return i;
  auto less = [t](std::uint64_t a, std::uint64_t b) { return is_less(t, a, b); };
  auto found =
      combiner == "min" ? std::min_element(line.begin(), line.end(), less) : std::max_element(line.begin(), line.end(), less);
  return static_cast<std::uint64_t>(found - line.begin());
}

/// Few different numbers, so that some are equal.
Bits repeating_values(DType dtype, std::int64_t count, Random& random) {
  Bits values = random_values(dtype, random, count, -6, 6), extremes = special_values(dtype);
  for (std::uint64_t& value : values) {
    if (is_float(dtype))
      value = encode(dtype, std::trunc(decode(dtype, value)));
    if (random.chance(10))
      value = random.pick(extremes);
  }
  return values;
}

TileCase arg_case(const std::string& combiner, DType dtype, const AxisShape& at) {
  TileCase test{case_name("arg_" + combiner + "_" + at.name(), dtype), {{dtype, at.shape}}, {{DType::i32, at.with(1)}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    return Values{kernel.emit("tile.arg_reduce " + combiner + " " + in[0].name + " axis " + std::to_string(at.axis) + " : " +
                                  in[0].type() + " -> " + spell(DType::i32, at.with(1)),
                              DType::i32, at.with(1))};
  };
  test.reference = [=](const std::vector<Bits>& in) {
    return along(at, in, {1},
                 [&](const std::vector<Bits>& lines) { return Results{{Expected::of_bits(index_of(combiner, dtype, lines[0]))}}; });
  };
  test.values = [=](std::size_t, std::int64_t count, Random& random) { return repeating_values(dtype, count, random); };
  return test;
}

/// Insertion sort: what is equal keeps its order.
Results sorted(DType dtype, const Bits& line, bool descending, std::size_t kept) {
  auto before = [&](std::uint64_t a, std::uint64_t b) {
    if (descending)
      std::swap(a, b);
    return is_nan(dtype, b) ? !is_nan(dtype, a) : is_less(dtype, a, b);
  };
  Bits order;
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::size_t place = order.size();
    while (place > 0 && before(line[i], line[order[place - 1]]))
      --place;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), i);
  }
  Bits values, indices(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::uint64_t i : indices)
    values.push_back(line[i]);
  return {exactly(values), exactly(indices)};
}

TileCase sort_case(DType dtype, const AxisShape& at, bool descending, std::int64_t kept) {
  std::string name = std::string(descending ? "sort_descending_" : "sort_") + at.name() + "_keep_" + std::to_string(kept);
  TileCase test{case_name(name, dtype), {{dtype, at.shape}}, {{dtype, at.with(kept)}, {DType::i32, at.with(kept)}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    Value values{kernel.fresh(), dtype, at.with(kept)}, indices{kernel.fresh(), DType::i32, at.with(kept)};
    kernel.line(names({values, indices}) + " = tile.sort " + in[0].name + " axis " + std::to_string(at.axis) +
                (descending ? " descending" : "") + " : " + in[0].type() + " -> " + values.type() + ", " + indices.type());
    return Values{values, indices};
  };
  test.reference = [=](const std::vector<Bits>& in) {
    return along(at, in, {kept, kept}, [&](const std::vector<Bits>& lines) {
      return sorted(dtype, lines[0], descending, static_cast<std::size_t>(kept));
    });
  };
  test.values = [=](std::size_t, std::int64_t count, Random& random) { return repeating_values(dtype, count, random); };
  return test;
}

/// How the elements lie of which only the first few are kept.
enum class Contents { different, equal, in_order };

/// A few of a long line, which a GPU selects before it sorts them.
TileCase few_case(DType dtype, const AxisShape& at, bool descending, std::int64_t kept, Contents contents) {
  TileCase test = sort_case(dtype, at, descending, kept);
  if (contents == Contents::equal)
    return test;
  test.name += contents == Contents::in_order ? "_in_order" : "_different";
  test.values = [=](std::size_t, std::int64_t count, Random& random) {
    Bits values = random_bits(dtype, random, count);
    if (contents == Contents::in_order)
      std::ranges::sort(
          values, [&](std::uint64_t a, std::uint64_t b) { return is_nan(dtype, b) ? !is_nan(dtype, a) : is_less(dtype, a, b); });
    return values;
  };
  return test;
}

/// A threshold is found among groups of elements if they differ; among all of them, if the first are neighbours; and by their
/// indices, if they are equal.
std::vector<TileCase> few_cases() {
  std::vector<TileCase> result;
  for (Contents contents : {Contents::different, Contents::equal, Contents::in_order}) {
    for (DType dtype : all_dtypes)
      if (!is_fp8(dtype) && dtype != DType::boolean)
        result.push_back(few_case(dtype, {{256}, 0}, contents != Contents::equal, 16, contents));
    result.push_back(few_case(DType::f32, {{256}, 0}, contents == Contents::equal, 32, contents));
    result.push_back(few_case(DType::f32, {{1, 2048}, 1}, true, 64, contents));
    result.push_back(few_case(DType::i32, {{512, 1}, 0}, true, 1, contents));
  }
  result.push_back(few_case(DType::bf16, {{1, 2048, 1}, 1}, true, 256, Contents::different)); // two warps sort what was selected
  result.push_back(few_case(DType::f32, {{2, 256}, 1}, true, 8, Contents::different));        // two lines: sorted as a whole
  return result;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  const AxisShape everywhere[] = {{{8, 32}, 1}, {{16, 8}, 0}};
  const AxisShape sometimes[] = {{{64}, 0}, {{1}, 0}, {{2, 4, 8}, 1}, {{2, 4, 1}, 2}, {{2, 2, 4, 8}, 0}, {{2, 1, 2, 2, 4, 4}, 4}};
  for (DType dtype : all_dtypes) {
    if (is_fp8(dtype))
      continue;
    std::vector<AxisShape> shapes(std::begin(everywhere), std::end(everywhere));
    if (dtype == DType::f32 || dtype == DType::i32 || dtype == DType::bf16 || dtype == DType::boolean)
      shapes.insert(shapes.end(), std::begin(sometimes), std::end(sometimes));
    bool is_bool = dtype == DType::boolean;
    for (const AxisShape& at : shapes) {
      for (const char* combiner : is_bool ? std::vector{"any", "all"} : std::vector{"sum", "prod", "min", "max"}) {
        result.push_back(reduce_case(combiner, dtype, at));
        for (bool reverse : {false, true})
          result.push_back(scan_case(combiner, dtype, at, reverse));
      }
      if (is_bool)
        continue;
      result.push_back(arg_case("max", dtype, at));
      result.push_back(arg_case("min", dtype, at));
      std::int64_t extent = at.shape[at.axis];
      result.push_back(sort_case(dtype, at, false, extent));
      result.push_back(sort_case(dtype, at, true, std::max<std::int64_t>(1, extent / 4)));
    }
  }
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(axis, cases());
TEGULA_OPERATION_CASES(few, few_cases());

} // namespace tegula::test

// reduce_by and scan_by: combiners of the user's own. Composition of the functions x -> a * x + b is associative but not
// commutative, so a result shows the order in which elements were combined.
#include "test/ops/OperationTest.h"

namespace tegula::test {

namespace {

struct Where {
  Shape shape;
  std::size_t axis;
};

Shape with_extent(Shape shape, std::size_t axis, std::int64_t extent) {
  shape[axis] = extent;
  return shape;
}

/// first, then second: second.a * (first.a * x + first.b) + second.b
void compose(DType dtype, Whole& a, Whole& b, Whole second_a, Whole second_b) {
  a = decode_integer(dtype, encode_integer(dtype, multiply(second_a, a)));
  b = decode_integer(dtype, encode_integer(dtype, static_cast<Whole>(encode_integer(dtype, multiply(second_a, b))) + second_b));
}

void emit_composition(KernelText& kernel, DType dtype) {
  Values p;
  std::string header = "^bb0(";
  for (int i = 0; i < 4; ++i) {
    p.push_back({kernel.fresh(), dtype, {}});
    header += (i ? ", " : "") + p.back().name + ": " + spell(dtype);
  }
  kernel.line(header + "):");
  Value a = kernel.same("mul", {p[2], p[0]}), scaled = kernel.same("mul", {p[2], p[1]}), b = kernel.same("add", {scaled, p[3]});
  kernel.line("tile.yield " + names({a, b}) + " : " + a.type() + ", " + b.type());
}

TileCase composition_case(const std::string& operation, DType dtype, const Where& at, bool reverse) {
  bool scans = operation == "scan_by";
  Shape result = scans ? at.shape : with_extent(at.shape, at.axis, 1);
  std::string name = operation + "_composition_rank_" + std::to_string(at.shape.size()) + "_axis_" + std::to_string(at.axis) +
                     (reverse ? "_reverse" : "");
  TileCase test{case_name(name, dtype), {{dtype, at.shape}, {dtype, at.shape}}, {{dtype, result}, {dtype, result}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    Values results = {{kernel.fresh(), dtype, result}, {kernel.fresh(), dtype, result}};
    kernel.open(names(results) + " = tile." + operation + " " + names(in) + " axis " + std::to_string(at.axis) +
                (reverse ? " reverse" : "") + " : " + in[0].type() + ", " + in[1].type() + " -> " + results[0].type() + ", " +
                results[1].type() + " {");
    emit_composition(kernel, dtype);
    kernel.close();
    return results;
  };
  test.reference = [=](const std::vector<Bits>& in) {
    Results results(2);
    for_each_index(result, [&](Shape index) {
      // From the first element in the scan's direction to this one.
      std::int64_t count = !scans ? at.shape[at.axis] : reverse ? at.shape[at.axis] - index[at.axis] : index[at.axis] + 1;
      Whole a = 1, b = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        index[at.axis] = reverse ? at.shape[at.axis] - 1 - i : i;
        std::size_t place = static_cast<std::size_t>(flatten(at.shape, index));
        compose(dtype, a, b, decode_integer(dtype, in[0][place]), decode_integer(dtype, in[1][place]));
      }
      results[0].push_back(Expected::of_bits(encode_integer(dtype, a)));
      results[1].push_back(Expected::of_bits(encode_integer(dtype, b)));
    });
    return results;
  };
  test.values = [dtype](std::size_t, std::int64_t count, Random& random) { return random_bits(dtype, random, count); };
  return test;
}

/// The largest and where it is: a float and an integer operand. Ties go to the earlier.
TileCase largest_case(DType dtype, const Where& at) {
  Shape result = with_extent(at.shape, at.axis, 1);
  TileCase test{case_name("reduce_by_largest_rank_" + std::to_string(at.shape.size()), dtype),
                {{dtype, at.shape}},
                {{dtype, result}, {DType::i32, result}}};
  test.emit = [=](KernelText& kernel, const Values& in) {
    Value places =
        kernel.emit("tile.iota axis " + std::to_string(at.axis) + " : " + spell(DType::i32, at.shape), DType::i32, at.shape);
    Values results = {{kernel.fresh(), dtype, result}, {kernel.fresh(), DType::i32, result}};
    Value x{kernel.fresh(), dtype, {}}, i{kernel.fresh(), DType::i32, {}}, y{kernel.fresh(), dtype, {}},
        j{kernel.fresh(), DType::i32, {}};
    kernel.open(names(results) + " = tile.reduce_by " + names({in[0], places}) + " axis " + std::to_string(at.axis) + " : " +
                in[0].type() + ", " + places.type() + " -> " + results[0].type() + ", " + results[1].type() + " {");
    kernel.line("^bb0(" + x.name + ": " + x.type() + ", " + i.name + ": i32, " + y.name + ": " + y.type() + ", " + j.name +
                ": i32):");
    Value wins = kernel.emit("tile.cmp ge, " + names({x, y}) + " : " + x.type() + " -> i1", DType::boolean);
    Value value = kernel.emit("tile.select " + names({wins, x, y}) + " : i1, " + x.type(), dtype);
    Value place = kernel.emit("tile.select " + names({wins, i, j}) + " : i1, i32", DType::i32);
    kernel.line("tile.yield " + names({value, place}) + " : " + value.type() + ", i32");
    kernel.close();
    return results;
  };
  test.reference = [=](const std::vector<Bits>& in) {
    Results results(2);
    for_each_index(result, [&](Shape index) {
      auto number = [&](std::int64_t i) {
        index[at.axis] = i;
        std::uint64_t bits = in[0][static_cast<std::size_t>(flatten(at.shape, index))];
        return std::pair{bits, is_float(dtype) ? decode(dtype, bits) : static_cast<Real>(decode_integer(dtype, bits))};
      };
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < at.shape[at.axis]; ++i)
        if (number(i).second > number(best).second)
          best = i;
      results[0].push_back(Expected::of_bits(number(best).first));
      results[1].push_back(Expected::of_bits(static_cast<std::uint64_t>(best)));
    });
    return results;
  };
  test.values = [dtype](std::size_t, std::int64_t count, Random& random) { return random_values(dtype, random, count, -20, 20); };
  return test;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  const Where shapes[] = {{{64}, 0}, {{8, 16}, 1}, {{16, 4}, 0}, {{2, 4, 8}, 1}, {{2, 2, 4, 2}, 2}};
  for (DType dtype : all_dtypes) {
    if (!is_number(dtype))
      continue;
    for (const Where& at : {shapes[1], shapes[3]})
      result.push_back(largest_case(dtype, at));
    if (is_float(dtype))
      continue;
    for (const Where& at : shapes) {
      result.push_back(composition_case("reduce_by", dtype, at, false));
      result.push_back(composition_case("scan_by", dtype, at, false));
      result.push_back(composition_case("scan_by", dtype, at, true));
    }
  }
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(combiner, cases());

} // namespace tegula::test

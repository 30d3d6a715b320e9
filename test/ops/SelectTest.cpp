// Comparisons and select, for every element type.
#include "test/ops/OperationTest.h"

namespace tegula::test {

namespace {

constexpr const char* predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};

template <class T> bool holds(std::size_t predicate, T a, T b) {
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  return results[predicate];
}

/// All six comparisons in one kernel.
TileCase compare_case(DType dtype, const Shape& tile) {
  TileCase test{case_name("cmp", dtype) + (tile.empty() ? "_scalar" : ""),
                {{dtype, tile}, {dtype, tile}},
                std::vector<TileType>(std::size(predicates), {DType::boolean, tile})};
  test.emit = [](KernelText& kernel, const Values& in) {
    Values results;
    for (const char* predicate : predicates)
      results.push_back(kernel.emit(std::string("tile.cmp ") + predicate + ", " + names(in) + " : " + in[0].type() + " -> " +
                                        spell(DType::boolean, in[0].shape),
                                    DType::boolean, in[0].shape));
    return results;
  };
  test.reference = [dtype](const std::vector<Bits>& in) {
    Results results;
    for (std::size_t p = 0; p < std::size(predicates); ++p) {
      std::vector<Expected>& result = results.emplace_back();
      for (std::size_t i = 0; i < in[0].size(); ++i)
        result.push_back(Expected::of_bits(is_float(dtype)
                                               ? holds(p, decode(dtype, in[0][i]), decode(dtype, in[1][i]))
                                               : holds(p, decode_integer(dtype, in[0][i]), decode_integer(dtype, in[1][i]))));
    }
    return results;
  };
  return test;
}

TileCase select_case(DType dtype, const Shape& tile) {
  TileCase test{case_name("select", dtype) + (tile.empty() ? "_scalar" : ""),
                {{DType::boolean, tile}, {dtype, tile}, {dtype, tile}},
                {{dtype, tile}}};
  test.emit = [](KernelText& kernel, const Values& in) {
    return Values{kernel.emit("tile.select " + names(in) + " : " + in[0].type() + ", " + in[1].type(), in[1].dtype, in[1].shape)};
  };
  test.reference = [](const std::vector<Bits>& in) {
    Bits result;
    for (std::size_t i = 0; i < in[0].size(); ++i)
      result.push_back(in[0][i] ? in[1][i] : in[2][i]);
    return Results{exactly(result)};
  };
  return test;
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  for (DType dtype : all_dtypes)
    for (const Shape& tile : {Shape{8, 16}, Shape{}}) {
      result.push_back(compare_case(dtype, tile));
      result.push_back(select_case(dtype, tile));
    }
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(select, cases());

} // namespace tegula::test

// Operations that move elements, for every element type and rank.
#include "test/ops/OperationTest.h"

#include <algorithm>

namespace tegula::test {

namespace {

std::string dims(const Shape& shape) {
  std::string text;
  for (std::int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

std::string list(const Shape& numbers) {
  std::string text;
  for (std::int64_t n : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

/// Says for each element of the result which element of which operand it is.
using Source = std::function<std::pair<std::size_t, Shape>(const Shape& index)>;

TileCase moving_case(const std::string& name, DType dtype, const std::vector<Shape>& operands, const Shape& result,
                     std::function<std::string(const Values&)> text, Source source) {
  TileCase test{case_name(name, dtype), {}, {{dtype, result}}};
  for (const Shape& shape : operands)
    test.inputs.push_back({dtype, shape});
  test.emit = [=](KernelText& kernel, const Values& in) { return Values{kernel.emit(text(in), dtype, result)}; };
  test.reference = [=](const std::vector<Bits>& in) {
    Bits bits;
    for_each_index(result, [&](const Shape& index) {
      auto [operand, at] = source(index);
      bits.push_back(in[operand][static_cast<std::size_t>(flatten(operands[operand], at))]);
    });
    return Results{exactly(bits)};
  };
  test.values = [dtype](std::size_t, std::int64_t count, Random& random) { return random_bits(dtype, random, count); };
  return test;
}

TileCase broadcast_case(DType dtype, const Shape& from, const Shape& to) {
  return moving_case(
      "broadcast_" + dims(from) + "_" + dims(to), dtype, {from}, to,
      [=](const Values& in) { return "tile.broadcast " + in[0].name + " : " + in[0].type() + " -> " + spell(dtype, to); },
      [=](const Shape& index) {
        Shape at(index.end() - static_cast<std::ptrdiff_t>(from.size()), index.end());
        for (std::size_t axis = 0; axis < at.size(); ++axis)
          at[axis] = from[axis] == 1 ? 0 : at[axis];
        return std::pair<std::size_t, Shape>{0, at};
      });
}

TileCase reshape_case(DType dtype, const Shape& from, const Shape& to) {
  return moving_case(
      "reshape_" + dims(from) + "_" + dims(to), dtype, {from}, to,
      [=](const Values& in) { return "tile.reshape " + in[0].name + " : " + in[0].type() + " -> " + spell(dtype, to); },
      [=](const Shape& index) {
        Shape at(from.size());
        std::int64_t linear = flatten(to, index);
        for (std::size_t axis = from.size(); axis-- > 0; linear /= from[axis])
          at[axis] = linear % from[axis];
        return std::pair<std::size_t, Shape>{0, at};
      });
}

TileCase permute_case(DType dtype, const Shape& from, const Shape& permutation) {
  Shape to;
  std::string order;
  for (std::int64_t axis : permutation) {
    to.push_back(from[static_cast<std::size_t>(axis)]);
    order += std::to_string(axis);
  }
  return moving_case(
      "permute_" + dims(from) + "_by_" + order, dtype, {from}, to,
      [=](const Values& in) {
        return "tile.permute " + in[0].name + " " + list(permutation) + " : " + in[0].type() + " -> " + spell(dtype, to);
      },
      [=](const Shape& index) {
        Shape at(index.size());
        for (std::size_t axis = 0; axis < index.size(); ++axis)
          at[static_cast<std::size_t>(permutation[axis])] = index[axis];
        return std::pair<std::size_t, Shape>{0, at};
      });
}

TileCase concat_case(DType dtype, const Shape& from, std::size_t axis) {
  Shape to = from;
  to[axis] *= 2;
  return moving_case(
      "concat_" + dims(from) + "_axis_" + std::to_string(axis), dtype, {from, from}, to,
      [=](const Values& in) {
        return "tile.concat " + names(in) + " axis " + std::to_string(axis) + " : " + in[0].type() + " -> " + spell(dtype, to);
      },
      [=](Shape index) {
        std::size_t operand = index[axis] < from[axis] ? 0 : 1;
        index[axis] %= from[axis];
        return std::pair{operand, index};
      });
}

/// A tile's index as constants.
std::string constants(KernelText& kernel, const Shape& index) {
  Values values;
  for (std::int64_t i : index)
    values.push_back(kernel.integer(i));
  return "[" + names(values) + "]";
}

TileCase extract_case(DType dtype, const Shape& whole, const Shape& piece, const Shape& at) {
  TileCase test = moving_case("extract_" + dims(piece) + "_of_" + dims(whole), dtype, {whole}, piece, nullptr, [=](Shape index) {
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      index[axis] += at[axis] * piece[axis];
    return std::pair<std::size_t, Shape>{0, index};
  });
  test.emit = [=](KernelText& kernel, const Values& in) {
    std::string index = constants(kernel, at);
    return Values{
        kernel.emit("tile.extract " + in[0].name + index + " : " + in[0].type() + " -> " + spell(dtype, piece), dtype, piece)};
  };
  return test;
}

TileCase insert_case(DType dtype, const Shape& whole, const Shape& piece, const Shape& at) {
  TileCase test =
      moving_case("insert_" + dims(piece) + "_into_" + dims(whole), dtype, {piece, whole}, whole, nullptr, [=](Shape index) {
        Shape inner = index;
        bool inside = true;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
          inside = inside && index[axis] / piece[axis] == at[axis];
          inner[axis] -= at[axis] * piece[axis];
        }
        return inside ? std::pair<std::size_t, Shape>{0, inner} : std::pair<std::size_t, Shape>{1, index};
      });
  test.emit = [=](KernelText& kernel, const Values& in) {
    std::string index = constants(kernel, at);
    return Values{kernel.emit(
        "tile.insert " + in[0].name + " into " + in[1].name + index + " : " + in[0].type() + " -> " + in[1].type(), dtype, whole)};
  };
  return test;
}

/// Loading and storing, by rank.
TileCase copy_case(DType dtype, const Shape& tile) {
  TileCase test = moving_case("copy_" + dims(tile), dtype, {tile}, tile, nullptr,
                              [](const Shape& index) { return std::pair<std::size_t, Shape>{0, index}; });
  test.emit = [](KernelText&, const Values& in) { return in; };
  return test;
}

void add_cases(std::vector<TileCase>& to, DType dtype) {
  for (const Shape& tile :
       {Shape{32}, Shape{8, 16}, Shape{2, 4, 8}, Shape{2, 2, 4, 4}, Shape{2, 1, 2, 2, 4}, Shape{2, 2, 1, 2, 2, 4}, Shape{}})
    to.push_back(copy_case(dtype, tile));
  to.push_back(broadcast_case(dtype, {}, {16}));
  to.push_back(broadcast_case(dtype, {1}, {8}));
  to.push_back(broadcast_case(dtype, {8, 1}, {8, 16}));
  to.push_back(broadcast_case(dtype, {1, 16}, {8, 16}));
  to.push_back(broadcast_case(dtype, {4, 1, 2, 1}, {4, 2, 2, 4}));
  to.push_back(reshape_case(dtype, {8, 16}, {128}));
  to.push_back(reshape_case(dtype, {4, 8, 2}, {2, 2, 16}));
  to.push_back(reshape_case(dtype, {1, 1}, {1}));
  to.push_back(reshape_case(dtype, {1}, {}));
  to.push_back(reshape_case(dtype, {}, {1, 1}));
  to.push_back(permute_case(dtype, {8, 16}, {1, 0}));
  to.push_back(permute_case(dtype, {2, 4, 8}, {2, 0, 1}));
  to.push_back(permute_case(dtype, {2, 4, 8, 2}, {0, 2, 1, 3}));
  to.push_back(permute_case(dtype, {2, 2, 1, 4, 2, 2}, {5, 3, 4, 0, 1, 2}));
  to.push_back(concat_case(dtype, {16}, 0));
  to.push_back(concat_case(dtype, {4, 8}, 0));
  to.push_back(concat_case(dtype, {4, 8}, 1));
  to.push_back(concat_case(dtype, {2, 4, 2}, 1));
  to.push_back(extract_case(dtype, {64}, {16}, {3}));
  to.push_back(extract_case(dtype, {8, 16}, {4, 8}, {1, 0}));
  to.push_back(extract_case(dtype, {8, 16}, {1, 16}, {5, 0}));
  to.push_back(extract_case(dtype, {4, 4, 4}, {2, 1, 4}, {1, 3, 0}));
  to.push_back(insert_case(dtype, {64}, {16}, {2}));
  to.push_back(insert_case(dtype, {8, 16}, {4, 8}, {0, 1}));
  to.push_back(insert_case(dtype, {4, 4, 4}, {2, 1, 4}, {1, 2, 0}));
}

std::vector<TileCase> cases() {
  std::vector<TileCase> result;
  for (DType dtype : all_dtypes)
    add_cases(result, dtype);
  return result;
}

} // namespace

TEGULA_OPERATION_CASES(shape, cases());

} // namespace tegula::test

#include "test/ops/OperationTest.h"

#include <algorithm>

namespace tegula::test {

static Shape extents_of(const Shape& tile, ShapeClass shape_class) {
  Shape extents = tile;
  for (std::size_t axis = 0; axis < tile.size(); ++axis) {
    switch (shape_class) {
    case ShapeClass::exact:
      extents[axis] = axis == 0 ? 2 * tile[axis] : tile[axis];
      break;
    case ShapeClass::ragged:
      extents[axis] = (axis == 0 ? tile[axis] : 0) + std::max<std::int64_t>(1, tile[axis] * 5 / 8);
      break;
    case ShapeClass::one_element:
      extents[axis] = 1;
      break;
    case ShapeClass::empty:
      extents[axis] = axis == 0 ? 0 : tile[axis];
      break;
    }
  }
  return extents;
}

/// Half special values, half random ones, mixed so that those of several inputs meet.
static Bits values_for(const TileCase& test, std::size_t input, std::int64_t count, Random& random) {
  if (test.values)
    return test.values(input, count, random);
  DType dtype = test.inputs[input].dtype;
  Bits specials = special_values(dtype), values = random_values(dtype, random, count);
  for (std::uint64_t& value : values)
    if (random.chance(50))
      value = random.pick(specials);
  return values;
}

static std::string text_of(const TileCase& test) {
  KernelText kernel;
  std::vector<ViewParameter> outs, ins;
  for (const TileType& type : test.outputs)
    outs.push_back(kernel.out(type.dtype, type.shape));
  for (const TileType& type : test.inputs)
    ins.push_back(kernel.in(type.dtype, type.shape));
  Value program = kernel.emit("tile.program_id : i64", DType::i64), zero = kernel.integer(0);
  auto index = [&](const ViewParameter& view) {
    Values result(view.tile.size(), zero);
    if (!result.empty())
      result[0] = program;
    return result;
  };
  Values loaded;
  for (const ViewParameter& in : ins)
    loaded.push_back(kernel.load(in, index(in)));
  Values results = test.emit(kernel, loaded);
  for (std::size_t i = 0; i < outs.size(); ++i)
    kernel.store(results[i], outs[i], index(outs[i]));
  return kernel.str();
}

/// Compares one program's piece of an output; false after the first difference.
static bool check(const TileCase& test, std::size_t output, const Tensor& actual, std::int64_t program,
                  const std::vector<Expected>& expected, const std::vector<Bits>& inputs, const std::string& where) {
  const auto& [dtype, tile] = test.outputs[output];
  bool right = true;
  std::int64_t place = -1;
  for_each_index(tile, [&](Shape at) {
    ++place;
    if (!tile.empty())
      at[0] += program * tile[0];
    if (!right || !actual.contains(at) ||
        matches(dtype, actual.get(at), expected[static_cast<std::size_t>(place)], test.zeros_differ))
      return;
    right = false;
    std::string operands;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].size() == expected.size())
        operands +=
            "  operand " + std::to_string(i) + ": " + show(test.inputs[i].dtype, inputs[i][static_cast<std::size_t>(place)]) + "\n";
    ADD_FAILURE() << where << ", output " << output << ", program " << program << ", element " << place << "\n"
                  << "  actual:    " << show(dtype, actual.get(at)) << "\n"
                  << "  expected:  " << show(dtype, expected[static_cast<std::size_t>(place)]) << "\n"
                  << operands;
  });
  return right;
}

static bool run_once(const TileCase& test, Executable& kernel, ShapeClass shape_class, Random& random, const std::string& where) {
  std::vector<Tensor> ins, outs;
  std::vector<Argument> arguments;
  for (const TileType& type : test.outputs)
    outs.emplace_back(type.dtype, extents_of(type.shape, shape_class));
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    Shape extents = extents_of(test.inputs[i].shape, shape_class);
    ins.emplace_back(test.inputs[i].dtype, extents, values_for(test, i, size_of(extents), random));
  }
  for (Tensor& tensor : outs)
    arguments.push_back(&tensor);
  for (Tensor& tensor : ins)
    arguments.push_back(&tensor);
  std::int64_t programs = tile_count(outs[0], test.outputs[0].shape);
  Outcome outcome = kernel.run(arguments, programs);
  EXPECT_FALSE(outcome.failure) << where << ": " << *outcome.failure;
  for (const Argument& argument : arguments)
    EXPECT_TRUE(std::get<Tensor*>(argument)->bytes.is_intact()) << where << ": wrote before a tensor";
  bool right = !testing::Test::HasFailure();
  for (std::int64_t program = 0; program < programs && right; ++program) {
    std::vector<Bits> tiles;
    for (std::size_t i = 0; i < ins.size(); ++i) {
      Shape index(test.inputs[i].shape.size(), 0);
      if (!index.empty())
        index[0] = program;
      tiles.push_back(read_tile(ins[i], test.inputs[i].shape, index));
    }
    Results expected = test.reference(tiles);
    for (std::size_t output = 0; output < outs.size() && right; ++output)
      right = check(test, output, outs[output], program, expected[output], tiles, where);
  }
  return right;
}

void run_case(const TileCase& test, Executor executor) {
  std::string text = text_of(test);
  std::unique_ptr<Executable> kernel = prepare(executor, text);
  Random random(test.name);
  bool is_scalar = test.outputs[0].shape.empty(), right = true;
  if (is_scalar) // many single values
    for (int repeat = 0; repeat < 40 && right; ++repeat)
      right = run_once(test, *kernel, ShapeClass::one_element, random, "scalar");
  else
    for (auto [shape_class, where] : {std::pair{ShapeClass::exact, "exact"},
                                      {ShapeClass::ragged, "ragged"},
                                      {ShapeClass::one_element, "one element"},
                                      {ShapeClass::empty, "empty"}})
      right = right && run_once(test, *kernel, shape_class, random, where);
  EXPECT_TRUE(right) << text;
}

std::vector<Expected> exactly(const Bits& bits) {
  std::vector<Expected> result;
  for (std::uint64_t b : bits)
    result.push_back(Expected::of_bits(b));
  return result;
}

void PrintTo(const TileCase& test, std::ostream* out) { *out << test.name; }

std::string name_of(const testing::TestParamInfo<std::tuple<Executor, TileCase>>& info) {
  return std::string(name(std::get<0>(info.param))) + "_" + std::get<1>(info.param).name;
}

TEST_P(Operation, matches_reference) { run_case(std::get<1>(GetParam()), std::get<0>(GetParam())); }

} // namespace tegula::test

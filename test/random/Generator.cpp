#include "test/random/Generator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tegula::test {

GeneratedKernel Generator::generate() {
  add_parameters();
  for (int i = 0; i < 3; ++i)
    load();
  run_steps(8 + random.below(16));
  add_outputs();
  result.text = kernel.str();
  return std::move(result);
}

void Generator::run_steps(std::int64_t count) {
  // Weights are by repetition.
  static constexpr Step steps[] = {&Generator::float_arithmetic,
                                   &Generator::float_arithmetic,
                                   &Generator::float_arithmetic,
                                   &Generator::float_function,
                                   &Generator::float_function,
                                   &Generator::integer_arithmetic,
                                   &Generator::integer_arithmetic,
                                   &Generator::integer_arithmetic,
                                   &Generator::compare,
                                   &Generator::compare,
                                   &Generator::select,
                                   &Generator::select,
                                   &Generator::cast,
                                   &Generator::cast,
                                   &Generator::bitcast,
                                   &Generator::create,
                                   &Generator::load,
                                   &Generator::load,
                                   &Generator::broadcast,
                                   &Generator::broadcast,
                                   &Generator::reshape,
                                   &Generator::permute,
                                   &Generator::permute,
                                   &Generator::concat,
                                   &Generator::extract,
                                   &Generator::insert,
                                   &Generator::reduce_or_scan,
                                   &Generator::reduce_or_scan,
                                   &Generator::reduce_or_scan,
                                   &Generator::order,
                                   &Generator::order,
                                   &Generator::compose,
                                   &Generator::product,
                                   &Generator::loop,
                                   &Generator::loop,
                                   &Generator::count_down,
                                   &Generator::choose,
                                   &Generator::choose,
                                   &Generator::accumulate};
  for (std::int64_t i = 0; i < count; ++i)
    (this->*random.pick(steps))();
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

DType Generator::any_dtype() {
  static constexpr DType often[] = {DType::f32, DType::i32, DType::i64, DType::bf16, DType::f16};
  return random.chance(50) ? random.pick(often) : random.pick(all_dtypes);
}

Shape Generator::any_shape(std::int64_t most) {
  static constexpr int ranks[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 6};
  Shape shape(static_cast<std::size_t>(random.pick(ranks)), 1);
  for (std::size_t i = 0; i < 2 * shape.size() + 3 && !shape.empty(); ++i) {
    std::int64_t& extent = shape[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(shape.size())))];
    if (extent < 64 && size_of(shape) * 2 <= most)
      extent *= 2;
  }
  return shape;
}

const Known* Generator::find(const std::function<bool(const Known&)>& condition) {
  std::vector<const Known*> found;
  for (const Known& known : pool)
    if (condition(known))
      found.push_back(&known);
  if (found.empty())
    return nullptr;
  // Prefer tiles to scalars.
  if (random.chance(70) && std::any_of(found.begin(), found.end(), [](const Known* k) { return !k->value.shape.empty(); }))
    std::erase_if(found, [](const Known* k) { return k->value.shape.empty(); });
  // Prefer recent values, so that chains grow long.
  std::size_t from = random.chance(60) ? found.size() * 2 / 3 : 0;
  return found[from + static_cast<std::size_t>(random.below(static_cast<std::int64_t>(found.size() - from)))];
}

Known Generator::get(DType dtype, const Shape& shape) {
  const Known* found = find([&](const Known& k) { return k.value.dtype == dtype && k.value.shape == shape && k.error == 0; });
  if (found && random.chance(90))
    return *found;
  return keep(number(random.below(7) - 3, dtype, shape), 0, true);
}

const Known* Generator::exact_number() {
  return find([](const Known& k) { return is_number(k.value.dtype) && k.error == 0; });
}

Value Generator::scalar_index() {
  const Known* any = find([](const Known& k) { return k.value.dtype == DType::i64 && k.value.shape.empty(); });
  if (any && random.chance(40))
    return random.chance(80) ? kernel.same("rem", {any->value, kernel.integer(3)}) : any->value;
  if (!program.empty() && random.chance(70))
    return random.pick(program);
  return kernel.integer(random.below(4) - 1);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Known Generator::keep(Value value, Real error, bool is_integral) {
  pool.push_back({std::move(value), error, is_integral});
  return pool.back();
}

Value Generator::number(Real x, DType dtype, const Shape& shape) {
  if (dtype == DType::boolean)
    return kernel.constant(x > 0 ? "true" : "false", dtype, shape);
  if (!is_float(dtype))
    return kernel.integer(static_cast<std::int64_t>(is_signed(dtype) ? x : std::max(x, 0.0L)), dtype, shape);
  if (dtype == DType::f8e8m0) // has neither sign nor zero
    x = std::max(std::fabs(x), 1.0L);
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.15Lf", x);
  return kernel.constant(digits, dtype, shape);
}

Value Generator::bound(const Value& x, Real low, Real high) {
  Value above = kernel.same("max", {x, number(low, x.dtype, x.shape)});
  return kernel.same("min", {above, number(high, x.dtype, x.shape)});
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void Generator::add_parameters() {
  Shape grid = any_shape();
  ViewParameter first = kernel.out(random.chance(50) ? DType::f32 : DType::i32, grid);
  result.parameters.push_back({false, true, first.dtype, grid});
  for (std::int64_t i = 0, n = 1 + random.below(3); i < n; ++i) {
    ins.push_back(kernel.in(any_dtype(), random.chance(40) ? grid : any_shape()));
    result.parameters.push_back({false, false, ins.back().dtype, ins.back().tile});
  }
  for (std::int64_t i = 0, n = random.below(3); i < n; ++i) {
    DType dtype = random.chance(50) ? DType::i64 : any_dtype();
    pool.push_back({kernel.scalar(dtype)});
    result.parameters.push_back({true, false, dtype, {}});
  }
  program = kernel.program_index(first);
  for (const Value& index : program)
    keep(index);
  keep(kernel.emit("tile.program_id : i64", DType::i64));
  // The first output tells how many programs there are; it gets a value of its own type.
  ins.push_back(first);
}

void Generator::add_outputs() {
  ViewParameter first = ins.back();
  const Known* same = find([&](const Known& k) { return k.value.dtype == first.dtype && k.value.shape == first.tile; });
  Known stored = same ? *same : get(first.dtype, first.tile);
  kernel.store(stored.value, first, program);
  result.parameters[0].error = stored.error;
  // Most values, the recent first, each in a tensor of its own: one tile for each program along the first axis. What is not stored
  // is not compiled either.
  Value number = kernel.emit("tile.program_id : i64", DType::i64), zero = kernel.integer(0);
  std::size_t stored_count = 0;
  for (std::size_t i = pool.size(); i-- > 0 && stored_count < 12;) {
    Value value = pool[i].value;
    if (value.shape.empty() && random.chance(60))
      continue;
    ++stored_count;
    if (value.shape.empty())
      value = kernel.broadcast(value, {1});
    ViewParameter out = kernel.view("outs", value.dtype, value.shape);
    Values index(value.shape.size(), zero);
    index[0] = number;
    kernel.store(value, out, index);
    result.parameters.push_back({false, true, value.dtype, value.shape, pool[i].error});
  }
}

void Generator::load() {
  const ViewParameter& in = ins[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(ins.size()) - 1))];
  Shape tile = in.tile;
  if (random.chance(20) && !tile.empty()) { // a sub-tile
    std::int64_t& extent = tile[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(tile.size())))];
    extent = std::max<std::int64_t>(1, extent / 2);
  }
  Values index;
  for (std::size_t axis = 0; axis < tile.size(); ++axis)
    index.push_back(scalar_index());
  std::optional<Value> pad;
  if (random.chance(40))
    pad = get(in.dtype, {}).value;
  keep(random.chance(25) ? kernel.load_at_element(in, index, pad, tile) : kernel.load(in, index, pad, tile));
}

} // namespace tegula::test

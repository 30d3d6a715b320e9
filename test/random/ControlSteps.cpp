// Loops and conditions.
#include "test/random/Generator.h"

#include <algorithm>

namespace tegula::test {

static constexpr int deepest = 2;

Generator::Pool Generator::carried_values() {
  Pool result;
  for (std::int64_t i = 0, n = 1 + random.below(3); i < n; ++i)
    if (const Known* found = find([](const Known& k) { return k.error == 0; }))
      result.push_back(*found);
  return result;
}

static std::string types(const std::vector<Known>& values) {
  std::string text;
  for (const Known& known : values)
    text += (text.empty() ? "" : ", ") + known.value.type();
  return text;
}

static Values values_of(const std::vector<Known>& known) {
  Values result;
  for (const Known& k : known)
    result.push_back(k.value);
  return result;
}

/// Fresh names for values of the same types.
static std::vector<Known> renamed(const std::vector<Known>& values, KernelText& kernel) {
  std::vector<Known> result = values;
  for (Known& known : result) {
    known.value.name = kernel.fresh();
    known.is_integral = false;
  }
  return result;
}

static std::string bindings(const std::vector<Known>& arguments, const std::vector<Known>& inits) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    text += (i ? ", " : "") + arguments[i].value.name + " = " + inits[i].value.name;
  return text;
}

static std::string parameters(const std::vector<Known>& arguments) {
  std::string text;
  for (const Known& argument : arguments)
    text += (text.empty() ? "" : ", ") + argument.value.name + ": " + argument.value.type();
  return text;
}

Values Generator::body(const Pool& arguments, std::int64_t steps) {
  Pool outer = pool;
  pool.insert(pool.end(), arguments.begin(), arguments.end());
  ++depth;
  run_steps(steps);
  --depth;
  Values results;
  for (const Known& argument : arguments)
    results.push_back(get(argument.value.dtype, argument.value.shape).value);
  pool = outer;
  return results;
}

void Generator::loop() {
  Pool inits = carried_values();
  if (depth == deepest || inits.empty())
    return;
  Pool arguments = renamed(inits, kernel), results = renamed(inits, kernel);
  Value low = kernel.integer(random.below(4) - 2), step = kernel.integer(1 + random.below(2));
  Value high = random.chance(50) ? kernel.integer(random.below(5)) : kernel.same("rem", {scalar_index(), kernel.integer(4)});
  Known counter{{kernel.fresh(), DType::i64, {}}};
  kernel.open(names(values_of(results)) + " = scf.for " + counter.value.name + " = " + low.name + " to " + high.name + " step " +
              step.name + " iter_args(" + bindings(arguments, inits) + ") -> (" + types(inits) + ") : i64 {");
  pool.push_back(counter);
  Values next = body(arguments, 1 + random.below(5));
  pool.pop_back();
  kernel.line("scf.yield " + names(next) + " : " + types(inits));
  kernel.close();
  pool.insert(pool.end(), results.begin(), results.end());
}

/// A while loop that ends: a counter goes down to zero, or a condition of the kernel's own fails first.
void Generator::count_down() {
  Pool inits = carried_values();
  if (depth == deepest || inits.empty())
    return;
  inits.insert(inits.begin(), Known{kernel.integer(random.below(5)), 0, false});
  Pool before = renamed(inits, kernel), after = renamed(inits, kernel), results = renamed(inits, kernel);
  kernel.open(names(values_of(results)) + " = scf.while (" + bindings(before, inits) + ") : (" + types(inits) + ") -> (" +
              types(inits) + ") {");
  Value goes_on =
      kernel.emit("tile.cmp gt, " + before[0].value.name + ", " + kernel.integer(0).name + " : i64 -> i1", DType::boolean);
  if (random.chance(40)) {
    Pool outer = pool;
    pool.insert(pool.end(), before.begin(), before.end());
    goes_on = kernel.same("and", {goes_on, get(DType::boolean, {}).value});
    pool = outer;
  }
  kernel.line("scf.condition(" + goes_on.name + ") " + names(values_of(before)) + " : " + types(inits));
  kernel.close("} do {");
  kernel.open("^bb0(" + parameters(after) + "):");
  Values next = body(after, 1 + random.below(4));
  next[0] = kernel.same("sub", {after[0].value, kernel.integer(1)});
  kernel.line("scf.yield " + names(next) + " : " + types(inits));
  kernel.close();
  pool.insert(pool.end(), results.begin(), results.end());
}

void Generator::choose() {
  Pool like = carried_values();
  if (depth == deepest || like.empty())
    return;
  Pool results = renamed(like, kernel);
  Value condition = get(DType::boolean, {}).value;
  kernel.open(names(values_of(results)) + " = scf.if " + condition.name + " -> (" + types(like) + ") {");
  kernel.line("scf.yield " + names(body(like, 1 + random.below(4))) + " : " + types(like));
  kernel.close("} else {");
  kernel.open("// otherwise");
  kernel.line("scf.yield " + names(body(like, 1 + random.below(4))) + " : " + types(like));
  kernel.close();
  pool.insert(pool.end(), results.begin(), results.end());
}

/// A matrix product over several tiles, or a sum of tiles: the loop that kernels are made of.
void Generator::accumulate() {
  const ViewParameter& in = ins[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(ins.size()) - 1))];
  if (depth == deepest || in.tile.size() != 2 || is_fp8(in.dtype) || in.dtype == DType::boolean)
    return;
  const DType t = in.dtype, acc = t == DType::f64 ? t : is_float(t) ? DType::f32 : DType::i32;
  bool multiplies = is_float(t) || tegula::size_of(t) == 1;
  const std::int64_t rows = in.tile[0], columns = in.tile[1], trips = 1 + random.below(3);
  Shape shape = multiplies ? Shape{rows, rows} : in.tile;
  if (size_of(shape) > 1024)
    return;
  DType carried = multiplies ? acc : t;
  Known init = get(carried, shape);
  Value sum{kernel.fresh(), carried, shape}, argument{kernel.fresh(), carried, shape}, k{kernel.fresh(), DType::i64, {}};
  Value zero = kernel.integer(0), end = kernel.integer(trips), one = kernel.integer(1), row = scalar_index();
  kernel.open(sum.name + " = scf.for " + k.name + " = " + zero.name + " to " + end.name + " step " + one.name + " iter_args(" +
              argument.name + " = " + init.value.name + ") -> (" + sum.type() + ") : i64 {");
  Value a = kernel.load(in, {row, k}), next = a;
  if (multiplies) {
    Value b =
        kernel.emit("tile.permute " + a.name + " [1, 0] : " + a.type() + " -> " + spell(t, {columns, rows}), t, {columns, rows});
    next = kernel.emit("tile.mma " + names({a, b, argument}) + " : " + a.type() + ", " + b.type() + " -> " + argument.type(), acc,
                       shape);
  } else {
    next = kernel.same("add", {argument, a});
  }
  kernel.line("scf.yield " + next.name + " : " + next.type());
  kernel.close();
  if (!is_float(carried)) {
    keep(sum);
    return;
  }
  Real terms = static_cast<Real>(columns * trips + 1);
  keep(bound(sum), (terms + 1) * ulp(carried, terms * limit * limit));
}

} // namespace tegula::test

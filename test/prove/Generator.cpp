#include "test/prove/Generator.h"

namespace tegula::test {

std::string join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string tile_type(const std::vector<std::int64_t>& shape, const std::string& element) {
  std::string text = "tensor<";
  for (std::int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return shape.empty() ? element : text + element + ">";
}

std::string Generator::View::type() const {
  std::string text = "<" + kind + ", ";
  for (std::int64_t extent : tile)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::string Generator::emit(const std::string& text) {
  const std::string name = fresh();
  line(name + " = " + text);
  return name;
}

void Generator::scoped(const std::function<void()>& inside) {
  const std::vector<std::string> scope_before = scope, sums_before = sums;
  ++depth;
  ++nesting;
  inside();
  --nesting;
  --depth;
  scope = scope_before;
  sums = sums_before;
}

void Generator::block(const std::string& head, const std::function<void()>& inside, const std::string& tail) {
  line(head);
  scoped(inside);
  line(tail);
}

std::string Generator::constant(std::int64_t number, const std::string& type) {
  return emit("tile.constant " + std::to_string(number) + " : " + type);
}

std::string Generator::binary(std::string op, std::string a, std::string b) {
  if (r.chance(noise / 2)) {
    switch (r.below(4)) {
    case 0:
      std::swap(a, b);
      break;
    case 1:
      op = r.pick(std::vector<std::string>{"add", "sub", "mul", "div", "rem", "min", "max"});
      break;
    default:
      b = disturbed(b);
    }
  }
  scope.push_back(emit("tile." + op + " " + a + ", " + b + " : i64"));
  return scope.back();
}

std::string Generator::compare(std::string predicate, std::string a, std::string b) {
  if (r.chance(noise / 2))
    predicate = r.pick(std::vector<std::string>{"eq", "ne", "lt", "le", "gt", "ge"});
  return emit("tile.cmp " + predicate + ", " + use(a) + ", " + use(b) + " : i64 -> i1");
}

std::string Generator::dim(const View& view, int axis) {
  return emit("tile.dim " + view.name + " axis " + std::to_string(axis) + " : " + view.type());
}
std::string Generator::count(const View& view, int axis) {
  return emit("tile.num_tiles " + view.name + " axis " + std::to_string(axis) + " : " + view.type());
}
std::string Generator::total(const View& view) {
  if (view.rank() == 0)
    return constant(1);
  std::string result = count(view, 0);
  for (int axis = 1; axis < view.rank(); ++axis)
    result = binary("mul", result, count(view, axis));
  return result;
}
std::string Generator::ceil_div(const std::string& a, const std::string& b) {
  return binary("div", binary("sub", binary("add", a, b), constant(1)), b);
}
std::string Generator::clamp(const std::string& x, const std::string& count) {
  return binary("max", binary("min", x, binary("sub", count, constant(1))), constant(0));
}

std::string Generator::narrowed(const std::string& x) {
  const std::string type = r.pick(std::vector<std::string>{"i8", "i32", "i16", "ui8", "ui32", "ui64"});
  std::string narrow = emit("tile.cast " + x + " : i64 -> " + type);
  if (r.chance(30))
    narrow = emit("tile." + r.pick(std::vector<std::string>{"add", "sub", "mul", "min", "max"}) + " " + narrow + ", " +
                  constant(1 + r.below(3), type) + " : " + type);
  return emit("tile.cast " + narrow + " : " + type + " -> i64");
}

std::string Generator::disturbed(const std::string& x) {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  switch (r.below(21)) {
  case 0:
  case 1:
    return binary("add", x, constant(1));
  case 2:
  case 3:
    return binary("sub", x, constant(1));
  case 4:
    return binary("mul", x, constant(r.pick(std::vector<std::int64_t>{2, 3, -1, 4, 0})));
  case 5:
    return binary("div", x, constant(r.pick(std::vector<std::int64_t>{2, 3, -2, 0, 4})));
  case 6:
    return binary("rem", x, r.chance(50) ? any() : constant(r.pick(std::vector<std::int64_t>{2, 3, -3, 0, 4})));
  case 7:
    return binary(r.chance(50) ? "min" : "max", x, r.chance(50) ? any() : constant(r.below(5)));
  case 8:
    return any();
  case 9:
    return emit("tile.select " + condition(x) + ", " + x + ", " + any() + " : i1, i64");
  case 10:
    return emit("tile.and " + x + ", " + constant(r.pick(std::vector<std::int64_t>{1, 3, 7, 5, -1, -2})) + " : i64");
  case 11:
    return emit("tile." + std::string(r.chance(50) ? "shl " : "shr ") + x + ", " +
                constant(r.pick(std::vector<std::int64_t>{0, 1, 2, 62, 63, 64, -1})) + " : i64");
  case 12:
    return narrowed(x);
  case 13: { // wraps twice, or does it?
    const std::string big = constant(r.pick(std::vector<std::int64_t>{huge, INT64_MAX, INT64_MIN, huge - 1, huge + 1, -huge}));
    return binary(r.chance(50) ? "sub" : "add", binary("add", x, big), big);
  }
  case 14:
    return emit("tile." + r.pick(std::vector<std::string>{"neg ", "abs ", "not "}) + x + " : i64");
  case 15:
    return chosen(x);
  case 18:
    return read_number();
  case 19:
    return counted();
  case 16:
    return binary("mul", binary("div", x, constant(2)), constant(2));
  case 17:
    return emit("tile.xor " + x + ", " + (r.chance(50) ? constant(1) : any()) + " : i64");
  default:
    return expression(2);
  }
}

/// The result of a branch; what it yields is perhaps computed there.
std::string Generator::chosen(const std::string& x) {
  const std::string result = fresh(), flag = condition(x);
  const auto side = [&] {
    std::string value = r.chance(40) ? x : any();
    if (r.chance(30))
      value = binary(r.chance(50) ? "div" : "rem", value, any());
    else if (r.chance(40))
      value = read_number();
    else if (r.chance(30))
      value = expression(1);
    line("scf.yield " + value + " : i64");
  };
  block(result + " = scf.if " + flag + " -> (i64) {", side, "} else {");
  scoped(side);
  line("}");
  scope.push_back(result);
  return result;
}

/// A number from memory.
std::string Generator::read_number() {
  for (const View& view : views) {
    const bool is_read = view.is_index() || view.kind == "offsets" || (view.kind == "in" && view.element == "i32" && r.chance(20));
    if (!is_read || view.rank() != 1 || view.tile[0] != 1)
      continue;
    if (view.kind == "offsets" && r.chance(50))
      return emit("tile.segment " + any() + " in " + view.name + " : " + view.type());
    const std::string at = r.chance(50) ? any() : clamp(any(), count(view, 0));
    const std::string tile =
        emit("tile.load " + view.name + "[" + at + "] : " + view.type() + " -> tensor<1x" + view.element + ">");
    const std::string number = emit("tile.reshape " + tile + " : tensor<1x" + view.element + "> -> " + view.element);
    return view.element == "i64" ? number : emit("tile.cast " + number + " : " + view.element + " -> i64");
  }
  return any();
}

/// What a loop leaves behind.
std::string Generator::counted() {
  const std::string result = fresh(), i = fresh(), k = fresh(), zero = constant(0), one = constant(r.chance(80) ? 1 : 2),
                    start = any();
  block(result + " = scf.for " + k + " = " + zero + " to " + any() + " step " + one + " iter_args(" + i + " = " + start +
            ") -> (i64) : i64 {",
        [&] {
          scope.push_back(i);
          scope.push_back(k);
          const std::string more =
              binary(r.chance(80) ? "add" : "sub", i, r.chance(50) ? constant(1 + r.below(2)) : r.pick(uniforms));
          line("scf.yield " + (r.chance(60) ? more : emit("tile.select " + condition(i) + ", " + more + ", " + i + " : i1, i64")) +
               " : i64");
        });
  scope.push_back(result);
  return result;
}

std::string Generator::expression(int levels) {
  if (levels == 0)
    return r.chance(80) ? any() : constant(r.below(6) - 1);
  switch (r.below(10)) {
  case 0:
  case 1:
    return disturbed(expression(levels - 1));
  case 2:
    return emit("tile.select " + condition(any()) + ", " + expression(levels - 1) + ", " + expression(levels - 1) + " : i1, i64");
  default:
    return binary(r.pick(std::vector<std::string>{"add", "sub", "mul", "div", "rem", "min", "max", "add", "sub", "div", "rem"}),
                  expression(levels - 1), expression(levels - 1));
  }
}

void Generator::loop(const std::string& low, const std::string& high, const std::string& step,
                     const std::function<void(const std::string&)>& inside) {
  const std::string variable = fresh(), from = use(low), to = use(high), by = r.chance(noise / 3) ? disturbed(step) : step;
  block("scf.for " + variable + " = " + from + " to " + to + " step " + by + " : i64 {", [&] {
    scope.push_back(variable);
    inside(use(variable));
  });
}

void Generator::dealt(const std::string& high, const std::function<void(const std::string&)>& inside) {
  loop(program, high, programs, inside);
}

void Generator::only_if(const std::string& flag, const std::function<void()>& inside, const std::function<void()>& otherwise) {
  if (r.chance(noise / 3)) // the guard is lost
    return inside();
  block("scf.if " + flag + " {", inside, otherwise ? "} else {" : "}");
  if (otherwise) {
    scoped(otherwise);
    line("}");
  }
}

} // namespace tegula::test

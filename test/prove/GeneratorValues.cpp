// What programs write: values that differ from write to write and depend on what was read, some elements more than once.
#include "test/prove/Generator.h"

namespace tegula::test {

/// Of i32; no two writes have the same, and hardly two elements.
std::string Generator::new_tile(const std::vector<std::int64_t>& shape) {
  const auto add = [&](const std::string& a, const std::string& b, const std::string& type) {
    return emit("tile.add " + a + ", " + b + " : " + type);
  };
  const std::string type = tile_type(shape, "i32");
  std::string number = add(constant(1000 * ++writes, "i32"), emit("tile.cast " + any() + " : i64 -> i32"), "i32");
  if (!sums.empty() && r.chance(70))
    number = add(number, r.pick(sums), "i32");
  if (shape.empty())
    return number;
  std::string tile = emit("tile.broadcast " + number + " : i32 -> " + type);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::string five = emit("tile.constant dense<5> : " + type),
                      moved = emit("tile.mul " + tile + ", " + five + " : " + type);
    tile = add(moved, emit("tile.iota axis " + std::to_string(axis) + " : " + type), type);
  }
  return tile;
}

void Generator::store(const View& view, const Index& index) {
  line("tile.store " + new_tile(view.tile) + ", " + view.name + "[" + join(index) + "] : " + tile_type(view.tile, "i32") + ", " +
       view.type());
}

void Generator::store_at(const View& view, const Index& rest, const std::string& positions, std::int64_t size,
                         const std::string& type, int axis) {
  std::vector<std::int64_t> shape = view.tile;
  shape[static_cast<std::size_t>(axis)] = size;
  line("tile.scatter " + new_tile(shape) + ", " + view.name + "[" + join(rest) + "] by " + positions + " axis " +
       std::to_string(axis) + " : " + tile_type(shape, "i32") + ", " + view.type() + ", " + type);
}

/// Adds up what was read, so that the launch's result depends on it.
void Generator::digest(const std::string& tile, std::vector<std::int64_t> shape, const std::string& element) {
  std::string sum =
      element == "i32" ? tile : emit("tile.cast " + tile + " : " + tile_type(shape, element) + " -> " + tile_type(shape, "i32"));
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::string from = tile_type(shape, "i32");
    shape[axis] = 1;
    sum = emit("tile.reduce sum " + sum + " axis " + std::to_string(axis) + " : " + from + " -> " + tile_type(shape, "i32"));
  }
  if (!shape.empty())
    sum = emit("tile.reshape " + sum + " : " + tile_type(shape, "i32") + " -> i32");
  line("tile.accumulate " + sum + ", " + digest_name + "[] : i32, <add_into, i32>");
  sums.push_back(sum);
}

/// The tile that the program has just written, once more: what it writes last stays.
void Generator::rewrite(const View& view, const Index& index) {
  const auto again = [&] {
    if (view.rank() > 0 && r.chance(view.kind == "patch" ? 60 : 30))
      return store_at_own_positions(view, index);
    line("tile.claim " + view.name + "[" + join(index) + "] : " + view.type());
    store(view, index);
  };
  r.chance(60) ? only_if(condition(any()), again) : again();
}

/// Forwards, backwards or each position twice; what lies beyond the tensor is moved to its end, or dropped.
void Generator::store_at_own_positions(const View& view, const Index& index) {
  const int axis = static_cast<int>(r.below(view.rank()));
  const auto number = static_cast<std::size_t>(axis);
  const std::int64_t size = view.tile[number];
  const std::string type = tile_type({size}, "i64");
  const auto spread = [&](const std::string& x) { return emit("tile.broadcast " + x + " : i64 -> " + type); };
  const auto both = [&](const std::string& op, const std::string& a, const std::string& b) {
    return emit("tile." + op + " " + a + ", " + b + " : " + type);
  };
  std::string lane = emit("tile.iota axis 0 : " + type);
  if (r.chance(30))
    lane = both("sub", spread(constant(size - 1)), lane);
  else if (r.chance(40))
    lane = both("div", lane, spread(constant(2)));
  std::string at = both("add", spread(binary("mul", index[number], constant(size))), lane);
  if (r.chance(50)) {
    at = both("min", at, spread(binary("sub", dim(view, axis), constant(1))));
  } else {
    const std::string is_inside =
        emit("tile.cmp lt, " + at + ", " + spread(dim(view, axis)) + " : " + type + " -> " + tile_type({size}, "i1"));
    at = emit("tile.select " + is_inside + ", " + at + ", " + spread(constant(-1)) + " : " + tile_type({size}, "i1") + ", " + type);
  }
  Index rest = index;
  rest.erase(rest.begin() + axis);
  store_at(view, rest, at, size, type, axis);
}

/// The same writes by the same programs, with other values; perhaps only some of them.
void Generator::perhaps_twice(const std::function<void()>& write) {
  if (!r.chance(20))
    return write();
  const std::string flag = r.chance(60) ? condition(any()) : "";
  const Random choices = r;
  const std::vector<std::string> scope_before = scope, sums_before = sums;
  write();
  r = choices;
  scope = scope_before;
  sums = sums_before;
  flag.empty() ? write() : block("scf.if " + flag + " {", write);
}

} // namespace tegula::test

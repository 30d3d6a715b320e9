// What programs read and combine, near the tile they are at.
#include "test/prove/Generator.h"

#include <utility>

namespace tegula::test {

void Generator::accesses(const Index& index) {
  if (nesting > 5)
    return;
  if (apart.chance(4)) {
    std::swap(r, apart);
    sub_tile(index);
    std::swap(r, apart);
  }
  for (const View& view : views) {
    if (!r.chance(40))
      continue;
    if (view.kind == "in" && view.rank() > 1 && r.chance(30))
      gather_pairs(view, index);
    else if (view.kind == "in" && view.rank() > 0 && r.chance(25))
      gather(view, index);
    else if (view.kind == "in" || view.is_index())
      load(view, index);
    else if (view.kind.ends_with("_into"))
      accumulate(view, index);
  }
}

/// A piece of a tile, or a tile with another piece. What becomes of it does not matter.
void Generator::sub_tile(const Index& index) {
  const std::int64_t count = r.pick(std::vector<std::int64_t>{1, 2, 4});
  const std::string near = index.empty() ? any() : r.pick(index), whole = "tensor<" + std::to_string(2 * count) + "xi32>";
  const auto take = [&](const std::string& at) {
    const std::string tile = emit("tile.iota axis 0 : " + whole), piece = emit("tile.iota axis 0 : tensor<2xi32>");
    if (r.chance(50))
      emit("tile.extract " + tile + "[" + at + "] : " + whole + " -> tensor<2xi32>");
    else
      emit("tile.insert " + piece + " into " + tile + "[" + at + "] : tensor<2xi32> -> " + whole);
  };
  switch (r.below(4)) {
  case 0:
    return take(use(clamp(use(near), constant(count))));
  case 1:
    return loop(constant(0), constant(count), constant(1), take);
  case 2:
    return take(use(binary("rem", emit("tile.max " + use(near) + ", " + constant(0) + " : i64"), constant(count))));
  default: {
    const std::string i = use(near);
    only_if(emit("tile.and " + compare("ge", i, constant(0)) + ", " + compare("lt", i, constant(count)) + " : i1"),
            [&] { take(i); });
  }
  }
}

/// A tile index along an axis; perhaps with a condition under which it is right.
std::string Generator::place(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard) {
  const std::string near = index.empty() ? any() : index[static_cast<std::size_t>(axis) % index.size()];
  const auto guarded = [&](const std::string& flag) {
    guard = needs_guard ? emit("tile.and " + guard + ", " + flag + " : i1") : flag;
    needs_guard = true;
  };
  switch (r.below(9)) {
  case 0:
  case 1:
    return use(near);
  case 2:
    return clamp(use(near), count(view, axis));
  case 3:
    return binary("rem", near, count(view, axis));
  case 4: {
    const std::string i = use(near);
    guarded(compare("lt", i, count(view, axis)));
    return i;
  }
  case 5: {
    const std::string i = binary("sub", near, constant(1));
    guarded(emit("tile.and " + compare("ge", i, constant(0)) + ", " + compare("lt", i, count(view, axis)) + " : i1"));
    return i;
  }
  case 6: {
    const std::string i = expression(2);
    guarded(emit("tile.and " + compare("ge", i, constant(0)) + ", " + compare("lt", i, count(view, axis)) + " : i1"));
    return i;
  }
  case 7:
    return expression(1);
  default:
    return constant(r.below(2));
  }
}

/// Where a tile starts along an axis, in elements; perhaps with a condition under which it touches the tensor.
std::string Generator::first_element(const View& view, int axis, const Index& index, bool& needs_guard, std::string& guard) {
  const std::int64_t size = view.tile[static_cast<std::size_t>(axis)];
  const std::string near = index.empty() ? any() : index[static_cast<std::size_t>(axis) % index.size()];
  const std::string start = binary("mul", use(near), constant(size));
  switch (r.below(6)) {
  case 0:
    return binary("sub", start, constant(r.below(size + 1)));
  case 1:
    return binary("add", start, constant(r.below(2)));
  case 2:
    return binary("max", binary("min", start, binary("sub", dim(view, axis), constant(1))), constant(1 - size));
  case 3: // the last tile, back to back with the tensor's end
    return binary("sub", dim(view, axis), constant(size));
  case 4:
    return expression(1);
  default: {
    const std::string i = r.chance(50) ? binary("sub", start, constant(1 + r.below(size))) : expression(2);
    const std::string flag =
        emit("tile.and " + compare("gt", i, constant(-size)) + ", " + compare("lt", i, dim(view, axis)) + " : i1");
    guard = needs_guard ? emit("tile.and " + guard + ", " + flag + " : i1") : flag;
    needs_guard = true;
    return i;
  }
  }
}

void Generator::load(const View& view, const Index& index) {
  if (view.rank() > 0 && r.chance(20)) { // all tiles along one axis
    const int axis = static_cast<int>(r.below(view.rank()));
    const std::string zero = constant(0), one = constant(1);
    return loop(zero, count(view, axis), one, [&](const std::string& k) {
      Index at(view.tile.size(), zero);
      bool needs_guard = false;
      std::string guard;
      for (int other = 0; other < view.rank(); ++other)
        at[static_cast<std::size_t>(other)] = other == axis ? k : place(view, other, index, needs_guard, guard);
      const auto read = [&] {
        digest(emit("tile.load " + view.name + "[" + join(at) + "] : " + view.type() + " -> " + tile_type(view.tile, view.element)),
               view.tile, view.element);
      };
      needs_guard ? only_if(guard, read) : read();
    });
  }
  Index at;
  bool needs_guard = false;
  std::string guard;
  const bool by_element = view.rank() > 0 && r.chance(25);
  for (int axis = 0; axis < view.rank(); ++axis)
    at.push_back(by_element ? first_element(view, axis, index, needs_guard, guard) : place(view, axis, index, needs_guard, guard));
  const std::string attributes = by_element    ? (r.chance(7) ? " {elements, or_padding}" : " {elements}")
                                 : r.chance(7) ? " {or_padding}"
                                               : "";
  std::vector<std::int64_t> shape = view.tile;
  if (r.chance(10))
    for (std::int64_t& extent : shape)
      extent = r.pick(std::vector<std::int64_t>{1, 2});
  const bool is_single = shape.size() <= 1 && (shape.empty() || shape[0] == 1);
  const auto read = [&] {
    const std::string type = tile_type(shape, view.element), tile = emit("tile.load " + view.name + "[" + join(at) + "]" +
                                                                         attributes + " : " + view.type() + " -> " + type);
    digest(tile, shape, view.element);
    if (!is_single || view.element == "f32")
      return;
    const std::string number = shape.empty() ? tile : emit("tile.reshape " + tile + " : " + type + " -> " + view.element);
    const std::string wide = view.element == "i64" ? number : emit("tile.cast " + number + " : " + view.element + " -> i64");
    scope.push_back(wide);
    if (nesting < 5 && r.chance(60))
      accesses({wide});
  };
  needs_guard ? only_if(guard, read) : read();
}

/// A tile of element positions.
std::string Generator::positions(std::int64_t size, const View* into, const std::string& near, std::string& type) {
  const std::string element = r.chance(75) ? "i64" : r.pick(std::vector<std::string>{"i32", "i8", "ui8"});
  type = tile_type({size}, element);
  const auto spread = [&](const std::string& x) {
    const std::string narrow = element == "i64" ? x : emit("tile.cast " + x + " : i64 -> " + element);
    return emit("tile.broadcast " + narrow + " : " + element + " -> " + type);
  };
  const auto both = [&](const std::string& op, const std::string& a, const std::string& b) {
    return emit("tile." + op + " " + a + ", " + b + " : " + type);
  };
  std::string result = both("add", spread(use(binary("mul", near, constant(size)))), emit("tile.iota axis 0 : " + type));
  if (r.chance(noise))
    result = both(r.pick(std::vector<std::string>{"add", "sub", "mul", "max", "min", "div", "rem", "and"}), result,
                  spread(constant(r.below(4))));
  if (r.chance(noise)) { // chosen as a whole
    const std::string chosen = fresh(), flag = condition(near);
    line(chosen + " = scf.if " + flag + " -> (" + type + ") {");
    line("  scf.yield " + result + " : " + type);
    line("} else {");
    ++depth;
    line("scf.yield " + (r.chance(50) ? spread(constant(0)) : emit("tile.iota axis 0 : " + type)) + " : " + type);
    --depth;
    line("}");
    result = chosen;
  }
  if (into && r.chance(40))
    result = both(r.chance(50) ? "rem" : "min", result,
                  spread(r.chance(50) ? dim(*into, 0) : binary("sub", dim(*into, 0), constant(1))));
  return result;
}

void Generator::gather(const View& view, const Index& index) {
  const int axis = static_cast<int>(r.below(view.rank()));
  std::int64_t size = extent(view.elements_beside(axis));
  bool needs_guard = false;
  std::string guard, type, where;
  const std::string near = index.empty() ? any() : index[0];
  for (const View& other : views)
    if (other.is_index() && r.chance(70)) {
      size = other.tile[0];
      type = tile_type({size}, other.element);
      where = emit("tile.load " + other.name + "[" + clamp(near, count(other, 0)) + "] : " + other.type() + " -> " + type);
      break;
    }
  if (where.empty())
    where = positions(size, &view, near, type);
  Index rest;
  for (int at = 0; at < view.rank(); ++at)
    if (at != axis)
      rest.push_back(place(view, at, index, needs_guard, guard));
  std::vector<std::int64_t> shape = view.tile;
  shape[static_cast<std::size_t>(axis)] = size;
  const auto read = [&] {
    digest(emit("tile.gather " + view.name + "[" + join(rest) + "] by " + where + " axis " + std::to_string(axis) + " : " +
                view.type() + ", " + type + " -> " + tile_type(shape, view.element)),
           shape, view.element);
  };
  needs_guard ? only_if(guard, read) : read();
}

/// Positions of pairs, which differ along one axis of the pairs: certified ones, or any. Sets their type.
std::string Generator::half_pairs(const std::vector<std::int64_t>& sizes, std::size_t axis, const std::string& near,
                                  std::string& type) {
  const std::int64_t size = sizes[axis];
  const View* certified = nullptr;
  for (const View& other : views)
    if (other.is_index() && other.tile[0] == size && r.chance(60))
      certified = &other;
  std::string line_type, where;
  if (certified) {
    line_type = tile_type({size}, certified->element);
    where = emit("tile.load " + certified->name + "[" + clamp(near, count(*certified, 0)) + "] : " + certified->type() + " -> " +
                 line_type);
  } else {
    where = positions(size, nullptr, near, line_type);
  }
  const auto from = line_type.rfind('x') + 1;
  const std::string element = line_type.substr(from, line_type.size() - from - 1);
  const std::string row = tile_type(axis == 0 ? std::vector<std::int64_t>{size, 1} : std::vector<std::int64_t>{1, size}, element);
  type = tile_type(sizes, element);
  return emit("tile.broadcast " + emit("tile.reshape " + where + " : " + line_type + " -> " + row) + " : " + row + " -> " + type);
}

void Generator::gather_pairs(const View& view, const Index& index) {
  const int first = static_cast<int>(r.below(view.rank() - 1));
  const int second = first + 1 + static_cast<int>(r.below(view.rank() - first - 1));
  const std::string near = index.empty() ? any() : index[0];
  const std::vector<std::int64_t> sizes{r.pick(std::vector<std::int64_t>{1, 2, 4}), r.pick(std::vector<std::int64_t>{1, 2, 4})};
  std::string types[2];
  const std::string tiles[]{half_pairs(sizes, 0, near, types[0]), half_pairs(sizes, 1, near, types[1])};
  bool needs_guard = false;
  std::string guard;
  Index rest;
  for (int at = 0; at < view.rank(); ++at)
    if (at != first && at != second)
      rest.push_back(place(view, at, index, needs_guard, guard));
  std::vector<std::int64_t> shape = view.tile;
  shape[static_cast<std::size_t>(first)] = sizes[0];
  shape[static_cast<std::size_t>(second)] = sizes[1];
  const auto read = [&] {
    digest(emit("tile.gather_pairs " + view.name + "[" + join(rest) + "] by " + tiles[0] + ", " + tiles[1] + " axes [" +
                std::to_string(first) + ", " + std::to_string(second) + "] : " + view.type() + ", " + types[0] + ", " + types[1] +
                " -> " + tile_type(shape, view.element)),
           shape, view.element);
  };
  needs_guard ? only_if(guard, read) : read();
}

void Generator::accumulate(const View& view, const Index& index) {
  bool needs_guard = false;
  std::string guard;
  Index at;
  for (int axis = 0; axis < view.rank(); ++axis)
    at.push_back(place(view, axis, index, needs_guard, guard));
  const auto add = [&] {
    line("tile.accumulate " + new_tile(view.tile) + ", " + view.name + "[" + join(at) +
         "] : " + tile_type(view.tile, view.element) + ", " + view.type());
  };
  needs_guard ? only_if(guard, add) : add();
}

} // namespace tegula::test

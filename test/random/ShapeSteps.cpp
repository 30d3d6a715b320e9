// Steps that move elements.
#include "test/random/Generator.h"

#include <algorithm>

namespace tegula::test {

static constexpr std::int64_t most_elements = 1024;

void Generator::broadcast() {
  const Known* found = find([](const Known& k) { return size_of(k.value.shape) <= most_elements / 2; });
  if (!found)
    return;
  Known x = *found;
  Shape to = x.value.shape;
  for (std::int64_t& extent : to)
    if (extent == 1 && random.chance(70) && size_of(to) * 4 <= most_elements)
      extent = std::int64_t{2} << random.below(2);
  while (to.size() < 4 && random.chance(to.empty() ? 90 : 25) && size_of(to) * 8 <= most_elements)
    to.insert(to.begin(), std::int64_t{1} << random.below(4));
  keep(kernel.broadcast(x.value, to), x.error, x.is_integral);
}

void Generator::reshape() {
  const Known* found = find([](const Known&) { return true; });
  Known x = *found;
  std::int64_t left = size_of(x.value.shape);
  Shape to;
  while (left > 1 && to.size() < 5) {
    std::int64_t extent = 1;
    while (extent < left && random.chance(60))
      extent *= 2;
    to.push_back(extent);
    left /= extent;
  }
  if (left > 1 || (to.empty() && random.chance(50)))
    to.push_back(left);
  keep(kernel.emit("tile.reshape " + x.value.name + " : " + x.value.type() + " -> " + spell(x.value.dtype, to), x.value.dtype, to),
       x.error, x.is_integral);
}

void Generator::permute() {
  const Known* found = find([](const Known& k) { return k.value.shape.size() >= 2; });
  if (!found)
    return;
  Known x = *found;
  Shape order, to;
  for (std::size_t axis = 0; axis < x.value.shape.size(); ++axis)
    order.insert(order.begin() + random.below(static_cast<std::int64_t>(axis) + 1), static_cast<std::int64_t>(axis));
  std::string list;
  for (std::int64_t axis : order) {
    to.push_back(x.value.shape[static_cast<std::size_t>(axis)]);
    list += (list.empty() ? "" : ", ") + std::to_string(axis);
  }
  keep(kernel.emit("tile.permute " + x.value.name + " [" + list + "] : " + x.value.type() + " -> " + spell(x.value.dtype, to),
                   x.value.dtype, to),
       x.error, x.is_integral);
}

void Generator::concat() {
  const Known* found = find([](const Known& k) { return !k.value.shape.empty() && size_of(k.value.shape) < most_elements; });
  if (!found)
    return;
  Known x = *found, y = get(x.value.dtype, x.value.shape);
  std::size_t axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(x.value.shape.size())));
  Shape to = x.value.shape;
  to[axis] *= 2;
  keep(kernel.emit("tile.concat " + names({x.value, y.value}) + " axis " + std::to_string(axis) + " : " + x.value.type() + " -> " +
                       spell(x.value.dtype, to),
                   x.value.dtype, to),
       x.error, x.is_integral && y.is_integral);
}

/// Half of some axes, and an index within: a constant, or known only when the kernel runs.
static Shape piece_of(const Shape& whole, Random& random) {
  Shape piece = whole;
  for (std::int64_t& extent : piece)
    while (extent > 1 && random.chance(50))
      extent /= 2;
  return piece;
}

static Values index_within(KernelText& kernel, const Shape& whole, const Shape& piece, const Value& any, Random& random) {
  Values index;
  for (std::size_t axis = 0; axis < whole.size(); ++axis) {
    std::int64_t count = whole[axis] / piece[axis];
    if (random.chance(50))
      index.push_back(kernel.integer(random.below(count)));
    else // counts are powers of two
      index.push_back(kernel.same("and", {any, kernel.integer(count - 1)}));
  }
  return index;
}

void Generator::extract() {
  const Known* found = find([](const Known& k) { return !k.value.shape.empty(); });
  if (!found)
    return;
  Known x = *found;
  Shape piece = piece_of(x.value.shape, random);
  Values index = index_within(kernel, x.value.shape, piece, scalar_index(), random);
  keep(kernel.emit("tile.extract " + x.value.name + "[" + names(index) + "] : " + x.value.type() + " -> " +
                       spell(x.value.dtype, piece),
                   x.value.dtype, piece),
       x.error, x.is_integral);
}

void Generator::insert() {
  const Known* found = find([](const Known& k) { return !k.value.shape.empty(); });
  if (!found)
    return;
  Known x = *found;
  Shape shape = piece_of(x.value.shape, random);
  Known piece = get(x.value.dtype, shape);
  Values index = index_within(kernel, x.value.shape, shape, scalar_index(), random);
  keep(kernel.emit("tile.insert " + piece.value.name + " into " + x.value.name + "[" + names(index) + "] : " + piece.value.type() +
                       " -> " + x.value.type(),
                   x.value.dtype, x.value.shape),
       x.error, x.is_integral && piece.is_integral);
}

} // namespace tegula::test

// Flags: what branches and selects hang on. Most compare integers; the others are given by the host, compare floats, or are chosen.
#include "test/prove/Generator.h"

namespace tegula::test {

static const std::vector<std::string> predicates{"eq", "ne", "lt", "le", "gt", "ge"};

/// Whole and small, or not a number.
std::string Generator::any_float() {
  if (!floats.empty() && r.chance(50))
    return r.pick(floats);
  for (const View& view : views)
    if (view.kind == "in" && view.element == "f32" && view.rank() == 1 && r.chance(50)) {
      const std::string type = tile_type(view.tile, "f32");
      const std::string tile =
          emit("tile.load " + view.name + "[" + clamp(any(), count(view, 0)) + "] : " + view.type() + " -> " + type);
      if (view.tile[0] == 1)
        return emit("tile.reshape " + tile + " : " + type + " -> f32");
    }
  if (r.chance(30))
    return emit("tile.constant " + std::to_string(r.below(4) - 1) + ".0 : f32");
  return emit("tile.cast " + emit("tile.cast " + any() + " : i64 -> i8") + " : i8 -> f32");
}

std::string Generator::other_flag(int levels) {
  if (!flags.empty() && r.chance(60))
    return r.pick(flags);
  if (levels == 0 || r.chance(60))
    return emit("tile.cmp " + r.pick(predicates) + ", " + any_float() + ", " + any_float() + " : f32 -> i1");
  if (r.chance(50))
    return emit("tile.select " + condition(any(), levels - 1) + ", " + condition(any(), levels - 1) + ", " +
                condition(any(), levels - 1) + " : i1, i1");
  const std::string result = fresh(), flag = condition(any(), levels - 1);
  const auto side = [&] { line("scf.yield " + condition(any(), levels - 1) + " : i1"); };
  block(result + " = scf.if " + flag + " -> (i1) {", side, "} else {");
  scoped(side);
  line("}");
  return result;
}

std::string Generator::condition(const std::string& a, int levels) {
  std::string flag =
      r.chance(15) ? other_flag(levels) : compare(r.pick(predicates), a, r.chance(50) ? any() : constant(r.below(5)));
  if (levels == 0 || r.chance(60))
    return flag;
  if (r.chance(25))
    return emit("tile.not " + flag + " : i1");
  return emit("tile." + r.pick(std::vector<std::string>{"and ", "or ", "and ", "or ", "xor "}) + flag + ", " +
              condition(any(), levels - 1) + " : i1");
}

} // namespace tegula::test

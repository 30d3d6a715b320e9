// A kernel's parameters, and the whole of it.
#include "test/prove/Generator.h"

#include <algorithm>

namespace tegula::test {

std::int64_t Generator::View::elements_beside(int axis) const {
  std::int64_t elements = 1;
  for (std::size_t other = 0; other < tile.size(); ++other)
    elements *= static_cast<int>(other) == axis ? 1 : tile[other];
  return elements;
}

/// Of a tile along one axis; small if it is large along another.
std::int64_t Generator::extent(std::int64_t elements_beside) {
  const auto small = r.pick(std::vector<std::int64_t>{1, 1, 2, 4});
  return elements_beside < scale && r.chance(60) ? small * scale : small;
}

Generator::View& Generator::add_view(const std::string& kind, int rank, const std::string& element) {
  View view{"%p" + std::to_string(parameters.size()), kind, element, {}};
  for (int axis = 0; axis < rank; ++axis)
    view.tile.push_back(extent(view.elements_beside(-1)));
  parameters.push_back(view.name + ": !tile.view" + view.type());
  views.push_back(view);
  return views.back();
}

void Generator::add_views() {
  views.reserve(8);
  const bool has_out = r.chance(15);
  if (has_out)
    add_view("out", static_cast<int>(r.below(3)) + 1, "i32");
  if (!has_out || r.chance(60))
    add_view(r.chance(60) ? "outs" : "patch", static_cast<int>(r.pick(std::vector<int>{0, 1, 1, 1, 2, 2, 3})), "i32");
  if (r.chance(10))
    add_view(r.chance(50) ? "outs" : "patch", static_cast<int>(r.below(2)) + 1, "i32");
  const auto is_read = [](const View& view) { return view.kind != "out" && view.kind != "outs" && view.kind != "patch"; };
  for (std::int64_t i = r.below(3); i > 0; --i)
    add_view("in", static_cast<int>(r.pick(std::vector<int>{0, 1, 1, 2, 2, 3})), r.chance(50) ? "f32" : "i32");
  if (r.chance(30)) { // of a type that holds the positions of a few tiles
    const std::string or_none = r.chance(40) ? "_or_none" : "";
    const auto narrow = scale != 1 ? "i32" : or_none.empty() ? "ui8" : "i8";
    add_view((r.chance(50) ? "index" : "distinct") + or_none, 1, r.pick(std::vector<std::string>{"i32", "i64", narrow, "i16"}));
  }
  if (r.chance(15)) {
    View offsets{"%p" + std::to_string(parameters.size()), "offsets", r.chance(50) ? "i32" : "i64", {1}};
    parameters.push_back(offsets.name + ": !tile.view" + offsets.type());
    views.push_back(offsets);
  }
  if (r.chance(15))
    add_view(r.chance(50) ? "add_into" : "max_into", static_cast<int>(r.below(2)) + 1, "i32");
  if (std::any_of(views.begin(), views.end(), is_read))
    digest_name = add_view("add_into", 0, "i32").name;
}

void Generator::add_scalars() {
  for (std::int64_t i = r.below(3); i > 0; --i) {
    const std::string name = "%s" + std::to_string(i), type = r.pick(std::vector<std::string>{"i64", "i64", "i32", "i8", "ui8"});
    std::string typed = name;
    typed.append(" : ").append(type);
    parameters.push_back(typed);
    scope.push_back(type == "i64" ? name : emit(std::string("tile.cast ").append(typed).append(" -> i64")));
    uniforms.push_back(scope.back());
  }
  if (r.chance(20)) {
    parameters.emplace_back("%flag : i1");
    flags.emplace_back("%flag");
  }
  if (r.chance(10)) {
    parameters.emplace_back("%float : f32");
    floats.emplace_back("%float");
  }
}

void Generator::name_uniforms() {
  for (const View& view : views)
    for (int axis = 0; axis < view.rank(); ++axis) {
      scope.push_back(r.chance(50) ? count(view, axis) : dim(view, axis));
      uniforms.push_back(scope.back());
    }
  for (const View& view : views)
    if (view.is_index() || view.kind == "offsets")
      uniforms.push_back(emit("tile.bound " + view.name + " : " + view.type()));
}

void Generator::expect() {
  const std::string a = r.pick(uniforms), b = r.chance(60) ? r.pick(uniforms) : constant(r.below(4));
  std::string flag =
      emit("tile.cmp " + r.pick(std::vector<std::string>{"eq", "eq", "eq", "ge", "ge", "gt", "gt", "le", "le", "lt"}) + ", " + a +
           ", " + b + " : i64 -> i1");
  if (r.chance(15))
    flag = emit("tile." + std::string(r.chance(50) ? "or " : "and ") + flag + ", " +
                emit("tile.cmp ge, " + r.pick(uniforms) + ", " + constant(1) + " : i64 -> i1") + " : i1");
  line("tile.expect " + flag + ", \"as expected\"");
}

void Generator::store_piece(const View& view) {
  Index own;
  for (int axis = 0; axis < view.rank(); ++axis)
    own.push_back(emit("tile.program_index " + view.name + " axis " + std::to_string(axis) + " : " + view.type()));
  scope.insert(scope.end(), own.begin(), own.end());
  accesses(own);
  store(view, own);
}

void Generator::write(const View& view) {
  if (view.kind == "out")
    return store_piece(view);
  for (const View& other : views)
    if (other.kind == "offsets" && view.rank() > 0 && r.chance(75))
      return perhaps_twice([&] { cover_by_segments(view, other); });
  if (!flags.empty() && r.chance(20)) // all programs go the same way
    return only_if(flags[0], [&] { cover(view); }, [&] { cover(view); });
  const bool is_scattered = view.rank() > 0 && r.chance(view.kind == "patch" ? 50 : 5);
  if (is_scattered)
    perhaps_twice([&] { scatter(view); });
  if (!is_scattered || r.chance(20))
    perhaps_twice([&] { cover(view); });
}

std::string Generator::kernel() {
  noise = r.pick(std::vector<int>{0, 0, 2, 4, 8, 15, 30});
  add_views();
  program = emit("tile.program_id : i64");
  programs = emit("tile.num_programs : i64");
  scope = {program, programs};
  uniforms = {programs};
  add_scalars();
  name_uniforms();
  for (std::int64_t i = r.pick(std::vector<int>{0, 0, 1, 2}); i > 0; --i)
    expect();
  for (const View& view : views)
    if (view.kind == "out" || view.kind == "outs" || view.kind == "patch")
      write(view);
  std::string head = "func.func @kernel(";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    head += (i ? ", " : "") + parameters[i];
  return head + ") {\n" + body + "  return\n}\n";
}

} // namespace tegula::test

// Ways to deal out the tiles of an output.
#include "test/prove/Generator.h"

namespace tegula::test {

Generator::Index Generator::unflatten(const std::string& number, const View& view) {
  if (view.rank() == 0)
    return {};
  const std::string name = fresh();
  const bool is_one = view.rank() == 1;
  std::string types = "i64";
  Index result{is_one ? name : name + "#0"};
  for (int axis = 1; axis < view.rank(); ++axis) {
    types += ", i64";
    result.push_back(name + "#" + std::to_string(axis));
  }
  line(name + (is_one ? "" : ":" + std::to_string(view.rank())) + " = tile.unflatten " + number + " in " + view.name + " : " +
       view.type() + " -> " + types);
  scope.insert(scope.end(), result.begin(), result.end());
  return result;
}

/// The same by hand, the axes in an order of their own.
Generator::Index Generator::split(const std::string& number, const View& view) {
  const bool is_reversed = r.chance(40);
  Index result(view.tile.size());
  std::string rest = number;
  for (int step = 0; step < view.rank(); ++step) {
    const int axis = is_reversed ? step : view.rank() - 1 - step;
    if (step + 1 == view.rank()) {
      result[static_cast<std::size_t>(axis)] = rest;
      break;
    }
    const std::string width = count(view, axis);
    result[static_cast<std::size_t>(axis)] = binary("rem", rest, width);
    rest = binary("div", rest, width);
  }
  return result;
}

void Generator::claim(const View& view, const Index& index) {
  Index at;
  for (const std::string& i : index)
    at.push_back(use(i));
  if (at.size() > 1 && r.chance(noise / 3))
    std::swap(at[0], at[1]);
  line("tile.claim " + view.name + "[" + join(at) + "] : " + view.type());
  if (r.chance(50))
    accesses(at);
  store(view, at);
  if (r.chance(view.kind == "patch" ? 35 : 15))
    rewrite(view, at);
}

void Generator::claim_number(const View& view, const std::string& number) {
  claim(view, r.chance(60) ? unflatten(number, view) : split(number, view));
}

void Generator::cover_by_loops(const View& view, int dealt_axis) {
  Index index(view.tile.size());
  const std::string zero = constant(0), one = constant(1);
  std::function<void(int)> nest = [&](int axis) {
    if (axis == view.rank())
      return claim(view, index);
    const auto inside = [&](const std::string& i) {
      index[static_cast<std::size_t>(axis)] = i;
      nest(axis + 1);
    };
    if (axis == dealt_axis)
      dealt(count(view, axis), inside);
    else
      loop(zero, count(view, axis), one, inside);
  };
  nest(0);
}

void Generator::cover_by_while(const View& view) {
  const std::string all = total(view), before = fresh(), after = fresh(), result = fresh();
  line(result + " = scf.while (" + before + " = " + use(program) + ") : (i64) -> i64 {");
  scoped([&] {
    scope.push_back(before);
    const std::string flag = compare("lt", before, all);
    line("scf.condition(" + flag + ") " + before + " : i64");
  });
  line("} do {");
  line("^bb0(" + after + ": i64):");
  scoped([&] {
    scope.push_back(after);
    claim_number(view, use(after));
    line("scf.yield " + binary("add", after, programs) + " : i64");
  });
  line("}");
}

void Generator::cover_by_counter(const View& view) {
  const std::string all = total(view), trips = r.chance(50) ? all : ceil_div(all, programs), i = fresh(), k = fresh(),
                    result = fresh();
  const std::string zero = constant(0), one = constant(1);
  block(result + " = scf.for " + k + " = " + zero + " to " + trips + " step " + one + " iter_args(" + i + " = " + use(program) +
            ") -> (i64) : i64 {",
        [&] {
          scope.push_back(i);
          scope.push_back(k);
          only_if(compare("lt", i, all), [&] { claim_number(view, use(i)); });
          line("scf.yield " + binary("add", i, programs) + " : i64");
        });
  scope.push_back(result);
}

void Generator::cover_grouped(const View& view) {
  dealt(total(view), [&](const std::string& n) {
    const std::string width = count(view, 1), rows = constant(2), in_group = binary("mul", rows, width);
    const std::string first = binary("mul", binary("div", n, in_group), rows);
    const std::string height = binary("min", binary("sub", count(view, 0), first), rows), rest = binary("rem", n, in_group);
    claim(view, {binary("add", first, binary("rem", rest, height)), binary("div", rest, height)});
  });
}

void Generator::cover_in_parts(const View& view, int way) {
  const std::string all = total(view), one = constant(1), zero = constant(0);
  switch (way) {
  case 0: { // a range for each program
    const std::string each = ceil_div(all, programs), low = binary("mul", program, each);
    return loop(low, binary("min", binary("add", low, each), all), one, [&](const std::string& n) { claim_number(view, n); });
  }
  case 1: // from the end
    return dealt(all, [&](const std::string& n) { claim_number(view, binary("sub", binary("sub", all, one), n)); });
  case 2: // in pairs
    return dealt(ceil_div(all, constant(2)), [&](const std::string& n) {
      const std::string twice = binary("mul", n, constant(2)), second = binary("add", twice, one);
      claim_number(view, twice);
      only_if(compare("lt", second, all), [&] { claim_number(view, second); });
    });
  case 3: { // two halves
    const std::string half = r.chance(50) ? binary("div", all, constant(2)) : any();
    return dealt(all, [&](const std::string& n) {
      only_if(compare("lt", n, half), [&] { claim_number(view, n); }, [&] { claim_number(view, n); });
    });
  }
  case 4: // the first, and the rest
    only_if(compare("eq", program, zero), [&] { claim_number(view, r.chance(90) ? zero : use(zero)); });
    return dealt(binary("sub", all, one), [&](const std::string& n) { claim_number(view, binary("add", n, one)); });
  case 5: { // in blocks
    const std::string size = r.chance(70) ? constant(1 + r.below(3)) : binary("max", any(), one);
    return loop(binary("mul", program, size), all, binary("mul", programs, size), [&](const std::string& base) {
      loop(zero, size, one, [&](const std::string& j) {
        const std::string n = binary("add", base, j);
        only_if(compare("lt", n, all), [&] { claim_number(view, n); });
      });
    });
  }
  case 6: // turned
    return dealt(
        all, [&](const std::string& n) { claim_number(view, binary("rem", binary("add", n, r.chance(50) ? any() : one), all)); });
  case 7: // whose turn it is
    return loop(zero, all, one, [&](const std::string& n) {
      only_if(compare("eq", binary("rem", n, programs), program), [&] { claim_number(view, n); });
    });
  case 8: // one program does it all
    return only_if(compare("eq", program, r.chance(70) ? zero : binary("sub", programs, one)), [&] { cover_by_loops(view, -1); });
  case 9: // one tile a program
    only_if(compare("lt", program, all), [&] { claim_number(view, program); });
    return;
  case 10: // with a constant step
    return loop(r.chance(70) ? zero : program, all, constant(1 + r.below(3)),
                [&](const std::string& n) { only_if(compare("eq", program, zero), [&] { claim_number(view, n); }); });
  default: // exchanged neighbours
    return dealt(all, [&](const std::string& n) {
      const std::string other = binary("add", binary("mul", binary("div", n, constant(2)), constant(2)),
                                       binary("sub", one, binary("rem", n, constant(2))));
      claim_number(view, emit("tile.select " + compare("lt", other, all) + ", " + other + ", " + n + " : i1, i64"));
    });
  }
}

std::string Generator::offset(const View& offsets, const std::string& at) {
  const std::string tile =
      emit("tile.load " + offsets.name + "[" + use(at) + "] : " + offsets.type() + " -> tensor<1x" + offsets.element + ">");
  const std::string number = emit("tile.reshape " + tile + " : tensor<1x" + offsets.element + "> -> " + offsets.element);
  return offsets.element == "i64" ? number : emit("tile.cast " + number + " : " + offsets.element + " -> i64");
}

/// Segment by segment along the first axis: row by row, or several rows at once by their positions.
void Generator::cover_by_segments(const View& view, const View& offsets) {
  const std::string zero = constant(0), one = constant(1), segments = binary("sub", dim(offsets, 0), one);
  const auto beside = [&](const std::function<void(const Index&)>& inside) {
    Index rest;
    std::function<void(int)> nest = [&](int axis) {
      if (axis == view.rank())
        return inside(rest);
      loop(zero, count(view, axis), one, [&](const std::string& i) {
        rest.push_back(i);
        nest(axis + 1);
        rest.pop_back();
      });
    };
    nest(1);
  };
  const auto rows = [&](const std::string& s) {
    const std::string low = offset(offsets, s), high = offset(offsets, binary("add", s, one));
    if (view.tile[0] == 1)
      return loop(low, high, one, [&](const std::string& row) {
        beside([&](Index rest) {
          rest.insert(rest.begin(), row);
          claim(view, rest);
        });
      });
    const std::int64_t size = view.tile[0];
    const std::string type = tile_type({size}, "i64"), flags = tile_type({size}, "i1");
    const auto spread = [&](const std::string& x) { return emit("tile.broadcast " + x + " : i64 -> " + type); };
    loop(low, high, constant(size), [&](const std::string& first) {
      const std::string at = emit("tile.add " + spread(first) + ", " + emit("tile.iota axis 0 : " + type) + " : " + type);
      const std::string is_inside = emit("tile.cmp lt, " + at + ", " + spread(use(high)) + " : " + type + " -> " + flags);
      const std::string positions =
          emit("tile.select " + is_inside + ", " + at + ", " + spread(constant(-1)) + " : " + flags + ", " + type);
      beside([&](const Index& rest) { store_at(view, rest, positions, size, type, 0); });
    });
  };
  if (r.chance(70))
    return dealt(segments, rows);
  only_if(compare("lt", program, segments), [&] { rows(program); }); // one segment a program
}

void Generator::cover(const View& view) {
  if (view.rank() == 0)
    return only_if(compare("eq", program, constant(0)), [&] { claim(view, {}); });
  for (const View& own : views)
    if (own.kind == "out" && own.rank() == view.rank() && r.chance(60)) {
      Index index;
      for (int axis = 0; axis < view.rank(); ++axis)
        index.push_back(emit("tile.program_index " + own.name + " axis " + std::to_string(axis) + " : " + own.type()));
      if (r.chance(50))
        return claim(view, index);
      std::string flag = compare("lt", index[0], count(view, 0));
      for (int axis = 1; axis < view.rank(); ++axis) {
        const Index flags{flag, compare("lt", index[static_cast<std::size_t>(axis)], count(view, axis))};
        flag = emit("tile.and " + join(flags) + " : i1");
      }
      return only_if(flag, [&] { claim(view, index); });
    }
  switch (r.below(10)) {
  case 0:
  case 1:
    return dealt(total(view), [&](const std::string& n) { claim_number(view, n); });
  case 2:
    return cover_by_loops(view, static_cast<int>(r.below(view.rank())));
  case 3:
    return cover_by_while(view);
  case 4:
    return cover_by_counter(view);
  case 5:
    if (view.rank() == 2)
      return cover_grouped(view);
    [[fallthrough]];
  default:
    return cover_in_parts(view, static_cast<int>(r.below(12)));
  }
}

void Generator::scatter(const View& view) {
  const int axis = static_cast<int>(r.below(view.rank()));
  const View* index = nullptr;
  for (const View& other : views)
    if (other.is_distinct() || (other.is_index() && r.chance(20)))
      index = &other;
  const auto put = [&](const std::string& positions, std::int64_t size, const std::string& type, const std::string& n) {
    Index rest;
    const std::string zero = constant(0), one = constant(1);
    std::function<void(int)> nest = [&](int at) {
      if (at == axis)
        ++at;
      if (at >= view.rank()) {
        store_at(view, rest, positions, size, type, axis);
        return accesses({n});
      }
      loop(zero, count(view, at), one, [&](const std::string& i) {
        rest.push_back(i);
        nest(at + 1);
        rest.pop_back();
      });
    };
    nest(0);
  };
  if (index && r.chance(70)) {
    const std::int64_t size = index->tile[0];
    const std::string type = tile_type({size}, index->element);
    return dealt(count(*index, 0), [&](const std::string& n) {
      const std::string padded =
          r.chance(50) && index->element[0] == 'i' ? " pad " + constant(-1, index->element) + " : " + index->element : "";
      // By elements: side by side, or each window one element further, so that they overlap.
      const bool by_element = r.chance(25);
      const std::string at = by_element && r.chance(60) ? binary("mul", use(n), constant(size)) : use(n);
      put(emit("tile.load " + index->name + "[" + at + "]" + padded + (by_element ? " {elements}" : "") + " : " + index->type() +
               " -> " + type),
          size, type, n);
    });
  }
  const std::int64_t size = extent(view.elements_beside(axis));
  dealt(binary("div", dim(view, axis), constant(size)), [&](const std::string& n) {
    std::string type;
    put(positions(size, nullptr, n, type), size, type, n);
  });
}

} // namespace tegula::test

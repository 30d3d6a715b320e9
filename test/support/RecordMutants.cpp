#include "test/support/RecordMutants.h"

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tegula::test {
namespace {

using trace::Id;
using trace::Operation;
using trace::Record;
using trace::Region;

/// Calls f with every region and every place in it. Regions are found by their number, so that the same place is found in a copy.
void for_each_place(Region& region, const std::function<void(Region&, std::size_t)>& f) {
  for (std::size_t i = 0; i < region.operations.size(); ++i) {
    f(region, i);
    for (std::size_t r = 0; i < region.operations.size() && r < region.operations[i].regions.size(); ++r)
      for_each_place(region.operations[i].regions[r], f);
  }
}

void change(trace::Attribute& a) {
  if (auto* i = std::get_if<std::int64_t>(&a.value))
    *i += 1;
  else if (auto* d = std::get_if<double>(&a.value))
    *d = std::nextafter(*d, std::numeric_limits<double>::infinity());
  else if (auto* b = std::get_if<bool>(&a.value))
    *b = !*b;
  else if (auto* s = std::get_if<std::string>(&a.value))
    *s += "x";
  else
    std::get<std::vector<std::int64_t>>(a.value).push_back(1);
}

void duplicate(Record& record, Region& region, std::size_t i) {
  Operation copy = region.operations[i];
  for (Id& id : copy.results) {
    record.types.push_back(record.types[id]);
    id = static_cast<Id>(record.types.size() - 1);
  }
  region.operations.insert(region.operations.begin() + static_cast<std::ptrdiff_t>(i), std::move(copy));
}

void move_into_next(Region& region, std::size_t i) {
  if (i + 1 >= region.operations.size() || region.operations[i + 1].regions.empty())
    return;
  Operation moved = std::move(region.operations[i]);
  std::vector<Operation>& inside = region.operations[i + 1].regions.back().operations;
  inside.insert(inside.begin(), std::move(moved));
  region.operations.erase(region.operations.begin() + static_cast<std::ptrdiff_t>(i));
}

void move_out(Region& region, std::size_t i) {
  if (region.operations[i].regions.empty() || region.operations[i].regions[0].operations.empty())
    return;
  std::vector<Operation>& inside = region.operations[i].regions[0].operations;
  Operation moved = std::move(inside.front());
  inside.erase(inside.begin());
  region.operations.insert(region.operations.begin() + static_cast<std::ptrdiff_t>(i), std::move(moved));
}

using Mutation = std::function<void(Record&, Region&, std::size_t)>;

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all{
      [](Record&, Region& r, std::size_t i) { r.operations.erase(r.operations.begin() + static_cast<std::ptrdiff_t>(i)); },
      duplicate,
      [](Record&, Region& r, std::size_t i) {
        if (i + 1 < r.operations.size())
          std::swap(r.operations[i], r.operations[i + 1]);
      },
      [](Record&, Region& r, std::size_t i) { move_into_next(r, i); },
      [](Record&, Region& r, std::size_t i) { move_out(r, i); },
      [](Record&, Region& r, std::size_t i) {
        if (!r.operations[i].attributes.empty())
          change(r.operations[i].attributes.back());
      },
      [](Record& record, Region& r, std::size_t i) {
        if (!r.operations[i].operands.empty())
          r.operations[i].operands.back() = record.parameters[0].id;
      },
      [](Record& record, Region& r, std::size_t i) {
        if (!r.operations[i].results.empty())
          record.types[r.operations[i].results[0]].shape.push_back(2);
      },
      [](Record&, Region& r, std::size_t i) { r.operations[i].name += "x"; },
  };
  return all;
}

} // namespace

std::vector<Record> mutants_of(const Record& record) {
  std::vector<Record> mutants;
  Record original = record;
  std::size_t places = 0;
  for_each_place(original.body, [&](Region&, std::size_t) { ++places; });
  for (const Mutation& mutation : mutations())
    for (std::size_t place = 0; place < places; ++place) {
      Record mutant = record;
      std::pair<Region*, std::size_t> found{};
      for_each_place(mutant.body, [&, n = std::size_t{0}](Region& r, std::size_t i) mutable {
        if (n++ == place)
          found = {&r, i};
      });
      mutation(mutant, *found.first, found.second);
      mutants.push_back(std::move(mutant));
    }
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    mutants.push_back(record);
    mutants.back().parameters[i].type.dtype = DType::f8e5m2;
    mutants.push_back(record);
    mutants.back().parameters[i].kind = record.parameters[i].is_view() ? ParameterKind::scalar : ParameterKind::in;
  }
  mutants.push_back(record);
  mutants.back().name += "x";
  return mutants;
}

Record random_record(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  Record record;
  record.name = "random";
  record.types = {{}};
  std::vector<Id> values;
  const auto make = [&] {
    record.types.push_back({below(2) ? DType::i64 : DType::f32, std::vector<std::int64_t>(below(3), 4)});
    values.push_back(static_cast<Id>(record.types.size() - 1));
    return values.back();
  };
  for (int i = 0; i < 3; ++i) {
    const Id id = make();
    record.parameters.push_back({id,
                                 i == 0   ? ParameterKind::scalar
                                 : i == 1 ? ParameterKind::out
                                          : ParameterKind::in,
                                 record.types[id]});
  }
  const char* names[] = {"tile.load", "tile.add", "tile.store", "tile.constant", "scf.if"};
  const std::function<void(Region&, int)> fill = [&](Region& region, int depth) {
    for (std::size_t n = 1 + below(5); n > 0; --n) {
      Operation op;
      op.name = names[below(depth < 3 ? 5 : 4)];
      const bool is_constant = op.name == "tile.constant";
      for (std::size_t i = is_constant ? 0 : 1 + below(3); i > 0; --i)
        op.operands.push_back(values[below(values.size())]);
      if (is_constant)
        op.attributes.push_back({"value", below(2) ? static_cast<double>(below(3)) : -0.0});
      if (op.name == "scf.if")
        for (Region& inner : op.regions = std::vector<Region>(2))
          fill(inner, depth + 1);
      if (op.name != "tile.store")
        op.results.push_back(make());
      region.operations.push_back(std::move(op));
    }
  };
  fill(record.body, 0);
  return record;
}

} // namespace tegula::test

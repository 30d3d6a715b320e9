#include "lib/aot/Variants.h"
#include "lib/runtime/Inspect.h"

#include <algorithm>

namespace tegula::aot {

std::vector<Specialisation> usual_specialisations(const trace::Record& record) {
  const auto with = [&](Specialisation facts, bool aligned, bool whole) {
    for (std::size_t i = 0; i < facts.size(); ++i)
      if (record.parameters[i].is_view()) {
        facts[i].aligned = aligned;
        facts[i].whole = whole;
      }
    return facts;
  };
  const Specialisation rows = row_major(record);
  Specialisation any = rows;
  for (ViewFacts& view : any)
    std::ranges::fill(view.strides, Stride::any);
  std::vector<Specialisation> usual = {with(rows, true, true), with(rows, true, false), rows};
  if (any != rows)
    usual.push_back(std::move(any));
  return usual;
}

} // namespace tegula::aot

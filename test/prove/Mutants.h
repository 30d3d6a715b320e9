// Small mistakes in a kernel's text.
#pragma once
#include <string>
#include <vector>

namespace tegula::test {

struct Mutant {
  std::string what; // "line 12: rem for div"
  std::string ir;
};

/// Mistakes in indices, bounds, conditions and guards, one at a time. Not all of them are valid tile IR.
std::vector<Mutant> mutants_of(const std::string& tile_ir);

} // namespace tegula::test

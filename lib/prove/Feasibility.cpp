#include "lib/prove/Feasibility.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::presburger;

namespace tegula::prover {

constexpr int mostNodes = 24;

IntegerPolyhedron polyhedron(Model& model, ArrayRef<Constraint> constraints, SmallVectorImpl<Atom>& atoms) {
  llvm::SetVector<Atom> used;
  for (bool uniform : {true, false})
    for (const Constraint& constraint : constraints)
      for (auto [atom, factor] : constraint.expression.getTerms())
        if (model.isUniform(atom) == uniform)
          used.insert(atom);
  atoms.assign(used.begin(), used.end());
  llvm::DenseMap<Atom, unsigned> column;
  for (auto [number, atom] : llvm::enumerate(atoms))
    column[atom] = static_cast<unsigned>(number);
  IntegerPolyhedron result(PresburgerSpace::getSetSpace(static_cast<unsigned>(atoms.size())));
  SmallVector<int64_t> row(atoms.size() + 1);
  for (const Constraint& constraint : constraints) {
    std::fill(row.begin(), row.end(), 0);
    for (auto [atom, factor] : constraint.expression.getTerms())
      row[column[atom]] = factor;
    row.back() = constraint.expression.getConstant();
    if (constraint.isEquality)
      result.addEquality(row);
    else
      result.addInequality(row);
  }
  return result;
}

bool isPoisoned(const Constraint& constraint) { return constraint.expression.isPoisoned(); }

bool isLimit(const Constraint& constraint) {
  const Linear& expression = constraint.expression;
  return !constraint.isEquality && expression.getTerms().size() == 1 && expression.getTerms()[0].second == -1 &&
         expression.getConstant() >= largestExtent - 1;
}

bool substitute(Conjunction& constraints, llvm::function_ref<bool(Atom)> mayGo, Substitution* made) {
  for (size_t number = 0; number < constraints.size(); ++number) {
    if (!constraints[number].isEquality)
      continue;
    Linear equation = constraints[number].expression;
    if (equation.isConstant() && equation.getConstant() != 0)
      return false;
    for (auto [atom, factor] : equation.getTerms()) {
      if ((factor != 1 && factor != -1) || !mayGo(atom))
        continue;
      Linear value = Linear::of(atom) - equation * factor;
      Conjunction next;
      bool fits = true;
      for (const Constraint& other : constraints) {
        Constraint changed{other.expression.with(atom, value), other.isEquality};
        fits &= !changed.expression.isPoisoned();
        if (changed.expression.isConstant()) {
          int64_t left = changed.expression.getConstant();
          if (fits && (changed.isEquality ? left != 0 : left < 0))
            return false;
          continue;
        }
        next.push_back(std::move(changed));
      }
      if (!fits)
        continue;
      constraints = std::move(next);
      if (made)
        made->emplace_back(atom, value);
      number = static_cast<size_t>(-1); // from the start
      break;
    }
  }
  return true;
}

static bool hasNoIntegers(Simplex& simplex, int& nodes) {
  if (simplex.isEmpty())
    return true;
  std::optional<SmallVector<Fraction, 8>> sample = simplex.getRationalSample();
  if (!sample || --nodes < 0)
    return false;
  for (auto [column, value] : llvm::enumerate(*sample)) {
    if (value.num % value.den == 0)
      continue;
    DynamicAPInt below = llvm::floorDiv(value.num, value.den);
    for (bool isBelow : {true, false}) {
      SmallVector<DynamicAPInt> row(sample->size() + 1, DynamicAPInt(0));
      row[column] = DynamicAPInt(isBelow ? -1 : 1);
      row.back() = isBelow ? below : -below - 1;
      SimplexRollbackScopeExit back(simplex);
      simplex.addInequality(row);
      if (!hasNoIntegers(simplex, nodes))
        return false;
    }
    return true;
  }
  return false;
}

bool hasNoIntegers(Simplex& simplex) {
  int nodes = mostNodes;
  return hasNoIntegers(simplex, nodes);
}

} // namespace tegula::prover

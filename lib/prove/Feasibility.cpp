#include "lib/prove/Feasibility.h"

#include "lib/prove/Model.h"

#include <map>
#include <numeric>

namespace tegula::prover {

bool isPoisoned(const Constraint& constraint) { return constraint.expression.isPoisoned(); }

bool isLimit(const Constraint& constraint) {
  const Linear& expression = constraint.expression;
  return !constraint.isEquality && expression.getTerms().size() == 1 && expression.getTerms()[0].second == -1 &&
         expression.getConstant() >= max_extent - 1;
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
        if (other.expression.coefficient(atom) == 0) {
          next.push_back(other);
          continue;
        }
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

bool tighten(Conjunction& constraints) {
  std::map<std::vector<std::pair<Atom, int64_t>>, int64_t> sharpest; // the constant, by the terms
  Conjunction result;
  for (const Constraint& constraint : constraints) {
    llvm::ArrayRef<Linear::Term> terms = constraint.expression.getTerms();
    int64_t divisor = 0, constant = constraint.expression.getConstant();
    for (auto [atom, factor] : terms)
      divisor = std::gcd(divisor, factor);
    if (divisor == 0) {
      if (constraint.isEquality ? constant != 0 : constant < 0)
        return false;
      continue;
    }
    if (constraint.isEquality) {
      if (constant % divisor != 0)
        return false;
      result.push_back(constraint);
      continue;
    }
    std::vector<std::pair<Atom, int64_t>> key;
    for (auto [atom, factor] : terms)
      key.emplace_back(atom, factor / divisor);
    int64_t floor = constant / divisor - (constant % divisor < 0);
    auto [place, isNew] = sharpest.try_emplace(std::move(key), floor);
    place->second = std::min(place->second, floor);
  }
  for (auto& [terms, constant] : sharpest) {
    Linear expression(constant);
    std::vector<std::pair<Atom, int64_t>> opposite;
    for (auto [atom, factor] : terms) {
      expression = expression + Linear::of(atom) * factor;
      opposite.emplace_back(atom, -factor);
    }
    auto other = sharpest.find(opposite);
    int64_t room = 0;
    if (other == sharpest.end() || __builtin_add_overflow(constant, other->second, &room)) {
      result.push_back({expression});
    } else {
      if (room < 0)
        return false;
      if (room > 0)
        result.push_back({expression});
      else if (terms < opposite) // once
        result.push_back({expression, true});
    }
  }
  constraints = std::move(result);
  return true;
}

std::optional<Atom> cheapest(llvm::ArrayRef<Constraint> constraints, llvm::function_ref<bool(Atom)> mayGo) {
  std::map<Atom, std::pair<size_t, size_t>> sides; // how many bounds from below and above
  for (const Constraint& constraint : constraints)
    for (auto [atom, factor] : constraint.expression.getTerms())
      if (mayGo(atom)) {
        auto& [lower, upper] = sides[atom];
        constexpr size_t never = size_t{1} << 30; // an equation is not squeezed
        (factor > 0 ? lower : upper) += constraint.isEquality ? never : 1;
        upper += constraint.isEquality ? never : 0;
      }
  std::optional<Atom> best;
  size_t price = size_t{1} << 30;
  for (auto& [atom, side] : sides)
    if (side.first * side.second < price && side.first + side.second < size_t{1} << 30) {
      price = side.first * side.second;
      best = atom;
    }
  return best;
}

void squeeze(Conjunction& constraints, Atom atom, bool surely) {
  Conjunction lower, upper, rest;
  for (const Constraint& constraint : constraints) {
    int64_t factor = constraint.expression.coefficient(atom);
    (factor > 0 ? lower : factor < 0 ? upper : rest).push_back(constraint);
  }
  for (const Constraint& low : lower)
    for (const Constraint& high : upper) {
      int64_t a = low.expression.coefficient(atom), b = -high.expression.coefficient(atom), gap = 0;
      if (surely && __builtin_mul_overflow(a - 1, b - 1, &gap))
        gap = INT64_MAX;
      Linear room = low.expression * b + high.expression * a - Linear(gap);
      if (!room.isPoisoned())
        rest.push_back({room});
      else if (surely)
        rest.push_back({Linear(-1)});
    }
  constraints = std::move(rest);
}

} // namespace tegula::prover

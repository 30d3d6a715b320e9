// The choice is made by elimination, one atom at a time:
// - an equation gives it: x = e; or 2·x = e, where e must be even;
// - bounds that leave one number do: 2·x <= e <= 2·x + 1;
// - x·n + r = e with 0 <= r < n is a division: x = e / n, r = e % n;
// - if a target lies in a segment, the segment is found from the target;
// - else it lies between bounds that leave room for it.
#include "lib/prove/Image.h"

#include "lib/prove/Feasibility.h"

#include <set>

using namespace mlir;

namespace tegula::prover {

// More than that is not worth its time. A group of tensors has tens of constraints for each of its members.
constexpr size_t mostConstraints = 400, mostPieces = 24;

namespace {

class Elimination {
public:
  Elimination(Model& model, Solver& solver, Conjunction leaf, ArrayRef<Atom> targets)
      : model(model), solver(solver), leaf(std::move(leaf)), targets(targets) {}

  std::optional<Conjunction> run() {
    std::erase_if(leaf, isPoisoned); // which survivors() has told
    while (true) {
      if (leaf.size() > mostConstraints || isStuck)
        return std::nullopt;
      if (solve(/*withProducts=*/false) || findSegment() || divideByConstant() || divideByBounds() || divide() ||
          solve(/*withProducts=*/true))
        continue;
      std::optional<Atom> next = cheapest(leaf, [&](Atom atom) { return isChosen(atom) && !isInProduct(atom) && !isInRead(atom); });
      if (!next)
        break;
      squeeze(leaf, *next, /*surely=*/true);
    }
    for (const Constraint& constraint : leaf)
      for (auto [atom, factor] : constraint.expression.getTerms())
        if (!isGiven(Linear::of(atom)))
          return std::nullopt;
    return leaf;
  }

private:
  /// Free to be chosen: neither given nor computed from what is.
  bool isChosen(Atom atom) const {
    if (model.isShared(atom) || llvm::is_contained(targets, atom) || computed.count(atom) || model.findOffsetRead(atom))
      return false;
    SmallVector<Atom, 2> factors = model.factorsOf(atom);
    return factors.size() == 1 || llvm::any_of(factors, [&](Atom factor) { return isChosen(factor); });
  }
  bool isInProduct(Atom atom) const {
    if (model.factorsOf(atom).size() > 1)
      return true;
    for (const Constraint& constraint : leaf)
      for (auto [other, factor] : constraint.expression.getTerms())
        if (other != atom && llvm::is_contained(model.factorsOf(other), atom))
          return true;
    return false;
  }
  bool isPresent(Atom atom) const {
    return llvm::any_of(leaf, [&](const Constraint& constraint) {
      return llvm::any_of(constraint.expression.getTerms(),
                          [&](const Linear::Term& term) { return llvm::is_contained(model.factorsOf(term.first), atom); });
    });
  }
  /// Also as a factor, or in the position of an offset.
  bool mentions(const Linear& expression, Atom atom) const {
    return llvm::any_of(expression.getTerms(), [&](const Linear::Term& term) {
      return llvm::any_of(model.factorsOf(term.first), [&](Atom part) {
        const OffsetRead* read = model.findOffsetRead(part);
        return part == atom || (read && mentions(read->position, atom));
      });
    });
  }
  /// Whether an offset is read at a position that mentions the atom.
  bool isInRead(Atom atom) const {
    for (const Constraint& constraint : leaf)
      for (auto [other, factor] : constraint.expression.getTerms())
        for (Atom part : model.factorsOf(other))
          if (const OffsetRead* read = model.findOffsetRead(part); read && mentions(read->position, atom))
            return true;
    return false;
  }
  bool isGiven(const Linear& expression) const {
    return llvm::none_of(expression.getTerms(), [&](const Linear::Term& term) {
      return isChosen(term.first) || llvm::any_of(model.factorsOf(term.first), [&](Atom part) {
               const OffsetRead* read = model.findOffsetRead(part);
               return read && !computed.count(part) && !isGiven(read->position);
             });
    });
  }
  Linear substituted(const Linear& expression, Atom atom, const Linear& value) {
    if (expression.isPoisoned() || !mentions(expression, atom))
      return expression;
    Linear result(expression.getConstant());
    for (auto [other, factor] : expression.getTerms()) {
      Linear term(1);
      for (Atom part : model.factorsOf(other))
        term = model.product(term, substitutedPart(part, atom, value));
      result = result + term * factor;
    }
    return result;
  }
  Linear substitutedPart(Atom part, Atom atom, const Linear& value) {
    if (part == atom)
      return value;
    const OffsetRead* found = model.findOffsetRead(part);
    if (!found || !mentions(found->position, atom))
      return Linear::of(part);
    OffsetRead read = *found; // making another may move it
    Linear position = substituted(read.position, atom, value);
    isStuck |= position.isPoisoned();
    return read.isSegment ? model.segmentOf(read.view, position) : model.offsetAt(read.view, position);
  }
  /// Everywhere. The atom is no product.
  void replace(Atom atom, const Linear& value) {
    for (Constraint& constraint : leaf) {
      constraint.expression = substituted(constraint.expression, atom, value);
      isStuck |= isPoisoned(constraint); // what it said is lost
    }
    std::erase_if(leaf, [](const Constraint& constraint) {
      return constraint.expression.isConstant() && !constraint.expression.isPoisoned() &&
             (constraint.isEquality ? constraint.expression.getConstant() == 0 : constraint.expression.getConstant() >= 0);
    });
  }

  /// x = e. Equations that a division could be found in come last.
  bool solve(bool withProducts) {
    for (const Constraint& constraint : Conjunction(leaf)) {
      auto isOpenProduct = [&](const Linear::Term& term) { return model.factorsOf(term.first).size() > 1 && isChosen(term.first); };
      if (!constraint.isEquality || (!withProducts && llvm::any_of(constraint.expression.getTerms(), isOpenProduct)))
        continue;
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        if ((factor != 1 && factor != -1) || !isChosen(atom) || model.factorsOf(atom).size() > 1 ||
            (withProducts && isInProduct(atom)))
          continue;
        replace(atom, Linear::of(atom) - constraint.expression * factor);
        return true;
      }
    }
    return false;
  }

  /// An offset at c ± x is compared with a target, or with a segment that was found: c ± x is the number of the segment that it is
  /// in.
  bool findSegment() {
    for (const Constraint& constraint : Conjunction(leaf))
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        const OffsetRead* read = model.findOffsetRead(atom);
        auto isTarget = [&](const Linear::Term& term) {
          return llvm::is_contained(targets, term.first) || computed.count(term.first);
        };
        auto target = llvm::find_if(constraint.expression.getTerms(), isTarget);
        if (!read || read->isSegment || isGiven(Linear::of(atom)) || target == constraint.expression.getTerms().end())
          continue;
        for (auto [part, times] : read->position.getTerms()) {
          Linear rest = read->position - Linear::of(part) * times;
          if ((times != 1 && times != -1) || !isChosen(part) || model.factorsOf(part).size() > 1)
            continue;
          // Of the offsets at both ends of a segment, the first one is its number.
          Linear first = rest;
          for (const OffsetRead& other : model.getOffsetReads())
            if (Linear offset = other.position - Linear::of(part) * times;
                other.view == read->view && !other.isSegment && isPresent(other.value) && (offset - first).isConstant() &&
                (offset - first).getConstant() < 0)
              first = offset;
          Linear segment = model.segmentOf(read->view, Linear::of(target->first));
          computed.insert(segment.getTerms()[0].first);
          replace(part, (segment - first) * times);
          return true;
        }
      }
    return false;
  }

  /// c·x = e, and x = e / c where that is whole.
  bool divideByConstant() {
    for (const Constraint& constraint : Conjunction(leaf)) {
      if (!constraint.isEquality)
        continue;
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        Linear rest = constraint.expression - Linear::of(atom) * factor;
        if (!isChosen(atom) || isInProduct(atom) || !isGiven(rest) || factor == INT64_MIN)
          continue;
        int64_t size = factor < 0 ? -factor : factor;
        Linear quotient = model.quotient(factor < 0 ? rest : rest * -1, size);
        computed.insert(quotient.getTerms().front().first);
        replace(atom, quotient);
        return true;
      }
    }
    return false;
  }

  /// c·x <= e < c·x + c: then x = e / c.
  bool divideByBounds() {
    for (const Constraint& low : Conjunction(leaf))
      for (auto [atom, factor] : low.expression.getTerms()) {
        Linear given = low.expression - Linear::of(atom) * factor;
        if (low.isEquality || factor >= 0 || factor == INT64_MIN || isPoisoned(low) || !isChosen(atom) || isInProduct(atom) ||
            !isGiven(given))
          continue;
        auto isOtherSide = [&, factor = factor](const Constraint& high) {
          Linear room = low.expression + high.expression;
          return !high.isEquality && room.isConstant() && !room.isPoisoned() && room.getConstant() >= 0 &&
                 room.getConstant() < -factor;
        };
        if (llvm::none_of(leaf, isOtherSide))
          continue;
        Linear quotient = model.quotient(given, -factor);
        computed.insert(quotient.getTerms().front().first);
        replace(atom, quotient);
        return true;
      }
    return false;
  }

  /// x·n + r = e with 0 <= r < n.
  bool divide() {
    for (const Constraint& constraint : Conjunction(leaf)) {
      if (!constraint.isEquality)
        continue;
      for (auto [atom, factor] : constraint.expression.getTerms()) {
        SmallVector<Atom, 2> factors = model.factorsOf(atom);
        auto chosen = llvm::find_if(factors, [&](Atom part) { return isChosen(part); });
        if (factors.size() < 2 || chosen == factors.end() || (factor != 1 && factor != -1))
          continue;
        Atom part = *chosen;
        factors.erase(chosen);
        Linear divisor(1);
        for (Atom other : factors)
          divisor = model.product(divisor, Linear::of(other));
        if (!isGiven(divisor))
          continue;
        // ±(x·n + r - e) = 0: what is given goes to the right.
        Linear rest = constraint.expression * factor - Linear::of(atom), given(rest.getConstant());
        for (auto [other, times] : rest.getTerms())
          if (isGiven(Linear::of(other)))
            given = given + Linear::of(other) * times;
        Linear remainder = rest - given;
        // A constant, or a part of what is given, may belong to the remainder.
        for (const Linear& shift : {Linear(0), divisor - Linear(1), Linear(given.getConstant())}) {
          Linear low = remainder + shift;
          if (!solver.isEmpty({Clause{leaf}}, {less(low, 0)}) || !solver.isEmpty({Clause{leaf}}, {atLeast(low, divisor)}))
            continue;
          Linear dividend = shift - given;
          Division division = model.divideAnyway(dividend, divisor);
          computed.insert(division.quotient);
          computed.insert(division.remainder);
          leaf.push_back(atLeast(dividend, 0));
          replace(part, Linear::of(division.quotient));
          leaf.push_back(equal(low, Linear::of(division.remainder)));
          // What was divided says nothing new: the division's own facts give it back.
          Linear whole = model.product(Linear::of(division.quotient), divisor) + low - dividend;
          std::erase_if(leaf,
                        [&](const Constraint& c) { return c.isEquality && (c.expression == whole || c.expression == whole * -1); });
          return true;
        }
      }
    }
    return false;
  }

  Model& model;
  Solver& solver;
  Conjunction leaf;
  ArrayRef<Atom> targets;
  std::set<Atom> computed;
  bool isStuck = false; // a number was too large
};

} // namespace

std::optional<Conjunction> reached(Model& model, Solver& solver, Conjunction leaf, ArrayRef<Atom> targets) {
  return Elimination(model, solver, std::move(leaf), targets).run();
}

std::optional<std::vector<Conjunction>> without(Model& model, const Clauses& facts, const Conjunction& whole,
                                                ArrayRef<Conjunction> images) {
  Solver solver(model);
  solver.useLimits();
  std::vector<Conjunction> pieces{whole};
  for (const Conjunction& image : images) {
    std::vector<Conjunction> left;
    for (Conjunction piece : pieces)
      for (const Constraint& constraint : image) {
        Conjunction opposites{less(constraint.expression, 0)};
        if (constraint.isEquality)
          opposites.push_back(less(0, constraint.expression));
        bool isPossible = false;
        for (const Constraint& opposite : opposites) {
          Conjunction part = piece;
          part.push_back(opposite);
          if (solver.isEmpty(facts, part))
            continue;
          isPossible = true;
          left.push_back(std::move(part));
          if (left.size() > mostPieces)
            return std::nullopt;
        }
        if (isPossible)
          piece.push_back(constraint);
      }
    pieces = std::move(left);
  }
  return pieces;
}

} // namespace tegula::prover

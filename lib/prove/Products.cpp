// Products, which linear arithmetic takes for numbers of their own.
//
// What is at least 0, times what is at least 0, is at least 0 (Handelman): from x >= y and n >= 0 follows x·n >= y·n. So every
// constraint is multiplied by those atoms that occur in a product together with one of its own, and the results are linear in the
// products. That is what a flat index r·n + c, a quotient q = i / n and a chunk of n numbers for each program need.
#include "lib/prove/Solver.h"

#include "lib/prove/Feasibility.h"

#include <set>

using namespace mlir;

namespace tegula::prover {

// Each is more than any kernel of the tests needs, and small enough that a question stays a matter of microseconds.
constexpr size_t mostProducts = 64, mostTerms = 6;
constexpr int mostNew = 3; // products of a constraint that did not occur before; those of three factors count twice

namespace {

/// `of`, in a constraint, becomes part of a known product when it is multiplied by `by`.
struct Partner {
  Atom of, by;
  bool operator<(const Partner& other) const { return std::pair(of, by) < std::pair(other.of, other.by); }
};

class Multiplication {
public:
  Multiplication(Model& model, Conjunction& leaf, bool areAll, bool areNew)
      : model(model), leaf(leaf), areAll(areAll), areNew(areNew) {
    for (const Constraint& constraint : leaf)
      known.insert(keyOf(constraint));
  }

  /// Of the first `goals` constraints and all equations, or of all.
  void run(size_t goals) {
    findPartners();
    findBounds();
    size_t before = leaf.size();
    for (size_t number = 0; number < std::min(goals, before) && added < mostProducts; ++number)
      multiply(Constraint(leaf[number]));
    for (bool areEqualities : {true, false})
      for (size_t number = goals; number < before && added < mostProducts; ++number)
        if (leaf[number].isEquality == areEqualities && (areEqualities || areAll))
          multiply(Constraint(leaf[number]));
  }

private:
  /// All ways to write the products of the leaf as one of an atom and another.
  void findPartners() {
    std::set<Atom> seen;
    for (const Constraint& constraint : leaf)
      for (auto [atom, factor] : constraint.expression.getTerms())
        if (seen.insert(atom).second)
          note(atom);
  }
  void note(Atom atom) {
    SmallVector<Atom, 2> factors = model.factorsOf(atom);
    if (factors.size() < 2)
      return;
    present.insert(atom);
    for (size_t number = 0; number < factors.size(); ++number) {
      SmallVector<Atom, 2> rest = factors;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(number));
      std::optional<Atom> others = rest.size() == 1 ? std::optional(rest[0]) : model.findMonomial(rest);
      if (!others)
        continue;
      partners.insert({factors[number], *others});
      partners.insert({*others, factors[number]});
    }
  }
  /// The largest constant that each atom is known to reach.
  void findBounds() {
    for (const Constraint& constraint : leaf) {
      ArrayRef<Linear::Term> terms = constraint.expression.getTerms();
      if (terms.size() != 1 || terms[0].second != 1 || constraint.isEquality)
        continue;
      auto [place, isNew] = least.try_emplace(terms[0].first, -constraint.expression.getConstant());
      if (!isNew)
        place->second = std::max(place->second, -constraint.expression.getConstant());
    }
  }
  std::optional<int64_t> leastOf(Atom atom) {
    auto known = least.find(atom);
    std::optional<int64_t> result = known == least.end() ? std::nullopt : std::optional(known->second);
    __int128 low = model.interval(Linear::of(atom)).low;
    if (low >= 0 && low <= INT32_MAX && (!result || *result < low))
      result = static_cast<int64_t>(low);
    return result;
  }

  void multiply(const Constraint& constraint) {
    ArrayRef<Linear::Term> terms = constraint.expression.getTerms();
    auto isNumber = [&](const Linear::Term& term) { return model.isNumber(term.first); };
    if (terms.size() > mostTerms || isLimit(constraint) || isPoisoned(constraint) || llvm::any_of(terms, isNumber))
      return;
    std::set<Atom> tried;
    for (auto [atom, factor] : terms)
      for (auto next = partners.lower_bound({atom, 0}); next != partners.end() && next->of == atom; ++next) {
        Atom by = next->by;
        if (!tried.insert(by).second || countNew(constraint.expression, by) > (areNew || constraint.isEquality ? mostNew : 0))
          continue;
        std::optional<int64_t> low = leastOf(by);
        if (!constraint.isEquality && (!low || *low < 0))
          continue;
        if (terms.size() == 1 && !constraint.isEquality && constraint.expression.getConstant() == 0 && *low == 0)
          continue; // is known of the product
        // by - low is at least 0, which says more than that `by` is.
        Linear result = model.product(constraint.expression, Linear::of(by));
        if (!constraint.isEquality)
          result = result - constraint.expression * *low;
        Constraint found{result, constraint.isEquality};
        if (isPoisoned(found) || result.isConstant() || !known.insert(keyOf(found)).second)
          continue;
        leaf.push_back(found);
        for (auto [other, times] : result.getTerms())
          if (model.factorsOf(other).size() > 1)
            present.insert(other);
        if (++added >= mostProducts)
          return;
      }
  }
  int countNew(const Linear& expression, Atom by) {
    int result = 0;
    for (auto [atom, factor] : expression.getTerms()) {
      SmallVector<Atom, 2> factors = model.factorsOf(atom);
      factors.append(model.factorsOf(by));
      std::optional<Atom> product = model.findMonomial(factors);
      bool isNew = !product || !present.count(*product);
      result += !isNew ? 0 : factors.size() == 2 ? 1 : factors.size() == 3 ? 2 : mostNew + 1;
    }
    return result;
  }
  static std::vector<int64_t> keyOf(const Constraint& constraint) {
    std::vector<int64_t> key{constraint.isEquality, constraint.expression.getConstant()};
    for (auto [atom, factor] : constraint.expression.getTerms()) {
      key.push_back(atom);
      key.push_back(factor);
    }
    return key;
  }

  Model& model;
  Conjunction& leaf;
  bool areAll, areNew;
  std::set<Partner> partners;
  std::set<Atom> present;               // products
  std::set<std::vector<int64_t>> known; // what was there
  std::map<Atom, int64_t> least;
  size_t added = 0;
};

} // namespace

bool Solver::addProducts(Conjunction& leaf, size_t goals, bool areAll, bool areNew) {
  if (!model.effort.spend(workOf(leaf)))
    return false;
  size_t before = leaf.size();
  Multiplication(model, leaf, areAll, areNew).run(goals);
  if (leaf.size() == before)
    return false;
  addCertainFacts(leaf);
  return true;
}

} // namespace tegula::prover

#include "lib/prove/Tableau.h"

namespace tegula::prover {

constexpr int mostNodes = 24; // of a search for integers: what is not decided by then rarely is later
constexpr int nanosecondsPerFactor = 6;

Tableau::Variable Tableau::addVariable() {
  bounds.emplace_back();
  values.emplace_back();
  place.push_back(0);
  return static_cast<Variable>(bounds.size() - 1);
}

unsigned Tableau::columnOf(Atom atom) {
  auto [known, isNew] = atoms.try_emplace(atom, 0);
  if (!isNew)
    return known->second;
  Variable variable = addVariable();
  known->second = variable;
  atomVariables.push_back(variable);
  place[variable] = -1 - static_cast<int>(columns.size());
  columns.push_back(variable);
  for (Row& row : rows)
    row.factors.emplace_back();
  return variable;
}

Tableau::Variable Tableau::rowOf(llvm::ArrayRef<Linear::Term> terms) {
  auto [known, isNew] = sums.try_emplace(terms.vec(), 0);
  if (!isNew)
    return known->second;
  for (auto [atom, factor] : terms)
    columnOf(atom);
  Variable variable = addVariable();
  known->second = variable;
  Row row{variable, std::vector<Rational>(columns.size())};
  Rational value;
  for (auto [atom, factor] : terms) {
    Variable of = atoms[atom];
    value = value + values[of] * Rational(factor);
    if (place[of] < 0) {
      Rational& entry = row.factors[static_cast<size_t>(-1 - place[of])];
      entry = entry + Rational(factor);
      continue;
    }
    for (size_t column = 0; column < columns.size(); ++column) {
      row.factors[column] = row.factors[column] + rows[static_cast<size_t>(place[of])].factors[column] * Rational(factor);
      overflowed |= !row.factors[column].isNumber();
    }
  }
  effort.spend(static_cast<int64_t>(terms.size() * columns.size()) * nanosecondsPerFactor);
  values[variable] = value;
  place[variable] = static_cast<int>(rows.size());
  rows.push_back(std::move(row));
  return variable;
}

void Tableau::bound(Variable variable, std::optional<Rational> low, std::optional<Rational> high) {
  trail.emplace_back(variable, bounds[variable]);
  Bounds& mine = bounds[variable];
  if (low && (!mine.low || *mine.low < *low))
    mine.low = low;
  if (high && (!mine.high || *high < *mine.high))
    mine.high = high;
  contradictory |= mine.low && mine.high && *mine.high < *mine.low;
  if (contradictory || place[variable] >= 0)
    return;
  if (mine.low && values[variable] < *mine.low)
    update(variable, *mine.low);
  else if (mine.high && *mine.high < values[variable])
    update(variable, *mine.high);
}

void Tableau::add(const Constraint& constraint) {
  if (constraint.expression.isPoisoned())
    return;
  llvm::ArrayRef<Linear::Term> terms = constraint.expression.getTerms();
  Rational constant(constraint.expression.getConstant());
  if (terms.empty()) {
    contradictory |= constant.sign() < 0 || (constraint.isEquality && constant.sign() != 0);
    return;
  }
  bool isEquality = constraint.isEquality;
  if (terms.size() == 1) { // a bound of the atom itself
    columnOf(terms[0].first);
    Rational limit = -constant * Rational(terms[0].second).inverse();
    bool isLow = terms[0].second > 0;
    std::optional<Rational> none;
    bound(atoms[terms[0].first], isLow || isEquality ? std::optional(limit) : none,
          !isLow || isEquality ? std::optional(limit) : none);
    return;
  }
  bound(rowOf(terms), -constant, isEquality ? std::optional(-constant) : std::nullopt);
}

void Tableau::update(Variable nonbasic, const Rational& value) {
  Rational change = value - values[nonbasic];
  auto column = static_cast<size_t>(-1 - place[nonbasic]);
  for (const Row& row : rows)
    if (row.factors[column].sign() != 0)
      values[row.basic] = values[row.basic] + row.factors[column] * change;
  values[nonbasic] = value;
}

/// Exchanges the row's variable, which then has the value, for the column's.
void Tableau::pivot(size_t number, unsigned column, const Rational& value) {
  Row& row = rows[number];
  Variable leaving = row.basic, entering = columns[column];
  Rational change = (value - values[leaving]) * row.factors[column].inverse();
  values[leaving] = value;
  values[entering] = values[entering] + change;
  for (size_t other = 0; other < rows.size(); ++other)
    if (other != number && rows[other].factors[column].sign() != 0)
      values[rows[other].basic] = values[rows[other].basic] + rows[other].factors[column] * change;
  // leaving = a·entering + rest gives entering = leaving/a - rest/a.
  Rational scale = row.factors[column].inverse();
  for (Rational& factor : row.factors)
    if (factor.sign() != 0) {
      factor = -factor * scale;
      overflowed |= !factor.isNumber();
    }
  row.factors[column] = scale;
  row.basic = entering;
  for (size_t other = 0; other < rows.size(); ++other) {
    Rational times = rows[other].factors[column];
    if (other == number || times.sign() == 0)
      continue;
    rows[other].factors[column] = Rational();
    for (size_t at = 0; at < columns.size(); ++at)
      if (row.factors[at].sign() != 0) {
        Rational& factor = rows[other].factors[at];
        factor = factor + times * row.factors[at];
        overflowed |= !factor.isNumber();
      }
  }
  columns[column] = leaving;
  place[leaving] = -1 - static_cast<int>(column);
  place[entering] = static_cast<int>(number);
}

bool Tableau::isEmpty() {
  while (!contradictory) {
    // The first basic variable that violates a bound.
    size_t violated = rows.size();
    bool isLow = false;
    for (size_t number = 0; number < rows.size(); ++number) {
      Variable basic = rows[number].basic;
      const Bounds& mine = bounds[basic];
      overflowed |= !values[basic].isNumber();
      bool below = mine.low && values[basic] < *mine.low;
      if ((below || (mine.high && *mine.high < values[basic])) && (violated == rows.size() || basic < rows[violated].basic)) {
        violated = number;
        isLow = below;
      }
    }
    if (violated == rows.size() || overflowed ||
        !effort.spend(static_cast<int64_t>((rows.size() + 1) * (columns.size() + 1)) * nanosecondsPerFactor))
      return false;
    const Row& row = rows[violated];
    unsigned best = static_cast<unsigned>(columns.size());
    for (unsigned column = 0; column < columns.size(); ++column) {
      int sign = row.factors[column].sign() * (isLow ? 1 : -1);
      const Bounds& other = bounds[columns[column]];
      bool canMove = (sign > 0 && (!other.high || values[columns[column]] < *other.high)) ||
                     (sign < 0 && (!other.low || *other.low < values[columns[column]]));
      if (canMove && (best == columns.size() || columns[column] < columns[best]))
        best = column;
    }
    if (best == columns.size())
      return true;
    const Bounds& mine = bounds[row.basic];
    pivot(violated, best, isLow ? *mine.low : *mine.high);
  }
  return true;
}

void Tableau::restore(size_t mark) {
  while (trail.size() > mark) {
    bounds[trail.back().first] = trail.back().second;
    trail.pop_back();
  }
  contradictory = false;
}

bool Tableau::branch(int& nodes) {
  if (isEmpty())
    return !overflowed;
  if (overflowed || effort.isSpent() || --nodes < 0)
    return false;
  for (Variable variable : atomVariables) {
    if (!values[variable].isNumber() || values[variable].isInteger())
      continue;
    Rational below(values[variable].floor());
    for (bool isBelow : {true, false}) {
      size_t mark = trail.size();
      bound(variable, isBelow ? std::nullopt : std::optional(below + Rational(1)), isBelow ? std::optional(below) : std::nullopt);
      bool isNone = branch(nodes);
      restore(mark);
      if (!isNone)
        return false;
    }
    return true;
  }
  return false;
}

bool Tableau::hasNoIntegers() {
  if (contradictory)
    return true;
  int nodes = mostNodes;
  return branch(nodes);
}

bool Tableau::excludes(const Constraint& constraint) {
  if (constraint.expression.isPoisoned())
    return false;
  if (contradictory)
    return true;
  size_t mark = trail.size();
  add(constraint);
  bool result = hasNoIntegers();
  restore(mark);
  return result;
}

} // namespace tegula::prover

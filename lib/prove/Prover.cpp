#include "lib/prove/Prover.h"

#include "lib/prove/Feasibility.h"

#include <chrono>
#include <set>

using namespace mlir;
using namespace tegula::tile;

namespace tegula::prover {

constexpr size_t mostCases = 8;         // that a launch condition is read from: a reader could not make sense of more
constexpr int64_t usualTiles = 1 << 24; // along an axis, of a launch that a condition should leave possible

static double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Prover::Prover(func::FuncOp kernel, Options options)
    : kernel(kernel), options(options), model(kernel), accesses(accessesOf(kernel)), limits(limitsOf(kernel)),
      trials(kernel, accesses, limits) {
  proof.kernel = kernel.getName().str();
  proof.location = locationOf(kernel.getLoc());
  model.assume = [this](Operation* op, ArrayRef<Constraint> violations, unsigned width) {
    if (this->options.suppress)
      return false;
    std::vector<Violation> cases;
    for (const Constraint& violation : violations)
      cases.push_back({model.factsAt(op), {violation}});
    trace::Location location = locationOf(op->getLoc());
    return settle(cases, width < 64 ? Why::wrapsInFewBits : Why::wraps, "the arithmetic does not wrap around", location).rung !=
           Rung::refuted;
  };
}

Inequality Prover::inequality(const Linear& expression) {
  Inequality result;
  result.constant = expression.getConstant();
  for (auto [atom, factor] : expression.getTerms())
    result.sum.emplace_back(factor, model.uniform(atom));
  return result;
}

Clause negated(const Conjunction& conjunction) {
  Clause result;
  for (const Constraint& constraint : conjunction) {
    result.emplace_back(1, less(constraint.expression, 0));
    if (constraint.isEquality)
      result.emplace_back(1, less(0, constraint.expression));
  }
  return result;
}

/// Whether it limits how many segments there are, or where they end; other than that there are none.
bool Prover::limitsSegments(const Inequality& limit) {
  ArrayRef<Uniform::Node> nodes = limit.sum[0].second.nodes;
  if (nodes.size() != 1 || (nodes[0].op != Uniform::Op::dim && nodes[0].op != Uniform::Op::bound))
    return false;
  auto view = cast<ViewType>(kernel.getArgument(static_cast<unsigned>(nodes[0].parameter)).getType());
  int64_t most = limit.constant / -limit.sum[0].first, none = nodes[0].op == Uniform::Op::dim ? 1 : 0;
  return view.getKind() == ParameterKind::offsets && most > none;
}

/// An author who means "the matrix is square", "there is one program" or "the output has four tiles at most" says so; the prover
/// does not assume it.
bool Prover::isPresumptuous(const Inequality& alternative, Why why) {
  if (alternative.says_empty())
    return false;
  bool hasPrograms = false, hasOthers = false;
  std::set<int> parameters, axes;
  for (const auto& [factor, term] : alternative.sum)
    for (const Uniform::Node& node : term.nodes) {
      hasPrograms |= node.op == Uniform::Op::programs;
      hasOthers |= node.op == Uniform::Op::scalar || node.op == Uniform::Op::bound;
      if (node.op != Uniform::Op::dim && node.op != Uniform::Op::tiles)
        continue;
      parameters.insert(node.parameter);
      axes.insert(node.axis);
    }
  // Numbers of 64 bits become too large only where others are larger than usual.
  bool isLimit = alternative.sum.size() == 1 && alternative.sum[0].first < 0 && why != Why::wrapsInFewBits &&
                 (why != Why::wraps || alternative.constant / -alternative.sum[0].first < usualTiles);
  if (isLimit && limitsSegments(alternative))
    return true;
  if (hasOthers || parameters.size() > 1)
    return false;
  if (parameters.empty()) // only numbers of programs that nobody asks for may make numbers too large
    return hasPrograms && !(why == Why::wraps && alternative.holds({{}, usualTiles}));
  auto view = cast<ViewType>(kernel.getArgument(static_cast<unsigned>(*parameters.begin())).getType());
  // What is covered may differ with what offsets hold, which no condition sees.
  bool mayBeMeant = why == Why::leavesOut && model.getOffsetViews().empty();
  return !hasPrograms && (axes.size() > 1 || (isLimit && (view.isOutput() || why == Why::wraps) && !mayBeMeant));
}

/// A tensor is as large as another one, has all the positions that an index tensor may hold, or is not empty; or the bound of an
/// index that is written is so large: what every kernel asks for needs no launch to show it, though one that goes right without
/// shows that it is too much.
bool Prover::isPlain(const LaunchCondition& condition) {
  auto isPlainInequality = [&](const Inequality& alternative) {
    auto isWrittenBound = [&](const Uniform::Node& node) {
      return node.op == Uniform::Op::bound &&
             cast<ViewType>(kernel.getArgument(static_cast<unsigned>(node.parameter)).getType()).isOutput();
    };
    auto is = [&](size_t term, int64_t factor) {
      const auto& [times, number] = alternative.sum[term];
      return times == factor && number.nodes.size() == 1 &&
             (number.nodes[0].op == Uniform::Op::dim || number.nodes[0].op == Uniform::Op::tiles ||
              number.nodes[0].op == Uniform::Op::bound);
    };
    auto areOfTwo = [&] { return alternative.sum[0].second.nodes[0].parameter != alternative.sum[1].second.nodes[0].parameter; };
    return (alternative.sum.size() == 1 && is(0, 1) &&
            (alternative.constant == -1 || isWrittenBound(alternative.sum[0].second.nodes[0]))) ||
           (alternative.sum.size() == 2 && alternative.constant == 0 && ((is(0, 1) && is(1, -1)) || (is(0, -1) && is(1, 1))) &&
            areOfTwo());
  };
  return llvm::any_of(condition.any_of, isPlainInequality) && llvm::all_of(condition.any_of, [&](const Inequality& alternative) {
           return alternative.says_empty() || isPlainInequality(alternative);
         });
}

bool Prover::leavesLaunches(const Clauses& all, bool needsTwoPrograms) {
  Conjunction sensible;
  if (needsTwoPrograms)
    sensible.push_back(atLeast(Linear::of(model.programs()), 2));
  for (BlockArgument argument : kernel.getArguments())
    if (auto view = dyn_cast<ViewType>(argument.getType())) {
      if (needsTwoPrograms && view.isClaimed() && view.getRank() > 0)
        sensible.push_back(atLeast(model.allTiles(argument), 2));
      for (int64_t axis = 0; axis < view.getRank(); ++axis) {
        sensible.push_back(atLeast(Linear::of(model.tiles(argument, axis)), 1));
        sensible.push_back(atLeast(usualTiles, Linear::of(model.tiles(argument, axis))));
      }
    } else if (auto type = dyn_cast<IntegerType>(argument.getType()); type && type.getWidth() > 1) {
      sensible.push_back(atLeast(model.valueOf(argument), 1));
    }
  Clauses together = all;
  llvm::append_range(together, model.launchFacts());
  return !solver.isEmpty(together, sensible);
}

/// Turns the cases, which speak of uniform atoms only, into conditions that exclude them, if a sensible launch still satisfies all.
bool Prover::accept(std::vector<Conjunction> cases, Why why, const std::string& purpose, const trace::Location& location,
                    std::string& how) {
  llvm::sort(cases, [](const Conjunction& a, const Conjunction& b) { return a.size() < b.size(); });
  for (size_t number = cases.size(); number-- > 0;) { // what the others exclude, too
    Clauses others = solver.relevant(conditions, {}, cases[number]);
    for (size_t other = 0; other < cases.size(); ++other)
      if (other != number)
        others.push_back(negated(cases[other]));
    if (solver.isEmpty(others, cases[number]))
      cases.erase(cases.begin() + static_cast<ptrdiff_t>(number));
  }
  Clauses added, facts = model.launchFacts();
  std::vector<LaunchCondition> found;
  Solver limited(model);
  limited.useLimits();
  for (const Conjunction& bad : cases) {
    if (bad.empty())
      return false;
    Clause condition = negated(bad);
    LaunchCondition launch{{}, {}, purpose, location};
    for (const Conjunction& alternative : condition) {
      const Linear& expression = alternative[0].expression;
      if (expression.isPoisoned())
        return false;
      if (!limited.isEmpty(facts, alternative)) // else it never holds
        launch.any_of.push_back(inequality(expression));
    }
    // It is natural if it asks for nothing but what is needed. Numbers that are too large for their type are never meant.
    if (llvm::any_of(launch.any_of, [&](const Inequality& alternative) { return isPresumptuous(alternative, why); }))
      return false;
    std::vector<LaunchCondition> others = proof.conditions;
    others.insert(others.end(), found.begin(), found.end());
    if (trials.goesRightWithout(launch, others, /*areUsual=*/why == Why::wraps || why == Why::wrapsInFewBits,
                                why == Why::misses && isPlain(launch)))
      return false;
    added.push_back(condition);
    found.push_back(std::move(launch));
  }
  Clauses all = conditions;
  llvm::append_range(all, added);
  std::vector<LaunchCondition> together = proof.conditions;
  llvm::append_range(together, found);
  bool needsTwoPrograms = why == Why::collides; // showing a launch costs less than asking for one
  if (!trials.admitsSensible(together, needsTwoPrograms) && !leavesLaunches(all, needsTwoPrograms))
    return false;
  conditions = all;
  for (LaunchCondition& launch : found) {
    how += (how.empty() ? "" : ", and ") + launch.str();
    proof.conditions.push_back(std::move(launch));
  }
  return true;
}

bool Prover::isProved(ArrayRef<Violation> violations) {
  return llvm::all_of(violations, [&](const Violation& violation) {
    return llvm::none_of(violation.goals, isPoisoned) && solver.survivors(violation.facts, violation.goals, true).empty();
  });
}

Prover::Settled Prover::settle(ArrayRef<Violation> violations, Why why, const std::string& purpose,
                               const trace::Location& location) {
  bool twoPrograms = why == Why::collides;
  if (options.suppress)
    return {};
  bool isConditional = false;
  std::vector<Conjunction> leaves; // what may go wrong
  for (const Violation& violation : violations) {
    if (llvm::any_of(violation.goals, isPoisoned))
      return {}; // what goes wrong cannot be said in 64 bits
    std::vector<Conjunction> left = solver.survivors(violation.facts, violation.goals, twoPrograms);
    isConditional |= !left.empty();
    if (!left.empty() && !conditions.empty()) {
      Clauses facts = violation.facts;
      llvm::append_range(facts, solver.relevant(conditions, violation.facts, violation.goals));
      if (solver.survivors(facts, violation.goals, twoPrograms).empty())
        continue;
    }
    llvm::append_range(leaves, left);
  }
  if (!isConditional)
    return {Rung::proved, "", ""};
  if (leaves.empty())
    return {Rung::condition, "by the launch conditions", ""};
  std::vector<std::vector<Conjunction>> refused;
  for (Products products : {Products::none, Products::known, Products::all}) {
    Settled result{Rung::condition, "", ""};
    if (std::optional<std::vector<Conjunction>> cases = casesOf(leaves, products)) {
      if (cases->empty())
        return {Rung::condition, "by the launch conditions", ""};
      if (accept(*cases, why, purpose, location, result.how))
        return result;
      refused.push_back(std::move(*cases));
    }
  }
  Settled result;
  for (const std::vector<Conjunction>& cases : refused)
    if (result.relation.empty())
      result.relation = relationAgainst(violations, cases, why);
  return result;
}

/// What the launches are like in which one of the leaves may be; nothing if that may be in any launch.
std::optional<std::vector<Conjunction>> Prover::casesOf(ArrayRef<Conjunction> leaves, Products products) {
  std::vector<Conjunction> cases;
  for (const Conjunction& leaf : leaves) {
    Clauses known = model.launchFacts();
    llvm::append_range(known, solver.relevant(conditions, known, leaf));
    Conjunction projected = solver.project(leaf, known, products);
    if (projected.empty() || cases.size() > mostCases)
      return std::nullopt;
    if (!solver.isEmpty(solver.relevant(conditions, {}, projected), projected) && !llvm::is_contained(cases, projected))
      cases.push_back(projected);
  }
  return cases;
}

Obligation& Prover::record(ObligationKind kind, Operation* op, int parameter, int axis, std::string what) {
  Obligation obligation;
  obligation.kind = kind;
  obligation.parameter = parameter;
  obligation.axis = axis;
  obligation.what = std::move(what);
  obligation.location = locationOf(op->getLoc());
  obligation.other = obligation.location;
  proof.obligations.push_back(std::move(obligation));
  return proof.obligations.back();
}

void Prover::addExpectations() {
  for (auto expect : kernel.getOps<ExpectOp>()) {
    trace::Location location = locationOf(expect.getLoc());
    std::optional<Uniform> condition = model.uniformOf(expect.getCondition());
    if (!condition) {
      proof.refutation =
          place(location) + ": kernel '" + proof.kernel +
          "': expects() is checked before the launch, so it depends on extents, bounds, scalars and the number of "
          "programs only, and has 2000 operations at most; for a condition on data or on the program write require()";
      return;
    }
    LaunchCondition launch{{Inequality{{{1, *condition}}, -1}}, expect.getText().str(), "expects", location};
    if (launch.text.empty())
      launch.text = condition->str();
    proof.conditions.push_back(std::move(launch));
  }
}

/// The tracer makes these indices, one piece for each program: nothing is left to prove.
void Prover::markOwnPieces() {
  kernel.walk([&](Operation* op) { // marks are the prover's own
    if (isa<TileDialect>(op->getDialect())) {
      for (const char* mark : {"inside", "check", "fresh"})
        op->removeAttr(mark);
    }
  });
  kernel.walk([&](AccessOpInterface op) {
    if (op.getView().getType().isPartition() && !op.mayMiss())
      op->setAttr("inside", UnitAttr::get(op->getContext()));
  });
  for (const Access& access : accesses)
    if (access.type().isPartition()) {
      access.op->removeAttr("inside");
      refuse(access, "a program reads and writes its own piece of parameter " + std::to_string(access.parameter() + 1) + " only");
    }
}

Proof Prover::run() {
  double start = now();
  addExpectations();
  auto timed = [&](auto&& prove) {
    if (isRefuted())
      return;
    size_t before = proof.obligations.size();
    double begin = now();
    model.effort.begin();
    prove();
    double each = (now() - begin) / static_cast<double>(std::max<size_t>(1, proof.obligations.size() - before));
    for (size_t number = before; number < proof.obligations.size(); ++number)
      proof.obligations[number].ms = each;
  };
  markOwnPieces();
  // In program order: what a number is read from comes before it, and the step of a loop before what the loop touches. A launch in
  // which the first goes wrong says nothing about the second.
  llvm::DenseMap<Operation*, size_t> order;
  kernel.walk<WalkOrder::PreOrder>([&](Operation* op) { order.try_emplace(op, order.size()); });
  ArrayRef<Limit> rest = limits;
  for (const Access& access : accesses) {
    for (; !rest.empty() && order[rest.front().op] < order[access.op]; rest = rest.drop_front())
      timed([&] { proveLimit(rest.front()); });
    timed([&] { proveBounds(access); });
  }
  for (const Limit& limit : rest)
    timed([&] { proveLimit(limit); });
  for (BlockArgument view : kernel.getArguments()) {
    auto type = dyn_cast<ViewType>(view.getType());
    if (!type || !type.isOutput() || type.isAccumulated())
      continue;
    timed([&] { proveDisjoint(view); });
    timed([&] { proveCovered(view); });
    timed([&] { markFresh(view); });
  }
  proof.ms = now() - start;
  proof.work = model.effort.used() + trials.work();
  return std::move(proof);
}

} // namespace tegula::prover

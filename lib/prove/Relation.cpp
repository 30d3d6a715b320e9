// What an author could expect of a launch, so that an obligation is proved: cases in which it may go wrong, turned round. No
// condition of the launch is made of it, as it would refuse launches that go right, or ask for what only an author can mean.
#include "lib/prove/Prover.h"

#include <regex>

using namespace mlir;

namespace tegula::prover {

constexpr int64_t workOfRelation = 5'000'000;          // a few milliseconds each, beside what a proof may take
constexpr size_t mostParts = 4, longestRelation = 120; // more than that nobody reads
constexpr int64_t largestNumber = 1 << 20;             // that an author writes

/// Not that something is small, empty or huge: that is seldom what a kernel relies on.
static bool isSayable(const Inequality& inequality) {
  using Op = Uniform::Op;
  bool isLimit = inequality.sum.size() == 1 && inequality.sum[0].first < 0;
  auto isLarge = [](int64_t number) { return number > largestNumber || number < -largestNumber; };
  bool isHuge = isLarge(inequality.constant), isSaid = false;
  for (const auto& [factor, term] : inequality.sum) {
    isHuge |= isLarge(factor);
    isSaid |= llvm::any_of(term.nodes, [](const Uniform::Node& node) {
      return node.op == Op::dim || node.op == Op::tiles || node.op == Op::bound || node.op == Op::scalar;
    });
  }
  return isSaid && !isLimit && !isHuge && !inequality.says_empty() && inequality.str().size() <= longestRelation;
}

std::string Prover::relationAgainst(ArrayRef<Violation> violations, ArrayRef<Conjunction> cases, Why why) {
  if (why == Why::wraps || why == Why::wrapsInFewBits || relationsLeft-- <= 0)
    return "";
  Effort::Aside aside(model.effort, workOfRelation);
  Clauses facts = conditions;
  size_t parts = 0;
  std::string text;
  for (const Conjunction& bad : cases) {
    if (solver.isEmpty(facts, bad))
      continue;
    const Conjunction* best = nullptr;
    Inequality said;
    Clause ways = negated(bad);
    for (const Conjunction& way : ways) {
      if (way[0].expression.isPoisoned())
        continue;
      Inequality inequality = this->inequality(way[0].expression);
      if (isSayable(inequality) && (!best || inequality.str().size() < said.str().size())) {
        best = &way;
        said = std::move(inequality);
      }
    }
    if (!best || parts++ == mostParts)
      return "";
    facts.push_back({*best});
    text += (text.empty() ? "" : " && ") + said.str();
  }
  bool twoPrograms = why == Why::collides;
  for (const Violation& violation : violations) {
    Clauses all = violation.facts;
    llvm::append_range(all, facts);
    if (!solver.survivors(all, violation.goals, twoPrograms).empty())
      return "";
  }
  if (!leavesLaunches(facts, twoPrograms))
    return "";
  return std::regex_replace(text, std::regex("programs"), "programs()"); // as the language has it
}

} // namespace tegula::prover

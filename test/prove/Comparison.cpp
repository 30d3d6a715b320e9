#include "test/prove/Comparison.h"

#include "lib/compile/CompileModule.h"
#include "lib/prove/Refutation.h"
#include "test/prove/Judge.h"
#include "test/prove/Launches.h"

#include <algorithm>

namespace tegula::test {
namespace {

constexpr std::int64_t most_elements = 20'000, most_programs = 300;
constexpr int several_warps = 4; // so that even small tiles are written by several

bool is_small(const LaunchShape& launch) { return is_at_most(most_elements, launch) && launch.programs <= most_programs; }

/// Whether something goes wrong, were nothing checked; none if that cannot be told.
std::optional<bool> goes_wrong(const Footprint& footprint, const LaunchShape& launch, const Contents& contents) {
  const Happened happened = run_launch(footprint, launch, contents);
  if (!happened.is_complete || !happened.strays.empty())
    return std::nullopt;
  if (!happened.misses.empty() || !happened.beyond.empty())
    return true;
  for (std::size_t i = 0; i < footprint.parameters().size(); ++i) {
    const ParameterInfo& info = footprint.parameters()[i];
    const auto parameter = static_cast<int>(i);
    if ((info.is_claimed() && !collisions(happened, parameter).empty()) ||
        (info.kind == "outs" && hole(footprint, happened, parameter, launch)))
      return true;
  }
  return false;
}

/// Whether it goes right whatever memory holds, as far as some contents can tell. Indices that wrap around are never right.
bool goes_right_always(const Footprint& footprint, LaunchShape launch) {
  using Order = Contents::Order;
  for (const Order order : {Order::ascending, Order::descending, Order::mixed})
    for (const std::optional<std::int64_t> data : {std::optional<std::int64_t>(), {-100}, {-1}, {0}, {1}, {2}, {100}}) {
      const Contents contents{order, 1, data};
      for (std::size_t i = 0; i < launch.parameters.size(); ++i)
        if (const ParameterInfo& info = footprint.parameters()[i]; !info.is_view() && info.bits == 0)
          launch.parameters[i].value = data.value_or(not_a_number);
      if (run_launch(footprint, launch, contents).wraps || goes_wrong(footprint, launch, contents) != false)
        return false;
    }
  return true;
}

bool holds(const std::vector<LaunchCondition>& conditions, const LaunchShape& launch) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const LaunchCondition& c) { return c.holds(launch); });
}

} // namespace

Comparison::Comparison(const std::string& ir, std::uint64_t seed, int launches)
    : footprint_(ir), proof_(prove_text(ir).proof), expected_(prove_text(ir, {.suppress = true}).proof.conditions),
      checked_(prepare(Executor::cpu, ir, {.checks = Checks::everything})) {
  if (back_end() == Executor::gpu)
    others_.push_back(
        {prepare(back_end(), ir, {.checks = Checks::everything, .warps = several_warps}), "with every check", expected_});
  if (proof_.refuted())
    run_witness();
  else
    others_.push_back(
        {prepare(back_end(), ir, {.checks = Checks::unproved, .warps = several_warps}), "as proved", proof_.conditions});
  Launches allowed(footprint_, proof_.conditions, seed), any(footprint_, expected_, seed + 1);
  for (int i = 0; i < launches && complaint_.empty(); ++i) {
    const std::optional<LaunchShape> launch = (i % 2 == 0 ? allowed : any).next();
    if (launch && is_small(*launch))
      run(*launch, {static_cast<Contents::Order>(i % 3), seed, {}});
  }
}

/// What refutes a kernel goes wrong.
void Comparison::run_witness() {
  const LaunchShape& launch = proof_.witness->launch;
  using Order = Contents::Order;
  const Contents contents{proof_.witness->descending ? Order::descending : Order::ascending, 0, 0};
  if (is_small(launch) && goes_wrong(footprint_, launch, contents) == false)
    complain("the launch that refutes it goes right", launch);
  else if (is_small(launch))
    run(launch, contents);
}

void Comparison::run(const LaunchShape& launch, const Contents& contents) {
  const std::optional<bool> is_wrong = goes_wrong(footprint_, launch, contents);
  if (!is_wrong)
    return;
  ++tally_.launches;
  tally_.stopped += *is_wrong;
  const Arguments expected(footprint_, launch, contents);
  const std::optional<std::string> failure = checked_->run(expected.list(), launch.programs).failure;
  if (failure.has_value() != *is_wrong)
    return complain("with every check on the CPU: " + failure.value_or("is not stopped"), launch);
  for (const Version& version : others_)
    if (holds(version.conditions, launch))
      compare(version, launch, contents, *is_wrong ? nullptr : &expected);
  if (!proof_.refuted() && !holds(proof_.conditions, launch))
    refuse(launch);
  else if (!proof_.refuted() && !*is_wrong)
    ++tally_.compared;
}

/// With what the launch must leave behind; it must be stopped where nothing is expected.
void Comparison::compare(const Version& version, const LaunchShape& launch, const Contents& contents, const Arguments* expected) {
  const Arguments actual(footprint_, launch, contents);
  std::optional<std::string> failure;
  try {
    failure = version.kernel->run(actual.list(), launch.programs).failure;
  } catch (const std::exception& error) { // the emulator's report
    return complain(std::string(version.name) + ": " + error.what(), launch);
  }
  if (failure.has_value() != (expected == nullptr))
    complain(std::string(version.name) + ": " + failure.value_or("is not stopped"), launch);
  else if (expected && !(actual == *expected))
    complain(std::string(version.name) + ": leaves other bits", launch);
}

void Comparison::refuse(const LaunchShape& launch) {
  ++tally_.refused;
  if (!goes_right_always(footprint_, launch))
    return;
  ++tally_.refused_right;
  for (const LaunchCondition& condition : proof_.conditions)
    if (!condition.holds(launch))
      refusal_ = condition.str() + "\n  launch: " + describe_launch(launch);
}

void Comparison::complain(const std::string& what, const LaunchShape& launch) {
  if (complaint_.empty())
    complaint_ = what + "\n  launch: " + describe_launch(launch) + "\n";
}

} // namespace tegula::test

// Who checks the generated code: each kernel's PTX is damaged in one place at a time and run on the emulator, which must report it,
// or the result must be wrong. What is found is written to faults-….txt.
#include "test/faults/Faults.h"
#include "test/faults/Subject.h"
#include "test/support/Ptxas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

namespace tegula::test {
namespace {

constexpr std::uint64_t few_seeds = 3, many_seeds = 24;

struct Needless {
  std::size_t barriers = 0, waits = 0;
};
/// Places that nobody misses, by kernel and target. A loop or a branch begins and ends with a barrier in case that somebody used
/// shared memory before, and memory is fenced for TMA in case that threads wrote it before. Here nobody did.
const std::map<std::string, Needless> needless = {
    {"reduce_in_a_loop sm_80", {1, 0}},
    {"matrix_vector sm_80", {1, 0}},
    {"argmax_partial sm_80", {1, 0}}, // the second reduction writes what the first did
    {"product_bf16 sm_90a", {2, 1}},
    {"matrix_product sm_90a", {2, 1}},
    {"matrix_product_batched sm_90a", {3, 1}}, // two of the three are neighbours
    {"matrix_product_grouped sm_90a", {2, 1}},
    {"matrix_product_persistent sm_90a", {2, 1}},
    {"matrix_product_split_k sm_90a", {2, 1}},
    {"two_products_stored_transposed sm_90a", {2, 1}},
    {"silu_gate sm_90a", {3, 1}}, // the same
};

struct Count {
  std::size_t places = 0, without_effect = 0, by_result = 0, missed = 0;
  std::map<std::string, std::size_t> by_emulator;

  std::size_t caught() const {
    std::size_t all = by_result;
    for (const auto& [problem, count] : by_emulator)
      all += count;
    return all;
  }
};

class Trial {
public:
  Trial(const Subject& subject, std::array<Count, fault_kinds>& counts, std::ostream& report)
      : subject(subject), counts(counts), report(report), lines(lines_of(subject.code->ptx)) {}

  void run_all() {
    for (std::uint64_t seed = 1; seed <= many_seeds; ++seed) {
      good.push_back(run(subject, subject.code->ptx, seed));
      ASSERT_FALSE(good.back().report) << subject.name << ": " << good.back().report->text;
    }
    std::array<std::vector<Fault>, fault_kinds> faults;
    for (Fault& fault : faults_in(lines))
      faults[static_cast<std::size_t>(fault.kind)].push_back(std::move(fault));
    for (const std::vector<Fault>& kind : faults) {
      const std::size_t step = std::max<std::size_t>(1, kind.size() / subject.samples);
      for (std::size_t i = 0; i < kind.size(); i += step)
        try_one(kind[i]);
    }
  }

  Needless missed;

private:
  void try_one(const Fault& fault) {
    Count& count = counts[static_cast<std::size_t>(fault.kind)];
    ++count.places;
    const std::string text = damaged(lines, fault);
    if (is_caught(text, 1, few_seeds, count))
      return;
    if (!has_effect(fault)) {
      ++count.without_effect;
      return;
    }
    // What changes a value does not always change the largest of many.
    const bool may_be_luck =
        fault.kind == FaultKind::shuffle || fault.kind == FaultKind::shared_offset || fault.kind == FaultKind::width;
    if (may_be_luck && is_caught(text, few_seeds + 1, many_seeds, count))
      return;
    ++count.missed;
    report << subject.name << ": " << fault.describe() << "\n";
    if (fault.kind == FaultKind::dropped_barrier || fault.kind == FaultKind::moved_barrier)
      ++missed.barriers;
    if (fault.kind == FaultKind::copy_wait)
      ++missed.waits;
  }

  bool is_caught(const std::string& text, std::uint64_t from, std::uint64_t to, Count& count) {
    for (std::uint64_t seed = from; seed <= to; ++seed) {
      const Remains remains = run(subject, text, seed);
      if (remains.report) {
        ++count.by_emulator[ptxemu::name_of(remains.report->problem)];
        return true;
      }
      if (remains.tensors != good[seed - 1].tensors || remains.messages != good[seed - 1].messages) {
        ++count.by_result;
        return true;
      }
    }
    return false;
  }

  /// Whether the place is reached, and something else happens there.
  bool has_effect(const Fault& fault) {
    const std::string text = probed(lines, fault);
    for (std::uint64_t seed = 1; seed <= few_seeds; ++seed)
      if (const Remains remains = run(subject, text, seed); remains.report && remains.report->problem == ptxemu::Problem::trap)
        return true;
    return false;
  }

  const Subject& subject;
  std::array<Count, fault_kinds>& counts;
  std::ostream& report;
  const std::vector<std::string> lines;
  std::vector<Remains> good; // by seed
};

void write_table(std::ostream& out, const std::array<Count, fault_kinds>& counts) {
  out << "\nkind | places | without effect here | reported by the emulator | wrong result | not caught\n";
  for (int kind = 0; kind < fault_kinds; ++kind) {
    const Count& count = counts[static_cast<std::size_t>(kind)];
    out << name(static_cast<FaultKind>(kind)) << " | " << count.places << " | " << count.without_effect << " | "
        << count.caught() - count.by_result;
    const char* before = " (";
    for (const auto& [problem, number] : count.by_emulator) {
      out << before << problem << " " << number;
      before = ", ";
    }
    out << (count.by_emulator.empty() ? "" : ")") << " | " << count.by_result << " | " << count.missed << "\n";
  }
}

/// Of the places where the fault changed something, the least share that must be caught. The rest of the masks keeps threads that
/// hold copies from putting the same into shared memory once more, and loads from reading what is then not used; the rest of the
/// comparisons decides between two ways to compute the same.
double least_share(FaultKind kind) {
  switch (kind) {
  case FaultKind::dropped_mask:
    return 0.5;
  case FaultKind::inverted_mask:
    return 0.85;
  case FaultKind::comparison:
    return 0.6;
  case FaultKind::shuffle:
  case FaultKind::shared_offset:
  case FaultKind::width:
    return 0.99;
  default:
    return 0; // counted kernel by kernel
  }
}

void try_all(const std::vector<std::string>& names, Subject (*make)(const std::string&, const std::string&), const char* file) {
  std::array<Count, fault_kinds> counts;
  std::ofstream report(file);
  report << "what each kernel needs, and what was not caught, although something else happened:\n";
  for (const std::string target : {"sm_80", "sm_90a"})
    for (const std::string& name : names) {
      Subject subject = make(name, target);
      if (const std::optional<Assembled> assembled = assemble(subject.code->ptx, target)) {
        EXPECT_EQ(assembled->error, "") << name;
        report << name << " " << target << ": " << resources(*assembled, subject.code->threads, subject.code->shared_bytes) << "\n";
      }
      if (target == "sm_90a" && subject.code->maps.empty())
        continue; // the same as for sm_80
      subject.name += " " + target;
      Trial trial(subject, counts, report);
      trial.run_all();
      const auto known = needless.find(subject.name);
      const Needless expected = known == needless.end() ? Needless() : known->second;
      EXPECT_EQ(trial.missed.barriers, expected.barriers) << subject.name << ": barriers that nobody misses (see " << file
                                                          << ") wait for nothing, or the emulator overlooks a race";
      EXPECT_EQ(trial.missed.waits, expected.waits)
          << subject.name << ": waits that nobody misses (see " << file << ") wait for nothing, or the emulator overlooks a race";
    }
  write_table(report, counts);
  for (int kind = 0; kind < fault_kinds; ++kind) {
    const Count& count = counts[static_cast<std::size_t>(kind)];
    EXPECT_GE(static_cast<double>(count.caught()),
              least_share(static_cast<FaultKind>(kind)) * static_cast<double>(count.caught() + count.missed))
        << test::name(static_cast<FaultKind>(kind)) << ": see " << file;
  }
}

TEST(Faults, InKernelsOfOneOperation) { try_all(operation_names(), operation_subject, "faults-operations.txt"); }
TEST(Faults, InTheLibrarysKernels) { try_all(library_names(), library_subject, "faults-library.txt"); }

} // namespace
} // namespace tegula::test

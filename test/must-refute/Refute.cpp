#include "Refute.h"

#include "lib/runtime/Replay.h"

#include <cstring>
#include <functional>

namespace tegula::test {

namespace {

constexpr auto no_location = 0;

std::string join(const std::vector<std::int64_t>& numbers, const char* between) {
  std::string text;
  for (std::int64_t number : numbers)
    text += (text.empty() ? "" : between) + std::to_string(number);
  return text;
}

std::string text_of(std::int64_t program, const std::vector<Witness::Loop>& loops) {
  std::string text = std::to_string(program);
  for (const Witness::Loop& loop : loops)
    text += " [" + std::to_string(loop.value) + "]";
  return text;
}

std::string text_of(const LaunchShape& launch) {
  std::string text;
  for (const LaunchShape::Parameter& parameter : launch.parameters) {
    if (!parameter.offsets.empty()) {
      text += "offsets " + join(parameter.offsets, ", ") + "; ";
      continue;
    }
    text += parameter.extents.empty() ? "= " + std::to_string(parameter.value) : join(parameter.extents, "×");
    if (!parameter.extents.empty() && parameter.value != 0)
      text += " below " + std::to_string(parameter.value);
    text += "; ";
  }
  return text + std::to_string(launch.programs) + (launch.programs == 1 ? " program" : " programs");
}

std::string text_of(const Witness& w) {
  std::string text;
  if (w.kind != ObligationKind::disjoint && w.kind != ObligationKind::covered)
    text = "program " + text_of(w.first_program, w.first_loops) + " at " + join(w.index, ", ");
  else if (w.kind == ObligationKind::disjoint)
    text = "programs " + text_of(w.first_program, w.first_loops) + " and " + text_of(w.second_program, w.second_loops) + " at " +
           join(w.element, ", ");
  else
    text = "nobody at " + join(w.element, ", ");
  return text + " in " + text_of(w.launch);
}

std::string place(const std::source_location& at) { return std::string(at.file_name()) + ":" + std::to_string(at.line()); }
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is proved when proofs are not suppressed.
Proof verdict(const AnyKernel& k) {
  return checks_everything() ? prove_kernel(trace_of(k), {.strict = k.hints().strict}).proof : proof_of(k);
}

/// The file as kernels see it, which the compiler may have shortened.
std::string in_file(const Proof& proof, int line) { return proof.location.file + ":" + std::to_string(line); }

struct Wrong {
  ObligationKind kind;
  int parameter, axis;
  const int &line, &other;
  const std::string& witness;
  std::vector<std::string> words;
};

void expect_wrong(const AnyKernel& k, const Wrong& wrong, const std::source_location& at) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), k.name());
  const Proof proof = verdict(k);
  ASSERT_TRUE(proof.refuted()) << proof.text();
  ASSERT_TRUE(proof.witness.has_value()) << proof.refutation;
  const Witness& witness = *proof.witness;
  EXPECT_EQ(text_of(witness), wrong.witness) << proof.refutation;
  EXPECT_EQ(witness.kind, wrong.kind);
  EXPECT_EQ(witness.parameter + 1, wrong.parameter);
  if (wrong.axis >= 0) {
    EXPECT_EQ(witness.axis, wrong.axis);
  }
  EXPECT_EQ(static_cast<int>(witness.location.line), wrong.line);
  EXPECT_EQ(static_cast<int>(witness.other.line), wrong.other);

  ASSERT_FALSE(proof.obligations.empty());
  const Obligation& last = proof.obligations.back();
  EXPECT_EQ(last.rung, Rung::refuted) << "the proof stops at what is refuted";
  EXPECT_EQ(last.kind, wrong.kind);
  EXPECT_EQ(last.parameter + 1, wrong.parameter);

  std::vector<std::string> words = wrong.words;
  words.insert(words.end(), {in_file(proof, wrong.line) + ": kernel '" + k.name() + "'", in_file(proof, wrong.other),
                             "\n  launch: parameter 1: ", "\n  instead: "});
  for (const std::string& word : words)
    EXPECT_TRUE(contains(proof.refutation, word)) << word << "\n" << proof.refutation;

  const Replay again = replay(trace_of(k), witness);
  if (wrong.parameter == no_parameter) {
    const std::string what = wrong.kind == ObligationKind::step ? "the step of a loop must be positive; values: "
                                                                : "the sub-tile's index is outside the tile; values: ";
    EXPECT_TRUE(contains(again.trap, what + join(witness.index, ", "))) << "with every check: " << again.text;
    EXPECT_TRUE(contains(again.text, "program " + std::to_string(witness.first_program))) << again.text;
    return;
  }
  const std::string tensor = "parameter " + std::to_string(wrong.parameter);
  EXPECT_TRUE(contains(again.trap, tensor)) << "with every check: " << again.text;
  EXPECT_TRUE(contains(again.text, tensor)) << again.text;
}

bool fits(const Obligation& obligation, const Which& which) {
  return obligation.kind == which.kind && obligation.parameter + 1 == which.parameter &&
         (which.axis < 0 || obligation.axis == which.axis) &&
         (which.line == no_location || static_cast<int>(obligation.location.line) == which.line);
}

} // namespace

void expect_refuted(const AnyKernel& k, const Bounds& wrong, std::source_location at) {
  const std::string tensor = "parameter " + std::to_string(wrong.parameter);
  expect_wrong(k,
               {ObligationKind::bounds,
                wrong.parameter,
                wrong.axis,
                wrong.line,
                wrong.line,
                wrong.witness,
                {"an access misses " + tensor, "along axis " + std::to_string(wrong.axis), "there the tensor has extent "}},
               at);
}

void expect_refuted(const AnyKernel& k, const Race& wrong, std::source_location at) {
  const std::string tensor = "parameter " + std::to_string(wrong.parameter);
  expect_wrong(k,
               {ObligationKind::disjoint,
                wrong.parameter,
                -1,
                wrong.line,
                wrong.other,
                wrong.witness,
                {"two programs write one element of " + tensor, " writes element ", " writes it, too, at "}},
               at);
}

void expect_refuted(const AnyKernel& k, const Hole& wrong, std::source_location at) {
  const std::string tensor = "parameter " + std::to_string(wrong.parameter);
  expect_wrong(k,
               {ObligationKind::covered,
                wrong.parameter,
                -1,
                wrong.line,
                wrong.line,
                wrong.witness,
                {"part of " + tensor + " is never written", "no program writes element "}},
               at);
}

void expect_refuted(const AnyKernel& k, const Beyond& wrong, std::source_location at) {
  const bool is_step = wrong.axis < 0;
  const std::vector<std::string> words =
      is_step ? std::vector<std::string>{"the step of a loop is not positive", " steps by "}
              : std::vector<std::string>{"a sub-tile lies outside its tile", " along axis " + std::to_string(wrong.axis),
                                         "there the tile has "};
  const auto kind = is_step ? ObligationKind::step : ObligationKind::sub_tile;
  expect_wrong(k, {kind, no_parameter, wrong.axis, wrong.line, wrong.line, wrong.witness, words}, at);
}

void expect_refuted(const AnyKernel& k, const Value& wrong, std::source_location at) {
  const std::string tensor = "parameter " + std::to_string(wrong.parameter);
  expect_wrong(k,
               {ObligationKind::values,
                wrong.parameter,
                -1,
                wrong.line,
                wrong.line,
                wrong.witness,
                {"a value of " + tensor + " is not below its bound", " stores ", "there the values must be in [0, "}},
               at);
}

void expect_rung(const AnyKernel& k, const Which& which, Rung rung, const std::string& how, std::source_location at) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), k.name());
  const Proof proof = verdict(k);
  EXPECT_FALSE(proof.refuted()) << proof.refutation;
  int found = 0;
  for (const Obligation& obligation : proof.obligations)
    if (fits(obligation, which)) {
      ++found;
      EXPECT_STREQ(name(obligation.rung), name(rung)) << proof.text();
      if (!how.empty()) {
        EXPECT_EQ(obligation.how, how);
      }
    }
  EXPECT_GT(found, 0) << proof.text();
}

void expect_proved(const AnyKernel& k, std::source_location at) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), k.name());
  const Proof proof = verdict(k);
  EXPECT_FALSE(proof.refuted()) << proof.refutation;
  EXPECT_FALSE(proof.obligations.empty());
  for (const Obligation& obligation : proof.obligations)
    EXPECT_STREQ(name(obligation.rung), "proved") << proof.text();
  for (const LaunchCondition& condition : proof.conditions)
    EXPECT_NE(condition.text, "") << "a condition that the author did not write: " << proof.text();
}

void expect_settled(const AnyKernel& k, std::source_location at) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), k.name());
  const Proof proof = verdict(k);
  EXPECT_FALSE(proof.refuted()) << proof.refutation;
  EXPECT_FALSE(proof.obligations.empty());
  for (const Obligation& obligation : proof.obligations)
    EXPECT_LE(obligation.rung, Rung::condition) << proof.text();
}

void expect_too_strict(const AnyKernel& k, int line, const std::string& words, std::source_location at) {
  const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), k.name());
  const Proof proof = verdict(k);
  EXPECT_FALSE(proof.witness.has_value());
  EXPECT_TRUE(proof.refutation.starts_with(in_file(proof, line) + ": kernel '" + k.name() + "': ")) << proof.refutation;
  EXPECT_TRUE(contains(proof.refutation, "which is strict")) << proof.refutation;
  EXPECT_TRUE(contains(proof.refutation, words)) << proof.refutation;
}

bool checks_everything() {
  const char* checks = std::getenv("TEGULA_CHECKS");
  return checks && std::strcmp(checks, "everything") == 0;
}

std::string message_of_launch(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "no error";
}

void expect_refusal(const std::string& message, const std::string& condition, std::source_location at) {
  if (checks_everything()) {
    EXPECT_NE(message, "no error") << place(at);
    EXPECT_FALSE(contains(message, "was not launched")) << place(at) << ": " << message;
  } else {
    EXPECT_TRUE(contains(message, "was not launched: ") && contains(message, condition)) << place(at) << ": " << message;
  }
}

} // namespace tegula::test

// What is proved about the kernels of sampling, and what of kernels that are a little wrong is not.
#include "llm/sampling/choose.hpp"
#include "llm/sampling/counts.hpp"
#include "llm/sampling/greedy.hpp"
#include "llm/sampling/survey.hpp"

#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tegula::llm::sampling {
namespace {

constexpr Hints strict{.strict = true};

std::string verdict(const AnyKernel& k) {
  try {
    prove(k);
  } catch (const ProofError& error) {
    return error.what();
  }
  return "proved";
}

void expect_refused(const AnyKernel& k, const std::string& why) {
  const std::string text = verdict(k);
  EXPECT_NE(text.find(why), std::string::npos) << text;
}

// With the tiles that the sampler has. Strict: nothing is left to be checked while they run.
TEST(Proof, OfEveryKernel) {
  EXPECT_EQ(verdict(kernel<survey<32, 2048, false>>("survey", strict)), "proved");
  EXPECT_EQ(verdict(kernel<survey<32, 2048, true>>("survey, penalised", strict)), "proved");
  EXPECT_EQ(verdict(kernel<choose<128, 128, 32, 2048, false>>("choose", strict)), "proved");
  EXPECT_EQ(verdict(kernel<choose<128, 128, 32, 2048, true>>("choose, penalised", strict)), "proved");
  EXPECT_EQ(verdict(kernel<largest_of_parts<2048, false>>("largest_of_parts", strict)), "proved");
  EXPECT_EQ(verdict(kernel<largest_of_parts<2048, true>>("largest_of_parts, penalised", strict)), "proved");
  EXPECT_EQ(verdict(kernel<largest_of_rows<128>>("largest_of_rows", strict)), "proved");
  EXPECT_EQ(verdict(kernel<set_parameters>("set_parameters", strict)), "proved");
  EXPECT_EQ(verdict(kernel<clear_counts<1024>>("clear_counts", strict)), "proved");
  EXPECT_EQ(verdict(kernel<mark_prompt<256>>("mark_prompt", strict)), "proved");
  EXPECT_EQ(verdict(kernel<count_chosen>("count_chosen", strict)), "proved");
}

// The last part reaches beyond the limit, so a place in it may, too.
constexpr auto unclamped_survey = [](OutIndex<i32, 1, 4> ids, In<f32, 1, 64> logits) {
  expects(ids.extent(0) == logits.extent(0) && ids.extent(1) == logits.count(1) * 4, "four tokens of each part");
  expects(ids.bound() <= logits.extent(1) && logits.extent(1) <= most_tokens, "there are logits up to the limit");
  auto [best, places] = topk<1, 4>(logits.load_or(ids.row(), ids.col(), lowest));
  ids.store(cast<i32>(ids.col() * 64 + cast<i64>(places)));
};

constexpr auto unclamped_choice = [](OutIndex<i32, 1> tokens, In<f32, 1, 16> values, Index<i32, 1, 16> ids) {
  expects(values.extent(0) == tokens.extent(0) && ids.extent(0) == tokens.extent(0), "a row for each token");
  expects(values.extent(1) == ids.extent(1) && values.extent(1) >= 1 && ids.bound() == tokens.bound(), "an id for each value");
  const Int row = tokens.at(0);
  const auto best = argmax<1>(values.load_or(row, 0, lowest));
  tokens.store(reshape<1>(sum<1>(select(iota<1, 16>(1) == best, ids(row, 0), 0))));
};

TEST(Proof, ThatIdsStayBelowTheLimitNeedsAClamp) {
  expect_refused(kernel("unclamped survey", unclamped_survey, strict), "the values of parameter 1 would have to be checked");
  expect_refused(kernel("unclamped choice", unclamped_choice, strict), "the values of parameter 1 would have to be checked");
}

constexpr auto set_by_all = [](Patch<u32, 1, columns> parameters, Scalar<i64> slot) {
  expects(slot >= 0 && slot < parameters.extent(0), "the slot is one of the table's");
  parameters.tile(slot, 0).store(zeros<u32, 1, columns>());
};

constexpr auto cleared_by_all = [](Patch<u32, 1, 64> counts, Scalar<i64> slot) {
  expects(slot >= 0 && slot < counts.extent(0), "there are counts for the slot");
  for (auto j : range(counts.count(1)))
    counts.tile(slot, j).store(zeros<u32, 1, 64>());
};

// Two rows of a batch may have one slot: only what is accumulated may meet there.
constexpr auto counted_by_writing = [](Patch<u32, 1, 1> counts, Index<i32, 1> tokens, Index<i32, 1> slots) {
  expects(slots.extent(0) == tokens.extent(0), "there is a slot for each token");
  expects(slots.bound() <= counts.extent(0) && tokens.bound() <= counts.extent(1), "there is a count for each slot and token");
  for (auto b : range(this_program(), tokens.extent(0), programs()))
    scatter<1>(counts, tokens(b), ones<u32, 1, 1>(), reshape<>(slots(b)));
};

TEST(Proof, ThatProgramsDoNotMeet) {
  expect_refused(kernel("set by all", set_by_all, strict), "two programs write one element of parameter 1");
  expect_refused(kernel("cleared by all", cleared_by_all, strict), "two programs write one element of parameter 1");
  expect_refused(kernel("counted by writing", counted_by_writing, strict), "two programs write one element of parameter 1");
}

constexpr auto any_slot = [](Out<f32, 1> y, Table parameters, In<i32, 1> slots) {
  expects(y.extent(0) == slots.extent(0) && parameters.extent(1) == columns, "a slot for each row");
  y.store(reshape<1>(fraction_of(parameters, reshape<>(slots(y.at(0))), temperature)));
};

// A part of its own is read where the row is searched: one too many must be said to be padding.
constexpr auto beyond_the_last_part = [](Out<f32, 1, 1> y, In<f32, 1, 64> logits) {
  expects(y.extent(0) == logits.extent(0) && y.extent(1) == 1, "a result for each row");
  auto top = full<f32, 1, 1>(lowest);
  for (auto part : range(0, logits.count(1), 2))
    top = maximum(top, max<1>(maximum(logits.load_or(y.row(), part, lowest), logits.load_or(y.row(), part + 1, lowest))));
  y.store(top);
};

TEST(Proof, ThatReadsStayInside) {
  expect_refused(kernel("any slot", any_slot, strict), "the index is data without a certificate");
  expect_refused(kernel("beyond the last part", beyond_the_last_part, strict), "an access misses parameter 2");
}

} // namespace
} // namespace tegula::llm::sampling

// Logits of small models beside those of transformers, position by position: see make_reference.py.
#include "llm/checkpoint/Checkpoint.h"
#include "llm/models/qwen3/Model.h"
#include "llm/models/qwen3/kernels/pages.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>

namespace tegula::llm::qwen3 {
namespace {

constexpr i64 kept = 8; // positions whose logits are known: the last of each prompt
/// By which part of the largest logit the most likely token must stand out for its rank to be more than a matter of rounding.
constexpr double margin = 0.02;

template <class T> std::vector<T> elements(const SafeTensors& file, const std::string& name) {
  const auto bytes = file.bytes(*file.find(name));
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

struct Prompt {
  std::vector<i32> tokens;
  std::vector<f32> logits;  // of the last `kept` positions, or of all
  std::vector<f32> cosines; // between them and what transformers computes in bf16
};

class Reference : public testing::TestWithParam<const char*> {
protected:
  static std::filesystem::path folder() { return std::filesystem::path(TEGULA_REFERENCE_DIR) / GetParam(); }

  Prompt prompt(int length) const {
    return {elements<i32>(expected, "tokens_" + std::to_string(length)),
            elements<f32>(expected, "logits_" + std::to_string(length)),
            elements<f32>(expected, "cosines_" + std::to_string(length))};
  }
  i64 vocabulary() const { return model.vocabulary(); }

  /// `rows` sequences with room for 256 tokens each, at position 0. Pages are dealt out backwards.
  struct State {
    Cache cache;
    Pages pages;
    Sequences sequences;
  };
  static constexpr i64 pages_each = 4;
  State state(i64 rows) const {
    const i64 all = rows * pages_each;
    std::vector<i32> table(static_cast<std::size_t>(all)), slots(static_cast<std::size_t>(rows));
    std::iota(table.rbegin(), table.rend(), 0);
    std::iota(slots.begin(), slots.end(), 0);
    return {model.make_cache(all),
            {Certified<i32, 2>::from_host(device, {rows, pages_each}, table, all, distinct, or_none),
             model.make_rotations(pages_each * page_tokens)},
            {Certified<i32, 1>::from_host(device, {rows}, slots, rows, distinct, or_none), Tensor<i32, 1>::zeros(device, {rows})}};
  }
  /// Where token `position` of a row lies.
  static i32 place(i64 rows, i64 row, i64 position) {
    const i64 page = rows * pages_each - 1 - (row * pages_each + position / page_tokens);
    return static_cast<i32>(page * page_tokens + position % page_tokens);
  }
  /// Some tokens of each row, from a position on. Returns the logits of the last of each.
  std::vector<f32> prefill(State& s, const std::vector<std::vector<i32>>& tokens, const std::vector<i64>& from) const {
    std::vector<i32> ids, offsets{0}, places;
    const i64 rows = static_cast<i64>(tokens.size());
    for (i64 row = 0; row < rows; ++row) {
      const auto& of_row = tokens[static_cast<std::size_t>(row)];
      for (std::size_t i = 0; i < of_row.size(); ++i) {
        ids.push_back(of_row[i]);
        places.push_back(place(rows, row, from[static_cast<std::size_t>(row)] + static_cast<i64>(i)));
      }
      offsets.push_back(static_cast<i32>(ids.size()));
    }
    const i64 n = static_cast<i64>(ids.size());
    const Segments segments{Certified<i32, 1>::from_host(device, {rows + 1}, offsets, n, as_offsets),
                            Certified<i32, 1>::from_host(device, {n}, places, rows * pages_each * page_tokens, distinct, or_none)};
    return model
        .prefill(device.queue(), Certified<i32, 1>::from_host(device, {n}, ids, vocabulary()), segments, s.cache, s.pages,
                 s.sequences)
        .to_host();
  }
  std::vector<f32> decode(State& s, const std::vector<i32>& tokens) const {
    const i64 rows = static_cast<i64>(tokens.size());
    return model
        .decode(device.queue(), Certified<i32, 1>::from_host(device, {rows}, tokens, vocabulary()), s.cache, s.pages, s.sequences)
        .to_host();
  }

  mutable int told_apart = 0; // positions whose most likely tokens were compared
  /// Beside the logits of a position of a prompt, which counts from its end.
  void compare(const Prompt& prompt, std::size_t from_end, const f32* got, const std::string& what) const {
    const auto n = static_cast<std::size_t>(vocabulary());
    const f32* wanted = prompt.logits.data() + prompt.logits.size() - from_end * n;
    double product = 0, of_got = 0, of_wanted = 0, worst = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      product += double(got[i]) * wanted[i];
      of_got += double(got[i]) * got[i];
      of_wanted += double(wanted[i]) * wanted[i];
      worst = std::max(worst, std::abs(double(got[i]) - wanted[i]));
      largest = std::max(largest, std::abs(double(wanted[i])));
    }
    // Or, where bf16 alone costs more than that, no more than half as far again as transformers in bf16.
    const double theirs = 1 - static_cast<double>(prompt.cosines[prompt.cosines.size() - from_end]);
    EXPECT_LE(1 - product / std::sqrt(of_got * of_wanted), std::max(1e-4, 1.5 * theirs)) << what;
    const auto best = [n](const f32* logits) { return std::max_element(logits, logits + n) - logits; };
    const f32* const best_wanted = wanted + best(wanted);
    f32 second = -INFINITY;
    for (std::size_t i = 0; i < n; ++i)
      if (wanted + i != best_wanted)
        second = std::max(second, wanted[i]);
    if (*best_wanted - second > margin * largest) {
      ++told_apart;
      EXPECT_EQ(best(got), best(wanted)) << what;
    }
    EXPECT_LE(worst, 0.05 * largest) << what;
  }

  const Device device = Device::best();
  const SafeTensors expected{folder() / "expected.safetensors"};
  const Checkpoint checkpoint = Checkpoint::open(folder());
  const Config config = read_config(folder());
  const Model model{device, config, load_weights(device, config, checkpoint)};
};

TEST_P(Reference, PromptsAtOnce) {
  for (const int length : {1, 2, 17, 63, 64, 65, 150}) {
    const Prompt wanted = prompt(length);
    State s = state(1);
    const auto logits = prefill(s, {wanted.tokens}, {0});
    compare(wanted, 1, logits.data(), std::to_string(length) + " tokens");
    EXPECT_EQ(s.sequences.positions.to_host()[0], length);
  }
  EXPECT_GE(told_apart, 4);
}

TEST_P(Reference, PromptsInPiecesThenTokenByToken) {
  const Prompt wanted = prompt(150);
  State s = state(1);
  const auto part = [&](std::size_t from, std::size_t to) {
    return std::vector(wanted.tokens.begin() + from, wanted.tokens.begin() + to);
  };
  prefill(s, {part(0, 61)}, {0});
  prefill(s, {part(61, 62)}, {61});
  const auto logits = prefill(s, {part(62, 143)}, {62});
  compare(wanted, kept, logits.data(), "the third piece");
  for (std::size_t from_end = kept - 1; from_end > 0; --from_end)
    compare(wanted, from_end, decode(s, {wanted.tokens[150 - from_end]}).data(), std::to_string(from_end) + " from the end");
  EXPECT_GE(told_apart, 4);
}

TEST_P(Reference, SequencesOfMixedLengthsTogether) {
  const std::vector<Prompt> wanted{prompt(17), prompt(65), prompt(64), prompt(150)};
  State s = state(4);
  std::vector<std::vector<i32>> first;
  for (const Prompt& one : wanted)
    first.emplace_back(one.tokens.begin(), one.tokens.end() - 4);
  const auto n = static_cast<std::size_t>(vocabulary());
  auto logits = prefill(s, first, {0, 0, 0, 0});
  for (std::size_t from_end = 5; from_end > 1; --from_end) {
    std::vector<i32> next;
    for (std::size_t row = 0; row < wanted.size(); ++row) {
      const std::string what = "row " + std::to_string(row) + ", " + std::to_string(from_end) + " from the end";
      compare(wanted[row], from_end, logits.data() + row * n, what);
      next.push_back(wanted[row].tokens[wanted[row].tokens.size() - from_end + 1]);
    }
    logits = decode(s, next);
  }
  EXPECT_GE(told_apart, 8);
}

INSTANTIATE_TEST_SUITE_P(Models, Reference, testing::Values("tied", "all_heads", "odd_width", "groups_of_five"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace
} // namespace tegula::llm::qwen3

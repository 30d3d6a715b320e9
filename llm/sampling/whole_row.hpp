// A token from a whole row, of which any number of tokens may be chosen.
//
// A token is proposed by weight, and taken if top-k, top-p and min-p let it through: that is known from the number and the weight
// of the tokens before it, in the order of likelihood. If it is not taken, neither is any token behind it, so the next proposal is
// one of those before it: fewer each time, and the most likely token is always taken. What is taken has the right probability,
// whatever was proposed before. Without truncation the first proposal is taken, and one part of the row is read; with it each
// proposal reads the row once, and of p of the weight about 1 + log(1 / p) proposals are needed.
#pragma once
#include "llm/sampling/logits.hpp"
#include "llm/sampling/truncation.hpp"

namespace tegula::llm::sampling {

/// A token, and its place in the order of likelihood: larger logits first, then smaller ids.
struct Token {
  Tile<f32> value;
  Int id;

  template <int N> Tile<bool, 1, N> is_behind(const Tile<f32, 1, N>& x, const Tile<i32, 1, N>& ids) const {
    return x > value || (x == value && ids < cast<i32>(id));
  }
};

/// Tokens that may be proposed: those before a token, and what they weigh in each part, relative to a logit of the part's own.
template <int P> struct Proposals {
  Token before;
  Tile<i64, 1, P> weights;
  Tile<f32, 1, P> references;
  Int count;
};

/// All tokens of a row, of whose parts the weights are known, relative to the first logit of each.
template <int P> Proposals<P> proposals_of(const Tile<i64, 1, P>& weights, const Tile<f32, 1, P>& firsts, const Tile<f32>& top,
                                           const Tile<f32>& steepness) {
  const auto scale = exp2((firsts - top) * steepness);
  return {{lowest, most_tokens}, cast<i64>(cast<f64>(weights) * cast<f64>(scale)), firsts, 0};
}

template <int P, class Row>
Token propose(const Proposals<P>& from, const Row& row, const Tile<f32>& steepness, const Tile<u64>& a, const Tile<u64>& b) {
  const Int part = place_of(a, cumsum<1>(from.weights));
  const auto x = row(part);
  const auto weights = weights_of(x, element(from.references, part), steepness);
  const Int place = place_of(b, cumsum<1>(select(from.before.is_behind(x, row.ids(part)), weights, 0)));
  return {element(x, place), part * Row::width + place};
}

/// Counts and weighs the tokens before another one.
template <int P, class Row>
Proposals<P> all_before(const Token& token, const Row& row, const Tile<f32>& top, const Tile<f32>& steepness) {
  Proposals<P> found{token, zeros<i64, 1, P>(), broadcast<1, P>(reshape<1, 1>(top)), 0};
  auto count = zeros<i32, 1, Row::width>();
  for_each_part(row, [&](const Int& part, const auto& x) {
    const auto before = token.is_behind(x, row.ids(part));
    count += cast<i32>(before);
    const auto weight = sum<1>(select(before, weights_of(x, top, steepness), 0));
    found.weights = select(iota<i64, 1, P>(1) == part, weight, found.weights);
  });
  found.count = reshape<>(sum<1>(count));
  return found;
}

/// `all` is the whole row, `nucleus` the weight that those before a token must not reach.
template <int P, class Row> Int draw_from_row(Proposals<P> all, const Row& row, const Truncation& truncation, const Tile<f32>& top,
                                              const Tile<i64>& nucleus, const Tile<u64>& seed, const Int& position) {
  const auto unlimited = truncation.most >= row.limit && nucleus == any_weight;
  Int chosen = 0, round = 0;
  Tile<bool> taken = false;
  for (auto _ : loop_while([&] { return !taken; })) {
    const auto [a, b] = random_words(seed, position, round);
    const Token token = propose(all, row, truncation.steepness, a, b);
    const auto likely = token.value > lowest && truncation.above_floor(token.value, top);
    taken = likely && unlimited;
    if_(!taken, [&] {
      all = all_before<P>(token, row, top, truncation.steepness);
      taken = likely && all.count < truncation.most && reshape<>(sum<1>(all.weights)) < nucleus;
    });
    chosen = token.id;
    round += 1;
  }
  return chosen;
}

} // namespace tegula::llm::sampling

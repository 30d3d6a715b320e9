// 19: a mixture of experts: each token goes through the two of several small networks that a router chooses for it.
//
// A choice is one token for one expert. The choices are put in the order of the experts, so that those of an expert lie together:
// Offsets<> say where. A product then has another matrix for each expert (a "grouped" or "ragged" product). A program computes one
// tile of it; where a tile spans several experts, it takes the product with each, and the rows of others count as zero.
//
// All of it happens on the device: certify() looks at the order and the offsets where they are.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

constexpr int Chosen = 2; // experts for each token

/// The experts with the largest scores, and their weights, which add up to 1.
template <int B, int E> void route(Out<i32, B, Chosen> expert, Out<f32, B, Chosen> weight, In<f32, B, E> scores) {
  expects(scores.extent(0) == expert.extent(0) && scores.count(1) == 1, "a tile holds a token's scores for all experts");
  auto [best, which] = topk<1, Chosen>(scores.load_or(expert.row(), 0, -INFINITY));
  auto weights = exp(best - max<1>(best));
  expert.store(which);
  weight.store(weights / sum<1>(weights));
}

/// The choices in the order of their experts, and where those of each expert begin. A tile holds them all.
template <int N, int E> void arrange(Out<i32, N> order, Out<i32, E> offsets, In<i32, N> expert) {
  expects(order.count(0) == 1 && offsets.count(0) == 1 && expert.extent(0) == order.extent(0),
          "a tile holds all choices, another all offsets");
  auto experts = expert.load_or(0, E); // padding comes last
  order.store(argsort<0>(experts));
  auto before = reshape<1, N>(experts) < iota<E, 1>(0);
  offsets.store(reshape<E>(sum<1>(cast<i32>(before))));
}

/// A tile of the product of some rows, left(k) along the inner axis, with the matrices of their experts.
template <int BM, class Left, int BK, int BN>
Tile<f32, BM, BN> product(Int block, Int column, Left left, const In<f32, 1, BK, BN>& matrices, const Offsets<i32>& experts) {
  auto first = block * BM, last = minimum(first + BM, experts.bound()) - 1;
  auto row = first + iota<i64, BM, 1>(0);
  auto total = zeros<f32, BM, BN>();
  for (auto e : range(experts.find(first), experts.find(last) + 1)) {
    auto mine = row >= experts.begin(e) && row < experts.end(e);
    for (auto k : matrices.rows())
      total = mma(select(mine, left(k), 0), reshape<BK, BN>(matrices(e, k, column)), total);
  }
  return total;
}

/// hidden = relu(x · up) for each choice.
template <int BM, int BN, int BK>
void expand(Out<f32, BM, BN> hidden, In<f32, 1, BK> x, In<f32, 1, BK, BN> up, Index<i32, BM> order, Offsets<i32> experts) {
  expects(order.extent(0) == hidden.extent(0) && experts.bound() == hidden.extent(0), "hidden has a row for each choice");
  expects(order.bound() == x.extent(0) * Chosen, "each token makes its choices");
  expects(up.extent(0) == experts.segments() && up.extent(1) == x.extent(1) && up.extent(2) == hidden.extent(1),
          "each expert has a matrix");
  auto choice = order(hidden.row());
  auto token = select(choice >= 0, choice / Chosen, -1); // behind the last choice -1, which stands for none
  auto left = [&](Int k) { return gather<0>(x, token, k); };
  hidden.store(maximum(product<BM>(hidden.row(), hidden.col(), left, up, experts), 0));
}

/// y[token] += weight · (hidden · down): whoever computes a choice adds it to its token's row.
template <int BM, int BN, int BK> void combine(AddInto<f32, 1, BN> y, In<f32, BM, BK> hidden, In<f32, 1, BK, BN> down,
                                               In<f32, 1> weight, Index<i32, BM> order, Offsets<i32> experts) {
  expects(order.extent(0) == hidden.extent(0) && experts.bound() == hidden.extent(0), "hidden has a row for each choice");
  expects(order.bound() == y.extent(0) * Chosen && weight.extent(0) == order.bound(), "each token makes its choices");
  expects(down.extent(0) == experts.segments() && down.extent(1) == hidden.extent(1) && down.extent(2) == y.extent(1),
          "each expert has a matrix");
  for (auto n : range(this_program(), hidden.count(0) * y.count(1), programs())) {
    auto block = n / y.count(1), column = n % y.count(1);
    auto choice = order(block);
    auto token = select(choice >= 0, choice / Chosen, -1);
    auto left = [&](Int k) { return hidden(block, k); };
    auto result = product<BM>(block, column, left, down, experts) * reshape<BM, 1>(gather<0>(weight, choice));
    accumulate_at<0>(y, token, result, column);
  }
}

int main() {
  constexpr i64 tokens = 27, model = 40, inner = 24, experts = 5, choices = tokens * Chosen;
  const auto host_x = some_numbers(tokens * model, 41), host_up = some_numbers(experts * model * inner, 42),
             host_down = some_numbers(experts * inner * model, 43);
  auto host_scores = some_numbers(tokens * experts, 44);
  for (i64 t = 0; t < tokens; ++t)
    host_scores[t * experts + 2] = -2; // nobody chooses expert 2

  Device device = Device::best();
  auto x = Tensor<f32, 2>::from_host(device, {tokens, model}, host_x);
  auto scores = Tensor<f32, 2>::from_host(device, {tokens, experts}, host_scores);
  auto up = Tensor<f32, 3>::from_host(device, {experts, model, inner}, host_up);
  auto down = Tensor<f32, 3>::from_host(device, {experts, inner, model}, host_down);

  auto [expert, weight] = kernel<route<8, 8>>()(fresh(tokens, Chosen), fresh(tokens, Chosen), scores).sync();
  auto [order, offsets] = kernel<arrange<64, 8>>()(fresh(choices), fresh(experts + 1), expert.view().flatten()).sync();
  auto places = certify(std::move(order), choices);
  auto segments = certify(std::move(offsets), choices, as_offsets);

  auto hidden = kernel<expand<16, 16, 16>>()(fresh(choices, inner), x, up, places, segments).sync();
  auto y = Tensor<f32, 2>::zeros(device, {tokens, model});
  kernel<combine<16, 16, 16>>()(out(y), hidden, down, weight.view().flatten(), places, segments).sync();

  std::vector<double> expected(tokens * model);
  for (i64 t = 0; t < tokens; ++t) {
    const f32* score = &host_scores[t * experts];
    i64 chosen[Chosen] = {-1, -1};
    for (i64& place : chosen)
      for (i64 e = 0; e < experts; ++e)
        if (e != chosen[0] && (place < 0 || score[e] > score[place]))
          place = e;
    const double total = std::exp(score[chosen[0]]) + std::exp(score[chosen[1]]);
    for (i64 e : chosen)
      for (i64 h = 0; h < inner; ++h) {
        double sum = 0;
        for (i64 i = 0; i < model; ++i)
          sum += double(host_x[t * model + i]) * host_up[(e * model + i) * inner + h];
        for (i64 i = 0; i < model; ++i)
          expected[t * model + i] += std::fmax(sum, 0) * host_down[(e * inner + h) * model + i] * std::exp(score[e]) / total;
      }
  }
  return compare("mixture of experts", y.to_host(), expected, 1e-5);
}

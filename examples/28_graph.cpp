// 28: a step that is recorded once and replayed, with numbers that live on the device.
//
// step() takes a queue. Given a Recorder, it runs nothing: its launches become a graph, with edges from what they read and write. A
// replay costs the host one call, and several can be started in a row. A number of the host would stay as it was when the step was
// recorded; what changes from step to step is a tensor of rank 0. Tokens are chosen and looked up without leaving the device.
#include "check.hpp"

#include <limits>
#include <tegula/tegula.hpp>

using namespace tegula;

// scores[b, :] = table[tokens[b], :] + round: how likely each word follows.
template <int N, int V> void look_up(Out<f32, N, V> scores, In<f32, 1, V> table, Index<i32, N> tokens, In<i32> round) {
  scores.store(gather<0>(table, tokens(scores.row()), scores.col()) + cast<f32>(round()));
}

// The first of the most likely words.
template <int V> void choose(OutIndex<i32, 1> token, In<f32, 1, V> scores) {
  auto most = full<f32, 1, 1>(-std::numeric_limits<f32>::infinity());
  auto word = zeros<i64, 1, 1>();
  for (auto j : scores.cols()) {
    auto x = scores.load_or(token.row(), j, -std::numeric_limits<f32>::infinity());
    word = select(max<1>(x) > most, j * V + argmax<1>(x), word);
    most = maximum(most, max<1>(x));
  }
  token.store(cast<i32>(reshape<1>(clamp(word, 0, token.bound() - 1))));
}

// What was said in round r counts r times.
template <int N> void count(InOut<i32, N> sum, In<i32, N> tokens, In<i32> round) { sum.store(sum.load() + tokens[sum] * round()); }
void next(InOut<i32> round) { round.store(round.load() + 1); }

struct State {
  Certified<i32, 1> tokens;
  Tensor<i32, 1> sum;
  Tensor<i32, 0> round;
};

void step(const Queue& queue, const Tensor<f32, 2>& table, State& state) {
  static const auto score = kernel<look_up<4, 128>>();
  static const auto pick = kernel<choose<128>>();
  static const auto add = kernel<count<8>>();
  static const auto go_on = kernel<next>();
  go_on(out(state.round)).start(queue);
  const auto scores = score(fresh(state.tokens.extent(0), table.extent(1)), table, state.tokens, state.round).start(queue);
  pick(out(state.tokens), scores).start(queue); // refilled in place, by values that are below their bound
  add(out(state.sum), state.tokens.view(), state.round).start(queue);
}

int main() {
  constexpr i64 words = 300, batch = 5, rounds = 12;
  const auto host_table = some_numbers(words * words, 91);
  const std::vector<i32> first{0, 7, 299, 42, 100};

  Device device = Device::best();
  const auto table = Tensor<f32, 2>::from_host(device, {words, words}, host_table);
  State state{Certified<i32, 1>::from_host(device, {batch}, first, words), Tensor<i32, 1>::zeros(device, {batch}),
              Tensor<i32, 0>::zeros(device, {})};
  const Queue queue(device);
  step(queue, table, state); // run, as any function
  Recorder recorder(device);
  step(recorder, table, state);
  const Graph graph = std::move(recorder).finish();
  graph.start(queue, rounds - 3); // several in a row, and the host goes on
  step(queue, table, state);      // in order with them
  graph.sync();

  std::vector<i32> expected(batch), now = first;
  for (i32 round = 1; round <= rounds; ++round)
    for (std::size_t i = 0; i < now.size(); ++i) {
      const f32* row = host_table.data() + now[i] * words;
      i32 best = 0;
      for (i32 word = 1; word < words; ++word)
        if (row[word] + static_cast<f32>(round) > row[best] + static_cast<f32>(round))
          best = word;
      now[i] = best;
      expected[i] += best * round;
    }
  return compare("what was said", state.sum.to_host(), expected) + compare("the last tokens", state.tokens.to_host(), now);
}

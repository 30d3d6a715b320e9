// 25: tokens that a kernel chooses, and that the next kernel looks up, without leaving the device.
//
// An OutIndex<> is an output whose values are proved to be below a bound; here they are clamped. What the launch returns is
// certified, so it is an Index<> of the next one. Nothing waits until the end.
#include "check.hpp"

#include <limits>
#include <tegula/tegula.hpp>

using namespace tegula;

// scores[b, :] = table[tokens[b], :]: how likely each word follows.
template <int N, int V> void look_up(Out<f32, N, V> scores, In<f32, 1, V> table, Index<i32, N> tokens) {
  scores.store(gather<0>(table, tokens(scores.row()), scores.col()));
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

int main() {
  constexpr i64 words = 300, batch = 5, steps = 8;
  const auto host_table = some_numbers(words * words, 91);
  const std::vector<i32> first{0, 7, 299, 42, 100};

  Device device = Device::best();
  const auto table = Tensor<f32, 2>::from_host(device, {words, words}, host_table);
  auto score = kernel<look_up<4, 128>>();
  auto pick = kernel<choose<128>>();
  Queue queue(device);
  auto tokens = Certified<i32, 1>::from_host(device, {batch}, first, words);
  std::vector<Certified<i32, 1>> said;
  for (i64 step = 0; step < steps; ++step) {
    const auto scores = score(fresh(batch, words), table, tokens).start(queue);
    tokens = pick(fresh(batch).below(words), scores).start(queue);
    said.push_back(tokens); // one owner more
  }

  std::vector<i32> got, expected, now = first;
  for (i64 step = 0; step < steps; ++step) {
    const std::vector<i32> host = said[step].to_host();
    got.insert(got.end(), host.begin(), host.end());
    for (i32& token : now) {
      const f32* row = host_table.data() + token * words;
      i32 best = 0;
      for (i32 word = 1; word < words; ++word)
        if (row[word] > row[best])
          best = word;
      expected.push_back(token = best);
    }
  }
  return compare("tokens", got, expected);
}

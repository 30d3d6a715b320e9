// 15: a kernel that is wrong, and what is said about it.
//
// Tile n of y is to be the sum of tiles 2 n and 2 n + 1 of x. The wrong kernel goes through the tiles of x instead of those of y,
// so each tile of y is written twice, by two programs. Both write the same, and a test might well pass, on this machine, today. But
// it is a race, and the kernel is not launched at all: the message names two programs that write one element, the smallest tensors
// for which they do, and the line.
#include "check.hpp"

#include <tegula/tegula.hpp>

#include <string>

using namespace tegula;

template <int N> void sum_of_pairs(OutTiles<f32, N> y, In<f32, N> x) {
  expects(x.count(0) == y.count(0) * 2, "x has two tiles for each tile of y");
  for (auto n : range(this_program(), y.count(0), programs()))
    y.tile(n).store(x(n * 2) + x(n * 2 + 1));
}

template <int N> void written_twice(OutTiles<f32, N> y, In<f32, N> x) {
  expects(x.count(0) == y.count(0) * 2, "x has two tiles for each tile of y");
  for (auto n : range(this_program(), x.count(0), programs())) {
    auto pair = n / 2;
    y.tile(pair).store(x(pair * 2) + x(pair * 2 + 1));
  }
}

int main() {
  constexpr i64 tile = 16, tiles = 5;
  const auto host = some_numbers(2 * tiles * tile, 26);
  Device device = Device::best();
  auto x = Tensor<f32, 1>::from_host(device, {2 * tiles * tile}, host);
  auto y = kernel<sum_of_pairs<tile>>()(fresh(tiles * tile), x).sync();

  std::vector<f32> expected(tiles * tile);
  for (i64 n = 0; n < tiles; ++n)
    for (i64 e = 0; e < tile; ++e)
      expected[n * tile + e] = host[2 * n * tile + e] + host[(2 * n + 1) * tile + e];
  int failed = compare("sum of pairs", y.to_host(), expected);

  try {
    prove(kernel<written_twice<tile>>()); // its first launch would say the same
    std::printf("a kernel that is wrong was not refuted\n");
    failed = 1;
  } catch (const ProofError& error) {
    std::printf("\n%s\n", error.what());
    const std::string message = error.what();
    for (const char* program : {"program 0", "program 1"})
      if (message.find(program) == std::string::npos) {
        std::printf("the message does not name %s\n", program);
        failed = 1;
      }
  }
  return failed;
}

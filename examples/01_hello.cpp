// 01: a first kernel.
//
// A kernel is a C++ function that is run once for each *tile* of its output, by many programs at the same time. This one has an
// output of integers, in tiles of 4. Each program says hello and fills its tile.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

void hello(Out<i32, 4> numbers) {
  auto first = cast<i32>(numbers.at(0)) * 4;          // at(0): which tile is ours, along axis 0
  auto mine = first + iota<4>();                      // iota: 0 1 2 3
  print("hello from the tile that starts at", first); // one line per program, in any order
  numbers.store(mine);                                // every tile is stored exactly once
}

int main() {
  auto say_hello = kernel<hello>();

  // 10 numbers make three tiles, the last one partial: nothing is written outside the tensor.
  auto numbers = Tensor<i32, 1>::zeros(Device::best(), {10});

  // A kernel takes its output over, and gives it back: nobody can look at it in between. sync() runs the kernel and waits for it.
  auto filled = say_hello(std::move(numbers)).sync();

  return compare("hello", filled.to_host(), std::vector<i32>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

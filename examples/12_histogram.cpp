// 12: how often does each value occur?
//
// Where a program writes depends on what it reads: counts[values[i]] += 1. Two things make that safe. The counts are an AddInto<>:
// any program may add to any of them. And the values are an Index<>: a tensor with a certificate that every value is in [0, n),
// made once, when the tensor was; the kernel need not check a single one. That there are n counts is checked when it is launched.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int N, int Bins> void histogram(AddInto<i32, Bins> counts, Index<i32, N> values) {
  for (auto i : range(this_program(), values.count(0), programs())) {
    auto positions = values(i); // the last tile is partial: there it reads as -1, which is no position and is passed over
    // Along axis 0, element e of the second tile goes to the position that element e of the first one says.
    accumulate_at<0>(counts, positions, ones<i32, N>());
  }
}

int main() {
  constexpr i64 size = 10'001, bins = 300;
  std::vector<i32> host;
  for (f32 number : some_numbers(size, 21))
    host.push_back(i32(number * number * (bins - 1)));

  Device device = Device::best();
  auto values = Certified<i32, 1>::from_host(device, {size}, host, bins);
  auto count = kernel<histogram<256, 64>>();
  auto counts = Tensor<i32, 1>::zeros(device, {bins});
  count(out(counts), values).sync();

  std::vector<i32> expected(bins);
  for (i32 value : host)
    ++expected[value];
  int failed = compare("histogram", counts.to_host(), expected);

  // A tensor that a kernel has written is certified by kernels, where it is. One with a value that is too large stays as it was.
  auto some = Tensor<i32, 1>::from_host(device, {5}, {3, 1, 300, 1, 5});
  try {
    auto certified = certify(std::move(some), bins);
    std::printf("histogram: a value that is too large was certified\n");
    failed = 1;
  } catch (const Error& error) {
    std::printf("refused: %s\n", error.what());
  }
  return failed;
}

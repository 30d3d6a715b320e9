// 02: c = a + b, for vectors of any length.
//
// A kernel may be a template: here the tile's extent N is chosen at the launch. In<> is an input, which is read-only and shared.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int N> void add(Out<f32, N> c, In<f32, N> a, In<f32, N> b) {
  c.store(a[c] + b[c]); // a[c]: the tile of a where this program's tile of c is
}

int main() {
  constexpr i64 size = 100'003; // not a multiple of anything: the last tile is partial
  const auto x = some_numbers(size, 1), y = some_numbers(size, 2);

  Device device = Device::best();
  auto a = Tensor<f32, 1>::from_host(device, {size}, x);
  auto b = Tensor<f32, 1>::from_host(device, {size}, y);

  auto add_tiles = kernel<add<1024>>();
  auto c = add_tiles(fresh(size), a, b).sync(); // inputs are borrowed: a and b can be used again

  std::vector<f32> expected(size);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = x[i] + y[i];
  return compare("vector add", c.to_host(), expected);
}

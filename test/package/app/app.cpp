// A project of its own: one kernel, launched, checked.
#include <tegula/tegula.hpp>

#include <cstdio>

using namespace tegula;

template <int N> void twice(Out<f32, N> y, In<f32, N> x) { y.store(2 * x[y]); }

int main() {
  Device device = Device::best();
  auto x = Tensor<f32, 1>::from_host(device, {5}, {1, 2, 3, 4, 5});
  auto y = kernel<twice<4>>("twice")(Tensor<f32, 1>::zeros(device, {5}), x).sync().to_host();
  for (int i = 0; i < 5; ++i)
    if (y[i] != static_cast<f32>(2 * (i + 1))) {
      std::printf("element %d is %g\n", i, static_cast<double>(y[i]));
      return 1;
    }
  std::printf("5 elements right\n");
}

// A project of its own: one kernel of its own and one of the library's, launched, checked.
#include <tegula/kernels/softmax.hpp>
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
  const auto rows = Tensor<f32, 2>::full(device, {3, 5}, 7.0f);
  const auto shares = kernel<kernels::softmax<f32, 1, 8>>("softmax")(Tensor<f32, 2>::zeros(device, {3, 5}), rows).sync().to_host();
  for (const f32 share : shares)
    if (share < 0.1999f || share > 0.2001f) {
      std::printf("a fifth is %g\n", static_cast<double>(share));
      return 1;
    }
  std::printf("5 elements and 15 shares right\n");
}

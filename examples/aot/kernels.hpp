// The kernels of this program, each an object at namespace scope.
#pragma once
#include <tegula/tegula.hpp>

namespace kernels {

using namespace tegula;

template <int N> void saxpy_tiles(Out<f32, N> z, Scalar<f32> a, In<f32, N> x, In<f32, N> y) { z.store(fma(a, x[z], y[z])); }

template <int BM, int BN, int BK> void product_tiles(Out<f32, BM, BN> c, In<bf16, BM, BK> a, In<bf16, BK, BN> b) {
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), b(k, c.col()), sum);
  c.store(sum);
}

inline const auto saxpy = kernel<saxpy_tiles<1024>>("saxpy");
inline const auto product = kernel<product_tiles<64, 64, 32>>("product");

} // namespace kernels

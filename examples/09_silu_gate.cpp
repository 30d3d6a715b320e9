// 09: the gate of a transformer's feed-forward layer, silu(x · G) ⊙ (x · U) with silu(t) = t / (1 + e⁻ᵗ), in one kernel.
//
// Two products share the tiles of x, and the activation happens before anything is written: three passes over memory become one. A
// helper is an ordinary C++ function of tiles.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <class X> X silu(const X& x) { return x * sigmoid(x); }

template <int BM, int BN, int BK>
void silu_gate(Out<bf16, BM, BN> y, In<bf16, BM, BK> x, In<bf16, BK, BN> gate, In<bf16, BK, BN> up) {
  auto g = zeros<f32, BM, BN>(), u = zeros<f32, BM, BN>();
  for (auto k : x.cols()) {
    auto part = x(y.row(), k);
    g = mma(part, gate(k, y.col()), g); // bf16 products, summed in f32
    u = mma(part, up(k, y.col()), u);
  }
  y.store(cast<bf16>(silu(g) * u));
}

int main() {
  constexpr i64 tokens = 50, width = 96, hidden = 160;
  const auto host_x = some_numbers<bf16>(tokens * width, 14);
  const auto host_gate = some_numbers<bf16>(width * hidden, 15), host_up = some_numbers<bf16>(width * hidden, 16);

  Device device = Device::best();
  auto x = Tensor<bf16, 2>::from_host(device, {tokens, width}, host_x);
  auto gate = Tensor<bf16, 2>::from_host(device, {width, hidden}, host_gate);
  auto up = Tensor<bf16, 2>::from_host(device, {width, hidden}, host_up);
  auto y = kernel<silu_gate<32, 64, 32>>()(fresh(tokens, hidden), x, gate, up).sync();

  std::vector<f32> expected(tokens * hidden);
  for (i64 i = 0; i < tokens; ++i)
    for (i64 j = 0; j < hidden; ++j) {
      double g = 0, u = 0;
      for (i64 k = 0; k < width; ++k) {
        g += double(host_x[i * width + k]) * host_gate[k * hidden + j];
        u += double(host_x[i * width + k]) * host_up[k * hidden + j];
      }
      expected[i * hidden + j] = f32(g / (1 + std::exp(-g)) * u);
    }
  return compare("silu gate", y.to_host(), expected, 1e-2);
}

#include "tools/tegula/Bandwidth.h"

#include <algorithm>
#include <chrono>

namespace tegula {
namespace {

// Sums of pieces.
template <int N> void sum_pieces(Out<f32, 1> y, In<f32, N> x) {
  expects(y.extent(0) == x.count(0), "an element for each piece");
  y.store(reshape<1>(sum<0>(x(y.at(0)))));
}

} // namespace

double read_bandwidth(const Device& device) {
  constexpr i64 piece = 4096, most = i64{1} << 28;
  constexpr int rounds = 7;
  // Far more than caches hold.
  const i64 elements = std::max(piece, std::min(most, device.memory_bytes() / 32) / piece * piece);
  const auto x = Tensor<f32, 1>::full(device, {elements}, 0.5f);
  auto y = Tensor<f32, 1>::zeros(device, {elements / piece});
  static const auto read = kernel<sum_pieces<piece>>({.strict = true});
  double best = 0;
  for (int round = 0; round <= rounds; ++round) { // the first compiles
    const auto begin = std::chrono::steady_clock::now();
    read(out(y), x).sync();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (round > 0)
      best = std::max(best, static_cast<double>(elements * size_of(DType::f32)) / seconds);
  }
  return best;
}

} // namespace tegula

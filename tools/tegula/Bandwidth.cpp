#include "tools/tegula/Bandwidth.h"

#include <algorithm>
#include <chrono>
#include <limits>

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
  constexpr int rounds = 5, more = 4;
  // Far more than caches hold.
  const i64 elements = std::max(piece, std::min(most, device.memory_bytes() / 32) / piece * piece);
  const auto x = Tensor<f32, 1>::full(device, {elements}, 0.5f);
  auto y = Tensor<f32, 1>::zeros(device, {elements / piece});
  static const auto read = kernel<sum_pieces<piece>>({.strict = true});
  const auto seconds_for = [&](int times) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 1; i < times; ++i)
      read(out(y), x).start();
    read(out(y), x).sync();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds_for(1); // compiles
  double once = std::numeric_limits<double>::infinity(), many = once;
  for (int round = 0; round < rounds || many <= once; ++round) { // a machine that does other things may need more rounds
    once = std::min(once, seconds_for(1));
    many = round < rounds ? std::min(many, seconds_for(1 + more)) : seconds_for(1 + more);
  }
  return static_cast<double>(elements * size_of(DType::f32)) * more / (many - once); // without what a launch and waiting cost
}

} // namespace tegula

// Names that other languages have and this one has not are free: for functions, kernels, variables and types of the user's.
#include "Language.h"

namespace users {

using namespace tegula;

template <class X> auto relu(const X& x) { return maximum(x, 0); }
constexpr auto square = [](auto x) { return x * x; };
template <class... X> auto clip(X&&... x) { return clamp(x...); }
/// The last argument is converted.
Tile<f32> dot(const Tile<f32, 16>& a, const Tile<f32, 16>& b, const Int& from) {
  return reshape<>(sum<0>(select(iota<16>() >= cast<i32>(from), a * b, 0)));
}
Scalar<f32> where(const Scalar<bool>& condition, const Scalar<f32>& a, const Scalar<f32>& b) { return select(condition, a, b); }
template <int N> auto arange() { return iota<N>(); }
template <int N> Int cdiv(const Int& a) { return (a + (N - 1)) / N; }
constexpr int num_programs = 4;
struct view {
  Tile<f32, 16> of;
};

void mean(Out<f32, 16> y, In<f32, 16> x, Scalar<bool> flag) {
  const view seen{x[y]};
  y.store(relu(seen.of) + square(seen.of) + clip(seen.of, 0, 1) + dot(seen.of, seen.of, 0) + where(flag, 1, 2) +
          cast<f32>(arange<16>()) + cast<f32>(cdiv<4>(Scalar<i32>(num_programs)) - 1));
}

} // namespace users

namespace tegula::test {
namespace {

TEST(Elsewhere, NamesOfTheUsersAreTheUsers) {
  const Device device = test_device();
  const auto k = kernel<users::mean>("mean");
  const auto x = Tensor<f32, 1>::full(device, {16}, -1.0f);
  const auto y = k(Tensor<f32, 1>::zeros(device, {16}), x, false).sync().to_host();
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[static_cast<std::size_t>(i)], 0 + 1 + 0 + 16 + 2 + static_cast<float>(i));
}

} // namespace
} // namespace tegula::test

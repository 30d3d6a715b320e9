// flag ? a : b, where the flag is known while the kernel is traced: the other side is not recorded.
#include "Language.h"

namespace tegula::test {
namespace {

template <bool Flag> void choices(Out<f32, 16> y, In<f32, 16> a, In<f32, 16> b, Scalar<f32> s, Scalar<i32> n) {
  auto x = a[y];
  const auto z = b[y];
  bool flag = Flag;
  auto sum = flag ? x + z : x;               // a temporary and a variable
  sum += !flag ? z : sum * 2;                // const, and not
  sum += Flag ? a[y] : b[y];                 // two temporaries
  sum += flag ? s : 0.5f;                    // a scalar and a host number
  sum += flag ? 3 : s * 2;                   // the other way round
  sum += cast<f32>(flag ? y.at(0) : 7);      // an index
  sum += cast<f32>(flag ? n : 2);            // an i32
  sum += select(flag ? x < z : x > z, 1, z); // comparisons
  const auto& chosen = flag ? x : sum;
  (flag ? x : sum) = chosen + z;
  y.store(sum + x);
}

template <bool Flag> f32 chosen_by_host(f32 x, f32 z, f32 s, f32 n) {
  f32 sum = Flag ? x + z : x;
  sum += !Flag ? z : sum * 2;
  sum += Flag ? x : z;
  sum += Flag ? s : 0.5f;
  sum += Flag ? 3 : s * 2;
  sum += Flag ? 0 : 7;
  sum += Flag ? n : 2;
  sum += (Flag ? x < z : x > z) ? 1 : z;
  (Flag ? x : sum) += z;
  return sum + x;
}

template <bool Flag> void check() {
  const Device device = test_device();
  const auto a = Tensor<f32, 1>::full(device, {16}, 2), b = Tensor<f32, 1>::full(device, {16}, 5);
  const auto k = kernel<choices<Flag>>("choices");
  EXPECT_EQ(k(Tensor<f32, 1>::zeros(device, {16}), a, b, 11, 13).sync().to_host(),
            std::vector<f32>(16, chosen_by_host<Flag>(2, 5, 11, 13)));
}

TEST(HostChoice, TheChosenSideIsRecorded) {
  check<true>();
  check<false>();
}

} // namespace
} // namespace tegula::test

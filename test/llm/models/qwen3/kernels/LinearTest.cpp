// Many rows at once: RMSNorm and products with weights, at extents that no tile divides.
#include "llm/models/qwen3/kernels/linear.hpp"
#include "llm/models/qwen3/kernels/rms_norm.hpp"
#include "test/llm/models/qwen3/kernels/Heads.h"

namespace tegula::llm::qwen3 {
namespace {

constexpr double tolerance = 0.01; // of bf16

struct Problem {
  i64 rows, in, out;
  std::vector<bf16> x = numbers<bf16>(rows * in, 1), w = numbers<bf16>(out * in, 2), up = numbers<bf16>(out * in, 3),
                    residual = numbers<bf16>(rows * out, 4);

  double product(const std::vector<bf16>& weights, i64 e) const {
    double sum = 0;
    for (i64 i = 0; i < in; ++i)
      sum += double(float(x[at(e / out * in + i)])) * float(weights[at(e % out * in + i)]);
    return sum;
  }
};

template <int BM, int BN, int BK> void check_products(const Problem& p) {
  const auto x = tensor<bf16, 2>({p.rows, p.in}, p.x), w = tensor<bf16, 2>({p.out, p.in}, p.w),
             up = tensor<bf16, 2>({p.out, p.in}, p.up);
  const auto w_t = w.view().transpose(), up_t = up.view().transpose();
  const auto plain = kernel<linear<bf16, bf16, BM, BN, BK>>("linear", {.strict = true});
  const auto logits = kernel<linear<bf16, f32, BM, BN, BK>>("linear", {.strict = true});
  const auto add = kernel<linear_add<bf16, BM, BN, BK>>("linear_add", {.strict = true});
  const auto gate_up = kernel<linear_gate_up<bf16, BM, BN, BK>>("linear_gate_up", {.strict = true});

  expect_elements(plain(fresh(p.rows, p.out), x, w_t).sync().to_host(), [&](i64 e) { return p.product(p.w, e); }, tolerance);
  expect_elements(logits(fresh(p.rows, p.out), x, w_t).sync().to_host(), [&](i64 e) { return p.product(p.w, e); }, 1e-4);
  auto y = tensor<bf16, 2>({p.rows, p.out}, p.residual);
  add(out(y), x, w_t).sync();
  expect_elements(y.to_host(), [&](i64 e) { return float(p.residual[at(e)]) + p.product(p.w, e); }, tolerance);
  const auto h = gate_up(fresh(p.rows, p.out), x, w_t, up_t).sync();
  expect_elements(
      h.to_host(),
      [&](i64 e) {
        const double g = p.product(p.w, e);
        return g / (1 + std::exp(-g)) * p.product(p.up, e);
      },
      tolerance);
}

TEST(Linear, OneBlockOfSixteenRows) { check_products<16, 32, 32>({5, 72, 41}); }
TEST(Linear, ThirtyTwoRows) { check_products<32, 64, 32>({37, 96, 72}); }
TEST(Linear, SixtyFourRows) { check_products<64, 64, 64>({70, 96, 80}); }
TEST(Linear, AHundredAndTwentyEightRows) { check_products<128, 64, 32>({130, 64, 72}); }

TEST(RmsNorm, IsRoundedBeforeTheWeight) {
  constexpr i64 rows = 5, width = 200;
  const auto norm = kernel<rms_norm<bf16, 256>>("rms_norm", {.strict = true});
  const std::vector<bf16> x = numbers<bf16>(rows * width, 1), weight = numbers<bf16>(width, 2);
  const auto in = tensor<bf16, 2>({rows, width}, x);
  const auto scale = tensor<bf16, 1>({width}, weight);
  const auto y = norm(fresh(rows, width), in, scale, epsilon).sync();
  expect_elements(
      y.to_host(),
      [&](i64 e) {
        double squares = 0;
        for (i64 i = 0; i < width; ++i)
          squares += std::pow(float(x[at(e / width * width + i)]), 2);
        const double root = std::sqrt(squares / static_cast<double>(width) + epsilon);
        return rounded(rounded(float(x[at(e)]) / root) * float(weight[at(e % width)]));
      },
      0.005); // half a step of bf16, where the sums differ in their last bits
}

} // namespace
} // namespace tegula::llm::qwen3

// Nothing about the kernels is checked while they run, at the sizes of the published models: {.strict = true} would refuse them.
#include "kernels/embedding.hpp"
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/append_rows.hpp"
#include "llm/models/qwen3/kernels/argmax.hpp"
#include "llm/models/qwen3/kernels/attend_decode.hpp"
#include "llm/models/qwen3/kernels/attend_rows.hpp"
#include "llm/models/qwen3/kernels/last_rows.hpp"
#include "llm/models/qwen3/kernels/linear.hpp"
#include "llm/models/qwen3/kernels/matrix_vector.hpp"
#include "llm/models/qwen3/kernels/merge_append.hpp"
#include "llm/models/qwen3/kernels/rms_norm.hpp"
#include "tegula/tegula.hpp"

#include <gtest/gtest.h>

namespace tegula::llm::qwen3 {
namespace {

constexpr Hints strict{.strict = true};

void expect_proved(std::initializer_list<AnyKernel> kernels) {
  for (const AnyKernel& k : kernels) {
    EXPECT_NO_THROW(prove(k)) << proof_text(k);
    EXPECT_EQ(proof_text(k).find("  waived"), std::string::npos) << proof_text(k);
  }
}

template <int Hidden, int Heads, int Intermediate> void expect_matrix_vectors_proved() {
  expect_proved({kernel<norm_matrix_vector<bf16, bf16, 2, 512, Hidden>>("qkv", strict),
                 kernel<norm_matrix_vector<bf16, f32, 2, 512, Hidden>>("logits", strict),
                 kernel<norm_gate_up<bf16, 2, 512, Hidden>>("gate and up", strict),
                 kernel<matrix_vector_add<bf16, 4, 1024, Heads * 128>>("output", strict),
                 kernel<matrix_vector_add<bf16, 4, 1024, Intermediate>>("down", strict)});
}

TEST(Proofs, MatrixVector) {
  expect_proved({kernel<norm_matrix_vector<bf16, bf16, 4, 512>>("qkv", strict), kernel<norm_gate_up<bf16, 2, 512>>("up", strict),
                 kernel<matrix_vector_add<bf16, 4, 1024>>("down", strict)});
  expect_matrix_vectors_proved<1024, 16, 3072>();
  expect_matrix_vectors_proved<2560, 32, 9728>();
  expect_matrix_vectors_proved<5120, 64, 25600>();
}

template <int G, int D> void expect_attention_proved() {
  expect_proved(
      {kernel<attend_decode<bf16, 1, 16, G, D>>("attend_decode", strict),
       kernel<attend_decode<bf16, 24, 16, G, D>>("attend_decode", strict),
       kernel<attend_decode<bf16, 64, 16, G, D>>("attend_decode", strict),
       kernel<merge_append<bf16, 1, G, D>>("merge_append", strict), kernel<merge_append<bf16, 64, G, D>>("merge_append", strict),
       kernel<append_rows<bf16, padded<G>, G, D>>("append_rows", strict),
       kernel<attend_rows<bf16, 16, G, D>>("attend_rows", strict), kernel<attend_rows<bf16, 128, G, D>>("attend_rows", strict)});
}

TEST(Proofs, Attention) {
  expect_attention_proved<1, 32>();
  expect_attention_proved<2, 128>();
  expect_attention_proved<4, 128>();
  expect_attention_proved<5, 128>(); // 14B: 40 query heads for 8
  expect_attention_proved<8, 96>();
  expect_attention_proved<8, 256>();
}

TEST(Proofs, ManyRows) {
  expect_proved(
      {kernel<linear<bf16, bf16, 16, 64, 64>>("linear", strict), kernel<linear<bf16, f32, 128, 128, 32>>("linear", strict),
       kernel<linear_add<bf16, 64, 64, 32>>("linear_add", strict),
       kernel<linear_gate_up<bf16, 32, 64, 64>>("linear_gate_up", strict), kernel<rms_norm<bf16, 8192>>("rms_norm", strict)});
}

TEST(Proofs, Tokens) {
  expect_proved({kernel<kernels::embedding<bf16, i32, 4, 512>>("embedding", strict), kernel<last_rows<bf16, 512>>("last", strict),
                 kernel<argmax_parts<1024>>("argmax_parts", strict), kernel<argmax_token<256>>("argmax_token", strict),
                 kernel<qwen3::advance<64>>("advance", strict), kernel<advance_segments>("advance_segments", strict)});
}

} // namespace
} // namespace tegula::llm::qwen3

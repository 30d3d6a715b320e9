// Nothing about the kernels is checked while they run, at the sizes of the published models: {.strict = true} would refuse them.
#include "kernels/embedding.hpp"
#include "llm/models/qwen3/Config.h"
#include "llm/models/qwen3/Shapes.h"
#include "llm/models/qwen3/kernels/advance.hpp"
#include "llm/models/qwen3/kernels/append_rows.hpp"
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

template <Pieces One, Pieces Two> void expect_hidden_proved() {
  expect_proved({kernel<norm_matrix_vector<bf16, bf16, One.rows, One.width, One.columns>>("qkv", One.hints()),
                 kernel<norm_matrix_vector<bf16, f32, One.rows, One.width, One.columns>>("logits", One.hints()),
                 kernel<norm_gate_up<bf16, Two.rows, Two.width, Two.columns>>("gate and up", Two.hints())});
}
template <Pieces P> void expect_inner_proved() {
  expect_proved({kernel<matrix_vector_add<bf16, P.rows, P.width, P.columns>>("output and down", P.hints())});
}

TEST(Proofs, MatrixVector) {
  expect_hidden_proved<by_row, by_row>();
  expect_hidden_proved<in_turns(1), in_turns(2)>();
  expect_inner_proved<by_row>();
  expect_inner_proved<in_turns(1)>();
  []<int... N>(std::integer_sequence<int, N...>) { (expect_hidden_proved<at_once(1, N), at_once(2, N)>(), ...); }(HiddenLengths());
  []<int... N>(std::integer_sequence<int, N...>) { (expect_inner_proved<at_once(1, N)>(), ...); }(InnerLengths());
}

// A length that is missing would be read in turns, and slowly.
TEST(Shapes, AreThereForEachPublishedSize) {
  const auto has = []<int... N>(std::integer_sequence<int, N...>, i64 length) { return ((length == N) || ...); };
  for (const std::string_view size : sizes()) {
    const Config config = config_of_size(size);
    EXPECT_TRUE(has(HiddenLengths(), config.hidden_size)) << size;
    EXPECT_TRUE(has(InnerLengths(), config.num_attention_heads * config.head_dim)) << size;
    EXPECT_EQ(has(InnerLengths(), config.intermediate_size), config.intermediate_size <= 17408) << size;
  }
}

template <int G, int D> void expect_attention_proved() {
  expect_proved(
      {kernel<attend_decode<bf16, 1, 16, G, D>>("attend_decode", strict),
       kernel<attend_decode<bf16, 4, 16, G, D>>("attend_decode", strict),
       kernel<attend_decode<bf16, 16, 16, G, D>>("attend_decode", strict),
       kernel<merge_append<bf16, 1, G, D>>("merge_append", strict), kernel<merge_append<bf16, 16, G, D>>("merge_append", strict),
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

template <Tiles T> void expect_tiles_proved() {
  expect_proved({kernel<linear<bf16, bf16, T.rows, T.columns, T.depth>>("linear", T.hints()),
                 kernel<linear<bf16, f32, T.rows, T.columns, T.depth>>("logits", T.hints()),
                 kernel<linear_add<bf16, T.rows, T.columns, T.depth>>("linear_add", T.hints()),
                 kernel<linear_gate_up<bf16, T.rows, T.columns_of_two(), T.depth>>("linear_gate_up", T.hints())});
}

TEST(Proofs, ManyRows) {
  expect_tiles_proved<few_on_cpu>();
  expect_tiles_proved<to_16>();
  expect_tiles_proved<to_32>();
  expect_tiles_proved<to_64>();
  expect_tiles_proved<many>();
  expect_proved({kernel<rms_norm<bf16, 8192>>("rms_norm", strict)});
}

TEST(Proofs, Tokens) {
  expect_proved({kernel<kernels::embedding<bf16, i32, 4, 512>>("embedding", strict), kernel<last_rows<bf16, 512>>("last", strict),
                 kernel<qwen3::advance<64>>("advance", strict), kernel<advance_segments>("advance_segments", strict)});
}

} // namespace
} // namespace tegula::llm::qwen3

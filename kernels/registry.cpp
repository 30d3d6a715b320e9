#include "kernels/registry.hpp"

#include "kernels/add.hpp"
#include "kernels/argmax_final.hpp"
#include "kernels/argmax_partial.hpp"
#include "kernels/attention.hpp"
#include "kernels/attention_backward_keys.hpp"
#include "kernels/attention_backward_queries.hpp"
#include "kernels/attention_training.hpp"
#include "kernels/column_sums.hpp"
#include "kernels/copy.hpp"
#include "kernels/dropout.hpp"
#include "kernels/embedding.hpp"
#include "kernels/histogram.hpp"
#include "kernels/kv_append.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/layer_norm_backward.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/matrix_product_batched.hpp"
#include "kernels/matrix_product_grouped.hpp"
#include "kernels/matrix_product_persistent.hpp"
#include "kernels/matrix_product_split_k.hpp"
#include "kernels/matrix_vector.hpp"
#include "kernels/permute_heads.hpp"
#include "kernels/rms_norm.hpp"
#include "kernels/row_statistics.hpp"
#include "kernels/saxpy.hpp"
#include "kernels/silu_gate.hpp"
#include "kernels/silu_product.hpp"
#include "kernels/softmax.hpp"
#include "kernels/topk_final.hpp"
#include "kernels/topk_partial.hpp"
#include "kernels/transpose.hpp"

namespace tegula::kernels {

std::span<const Entry> registry() {
  static constexpr Entry entries[] = {
      {"add", []() -> AnyKernel { return kernel<add<f32, 1024>>("add"); }},
      {"argmax_final", []() -> AnyKernel { return kernel<argmax_final<f32, 128>>("argmax_final"); }},
      {"argmax_partial", []() -> AnyKernel { return kernel<argmax_partial<f32, 2048>>("argmax_partial"); }},
      {"attention", []() -> AnyKernel { return kernel<attention<f32, 64, 64, 64, false>>("attention"); }},
      {"attention_backward_keys",
       []() -> AnyKernel {
         return kernel<attention_backward_keys<bf16, 32, 32, 64, true>>("attention_backward_keys", {.warps = 4});
       }},
      {"attention_backward_queries",
       []() -> AnyKernel {
         return kernel<attention_backward_queries<bf16, 32, 32, 64, true>>("attention_backward_queries", {.warps = 4});
       }},
      {"attention_causal", []() -> AnyKernel { return kernel<attention<f32, 64, 64, 64, true>>("attention_causal"); }},
      {"attention_training", []() -> AnyKernel { return kernel<attention_training<f32, 64, 64, 64, true>>("attention_training"); }},
      {"column_sums", []() -> AnyKernel { return kernel<column_sums<16, 256>>("column_sums"); }},
      {"copy", []() -> AnyKernel { return kernel<kernels::copy<f32, 1024>>("copy"); }},
      {"dropout", []() -> AnyKernel { return kernel<dropout<bf16, 1024>>("dropout"); }},
      {"embedding", []() -> AnyKernel { return kernel<embedding<bf16, i32, 16, 256>>("embedding"); }},
      {"histogram", []() -> AnyKernel { return kernel<histogram<i32, 256, 256>>("histogram"); }},
      {"kv_append", []() -> AnyKernel { return kernel<kv_append<bf16, i64, 16, 128>>("kv_append"); }},
      {"layer_norm", []() -> AnyKernel { return kernel<layer_norm<bf16, 4, 1024>>("layer_norm"); }},
      {"layer_norm_backward", []() -> AnyKernel { return kernel<layer_norm_backward<bf16, 4, 1024>>("layer_norm_backward"); }},
      {"matrix_product", []() -> AnyKernel { return kernel<matrix_product<bf16, 128, 128, 64>>("matrix_product"); }},
      {"matrix_product_batched",
       []() -> AnyKernel { return kernel<matrix_product_batched<bf16, 64, 64, 64>>("matrix_product_batched"); }},
      {"matrix_product_grouped",
       []() -> AnyKernel { return kernel<matrix_product_grouped<bf16, 128, 128, 64>>("matrix_product_grouped"); }},
      {"matrix_product_persistent",
       []() -> AnyKernel { return kernel<matrix_product_persistent<bf16, 128, 128, 64>>("matrix_product_persistent"); }},
      {"matrix_product_split_k",
       []() -> AnyKernel { return kernel<matrix_product_split_k<bf16, 64, 64, 64>>("matrix_product_split_k"); }},
      {"matrix_vector", []() -> AnyKernel { return kernel<matrix_vector<bf16, 8, 512>>("matrix_vector"); }},
      {"permute_heads", []() -> AnyKernel { return kernel<permute_heads<bf16, 32, 128>>("permute_heads"); }},
      {"rms_norm", []() -> AnyKernel { return kernel<rms_norm<bf16, 4, 1024>>("rms_norm"); }},
      {"row_statistics", []() -> AnyKernel { return kernel<row_statistics<4, 256>>("row_statistics"); }},
      {"saxpy", []() -> AnyKernel { return kernel<saxpy<f32, 1024>>("saxpy"); }},
      {"silu_gate", []() -> AnyKernel { return kernel<silu_gate<bf16, 64, 64, 64>>("silu_gate"); }},
      {"silu_product", []() -> AnyKernel { return kernel<silu_product<bf16, 8, 512>>("silu_product"); }},
      {"softmax", []() -> AnyKernel { return kernel<softmax<f32, 4, 1024>>("softmax"); }},
      {"topk_final", []() -> AnyKernel { return kernel<topk_final<f32, 64, 4096>>("topk_final"); }},
      {"topk_partial", []() -> AnyKernel { return kernel<topk_partial<f32, 64, 4096>>("topk_partial"); }},
      {"transpose", []() -> AnyKernel { return kernel<kernels::transpose<f32, 32, 32>>("transpose"); }},
  };
  return entries;
}

} // namespace tegula::kernels

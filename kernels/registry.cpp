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
  static const Entry entries[] = {
      {"add", []() -> AnyKernel { return kernel<add<f32, 1024>>("add"); }, {.extents = {{1500}, {1500}, {1500}}, .programs = 2}},
      {"argmax_final",
       []() -> AnyKernel { return kernel<argmax_final<f32, 128>>("argmax_final"); },
       {.extents = {{3, 1}, {3, 100}, {3, 100}}, .programs = 3}},
      {"argmax_partial",
       []() -> AnyKernel { return kernel<argmax_partial<f32, 2048>>("argmax_partial"); },
       {.extents = {{2, 2}, {2, 2}, {2, 4000}}, .programs = 4}},
      {"attention",
       []() -> AnyKernel { return kernel<attention<f32, 64, 64, 64, false>>("attention"); },
       {.extents = {{1, 60, 60}, {1, 60, 60}, {1, 124, 60}, {1, 124, 60}}, .programs = 1, .faults = 6}},
      {"attention_backward_keys",
       []() -> AnyKernel {
         return kernel<attention_backward_keys<bf16, 32, 32, 64, true>>("attention_backward_keys", {.warps = 4});
       },
       {.extents = {{1, 60, 60}, {1, 60, 60}, {1, 124, 60}, {1, 124, 1}, {1, 124, 1}, {1, 124, 60}, {1, 60, 60}, {1, 60, 60}},
        .programs = 1,
        .faults = 2}},
      {"attention_backward_queries",
       []() -> AnyKernel {
         return kernel<attention_backward_queries<bf16, 32, 32, 64, true>>("attention_backward_queries", {.warps = 4});
       },
       {.extents = {{1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}},
        .programs = 2,
        .faults = 2}},
      {"attention_causal",
       []() -> AnyKernel { return kernel<attention<f32, 64, 64, 64, true>>("attention_causal"); },
       {.extents = {{1, 124, 60}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}}, .programs = 2, .faults = 4}},
      {"attention_training",
       []() -> AnyKernel { return kernel<attention_training<f32, 64, 64, 64, true>>("attention_training"); },
       {.extents = {{1, 124, 60}, {1, 124, 1}, {1, 124, 60}, {1, 124, 60}, {1, 124, 60}}, .programs = 2, .faults = 2}},
      {"column_sums",
       []() -> AnyKernel { return kernel<column_sums<16, 256>>("column_sums"); },
       {.extents = {{500}, {60, 500}}, .programs = 2}},
      {"copy",
       []() -> AnyKernel { return kernel<kernels::copy<f32, 1024>>("copy"); },
       {.extents = {{1500}, {1500}}, .programs = 2}},
      {"dropout",
       []() -> AnyKernel { return kernel<dropout<bf16, 1024>>("dropout"); },
       {.extents = {{1496}, {1496}}, .programs = 2, .faults = 8}},
      {"embedding",
       []() -> AnyKernel { return kernel<embedding<bf16, i32, 16, 256>>("embedding"); },
       {.extents = {{28, 504}, {50, 504}, {28}}, .programs = 4, .bound = 50}},
      {"histogram",
       []() -> AnyKernel { return kernel<histogram<i32, 256, 256>>("histogram"); },
       {.extents = {{300}, {1000}}, .programs = 2, .bound = 300}},
      {"kv_append",
       []() -> AnyKernel { return kernel<kv_append<bf16, i64, 16, 128>>("kv_append"); },
       {.extents = {{40, 248}, {28, 248}, {28}}, .programs = 1, .bound = 40}},
      {"layer_norm",
       []() -> AnyKernel { return kernel<layer_norm<bf16, 4, 1024>>("layer_norm"); },
       {.extents = {{7, 1000}, {7, 1}, {7, 1}, {7, 1000}, {1000}, {1000}}, .programs = 2, .faults = 6}},
      {"layer_norm_backward",
       []() -> AnyKernel { return kernel<layer_norm_backward<bf16, 4, 1024>>("layer_norm_backward"); },
       {.extents = {{7, 1000}, {1000}, {1000}, {7, 1000}, {7, 1000}, {1000}, {7, 1}, {7, 1}}, .programs = 1, .faults = 6}},
      {"matrix_product",
       []() -> AnyKernel { return kernel<matrix_product<bf16, 128, 128, 64>>("matrix_product"); },
       {.extents = {{120, 120}, {120, 248}, {248, 120}}, .programs = 1, .faults = 6}},
      {"matrix_product_batched",
       []() -> AnyKernel { return kernel<matrix_product_batched<bf16, 64, 64, 64>>("matrix_product_batched"); },
       {.extents = {{1, 56, 56}, {1, 56, 248}, {1, 248, 56}}, .programs = 1, .faults = 6}},
      {"matrix_product_grouped",
       []() -> AnyKernel { return kernel<matrix_product_grouped<bf16, 128, 128, 64>>("matrix_product_grouped"); },
       {.extents = {{120, 248}, {120, 248}, {248, 248}}, .programs = 1, .faults = 6}},
      {"matrix_product_persistent",
       []() -> AnyKernel { return kernel<matrix_product_persistent<bf16, 128, 128, 64>>("matrix_product_persistent"); },
       {.extents = {{120, 248}, {120, 248}, {248, 248}}, .programs = 1, .faults = 6}},
      {"matrix_product_split_k",
       []() -> AnyKernel { return kernel<matrix_product_split_k<bf16, 64, 64, 64>>("matrix_product_split_k"); },
       {.extents = {{56, 120}, {56, 248}, {248, 120}}, .programs = 1, .faults = 10}},
      {"matrix_vector",
       []() -> AnyKernel { return kernel<matrix_vector<bf16, 8, 512>>("matrix_vector"); },
       {.extents = {{14}, {14, 1000}, {1000}}, .programs = 2}},
      {"permute_heads",
       []() -> AnyKernel { return kernel<permute_heads<bf16, 32, 128>>("permute_heads"); },
       {.extents = {{1, 60, 2, 120}, {1, 2, 60, 120}}, .programs = 2}},
      {"rms_norm",
       []() -> AnyKernel { return kernel<rms_norm<bf16, 4, 1024>>("rms_norm"); },
       {.extents = {{7, 1000}, {7, 1000}, {1000}}, .programs = 2}},
      {"row_statistics",
       []() -> AnyKernel { return kernel<row_statistics<4, 256>>("row_statistics"); },
       {.extents = {{7, 1}, {7, 1}, {7, 500}}, .programs = 2}},
      {"saxpy", []() -> AnyKernel { return kernel<saxpy<f32, 1024>>("saxpy"); }, {.extents = {{1500}, {1500}}, .programs = 2}},
      {"silu_gate",
       []() -> AnyKernel { return kernel<silu_gate<bf16, 64, 64, 64>>("silu_gate"); },
       {.extents = {{56, 56}, {56, 248}, {248, 56}, {248, 56}}, .programs = 1, .faults = 10}},
      {"silu_product",
       []() -> AnyKernel { return kernel<silu_product<bf16, 8, 512>>("silu_product"); },
       {.extents = {{14, 1000}, {14, 1000}, {14, 1000}}, .programs = 4}},
      {"softmax",
       []() -> AnyKernel { return kernel<softmax<f32, 4, 1024>>("softmax"); },
       {.extents = {{7, 1000}, {7, 1000}}, .programs = 2}},
      {"topk_final",
       []() -> AnyKernel { return kernel<topk_final<f32, 64, 4096>>("topk_final"); },
       {.extents = {{1, 64}, {1, 64}, {1, 4000}, {1, 4000}}, .programs = 1, .faults = 4}},
      {"topk_partial",
       []() -> AnyKernel { return kernel<topk_partial<f32, 64, 4096>>("topk_partial"); },
       {.extents = {{1, 64}, {1, 64}, {1, 4000}}, .programs = 1, .faults = 4}},
      {"transpose",
       []() -> AnyKernel { return kernel<kernels::transpose<f32, 32, 32>>("transpose"); },
       {.extents = {{60, 60}, {60, 60}}, .programs = 4}},
  };
  return entries;
}

} // namespace tegula::kernels

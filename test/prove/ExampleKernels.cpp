#include "test/prove/ExampleKernels.h"

#include "test/support/Examples.h"

namespace tegula::test {

// Without 01, which has no index that could be wrong, 03, whose kernel is a lambda (the library has one like it), and 19's
// `combine`, whose six tensors fit each other in too few of the launches that the tests find.
std::span<const kernels::Entry> example_kernels() {
  static const kernels::Entry entries[] = {
      {"02_vector_add", []() -> AnyKernel { return kernel<example_02::add<1024>>("add"); }},
      {"04_matrix_product", []() -> AnyKernel { return kernel<examples::matrix_product<64, 64, 64>>("matrix_product"); }},
      {"05_softmax", []() -> AnyKernel { return kernel<example_05::softmax<4, 1024>>("softmax"); }},
      {"06_rms_norm", []() -> AnyKernel { return kernel<example_06::rms_norm<4, 512>>("rms_norm"); }},
      {"07_attention", []() -> AnyKernel { return kernel<example_07::attention<32, 64, 64, false>>("attention"); }},
      {"07_attention_causal", []() -> AnyKernel { return kernel<example_07::attention<32, 64, 64, true>>("attention"); }},
      {"08_reductions", []() -> AnyKernel { return kernel<example_08::statistics<4, 256>>("statistics"); }},
      {"09_silu_gate", []() -> AnyKernel { return kernel<example_09::silu_gate<32, 64, 32>>("silu_gate"); }},
      {"10_in_order", []() -> AnyKernel { return kernel<example_10::in_order<32, 32, 32>>("in_order"); }},
      {"10_in_groups", []() -> AnyKernel { return kernel<example_10::in_groups<32, 32, 32>>("in_groups"); }},
      {"11_split_k", []() -> AnyKernel { return kernel<example_11::split_k<32, 32, 64>>("split_k"); }},
      {"12_histogram", []() -> AnyKernel { return kernel<example_12::histogram<256, 64>>("histogram"); }},
      {"13_embed", []() -> AnyKernel { return kernel<example_13::embed<8, 32>>("embed"); }},
      {"13_append", []() -> AnyKernel { return kernel<example_13::append<8, 32>>("append"); }},
      {"14_in_place", []() -> AnyKernel { return kernel<example_14::step<256>>("step"); }},
      {"15_sum_of_pairs", []() -> AnyKernel { return kernel<example_15::sum_of_pairs<16>>("sum_of_pairs"); }},
      {"16_stencil", []() -> AnyKernel { return kernel<example_16::spread<16, 64>>("spread"); }},
      {"17_ragged", []() -> AnyKernel { return kernel<example_17::attend<16, 32>>("attend"); }},
      {"18_w8a16", []() -> AnyKernel { return kernel<example_18::w8a16<16, 64, 64>>("w8a16"); }},
      {"18_w4a16", []() -> AnyKernel { return kernel<example_18::w4a16<16, 64>>("w4a16"); }},
      {"19_route", []() -> AnyKernel { return kernel<example_19::route<8, 8>>("route"); }},
      {"19_arrange", []() -> AnyKernel { return kernel<example_19::arrange<64, 8>>("arrange"); }},
      {"19_expand", []() -> AnyKernel { return kernel<example_19::expand<16, 16, 16>>("expand"); }},
      {"20_fft", []() -> AnyKernel { return kernel<example_20::transform<2, 16, 8>>("transform"); }},
      {"21_grouped_gemm", []() -> AnyKernel { return kernel<example_21::products<2, 16, 16, 16>>("products"); }},
  };
  return entries;
}

} // namespace tegula::test

// The examples, which are programs, as namespaces: example_01::run() is what 01_hello does. For one file of a program.
#pragma once
#include "examples/04_matrix_product.hpp"
#include "examples/check.hpp"

#include <tegula/tegula.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

// What they include has been included above.
// NOLINTBEGIN(bugprone-suspicious-include): examples are programs
#define main run
namespace example_01 {
#include "examples/01_hello.cpp"
}
namespace example_02 {
#include "examples/02_vector_add.cpp"
}
namespace example_03 {
#include "examples/03_saxpy.cpp"
}
namespace example_04 {
#include "examples/04_matrix_product.cpp"
}
namespace example_05 {
#include "examples/05_softmax.cpp"
}
namespace example_06 {
#include "examples/06_rms_norm.cpp"
}
namespace example_07 {
#include "examples/07_flash_attention.cpp"
}
namespace example_08 {
#include "examples/08_reductions.cpp"
}
namespace example_09 {
#include "examples/09_silu_gate.cpp"
}
namespace example_10 {
#include "examples/10_persistent.cpp"
}
namespace example_11 {
#include "examples/11_split_k.cpp"
}
namespace example_12 {
#include "examples/12_histogram.cpp"
}
namespace example_13 {
#include "examples/13_gather_scatter.cpp"
}
namespace example_14 {
#include "examples/14_in_place.cpp"
}
namespace example_15 {
#include "examples/15_refuted.cpp"
}
namespace example_16 {
#include "examples/16_stencil.cpp"
}
namespace example_17 {
#include "examples/17_ragged.cpp"
}
namespace example_18 {
#include "examples/18_quantised_matmul.cpp"
}
namespace example_19 {
#include "examples/19_experts.cpp"
}
namespace example_20 {
#include "examples/20_fft.cpp"
}
namespace example_21 {
#include "examples/21_grouped_gemm.cpp"
}
#undef main
// NOLINTEND(bugprone-suspicious-include)

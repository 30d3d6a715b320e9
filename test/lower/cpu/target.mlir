// What the lowering makes of a CPU: the width of its registers, and which products it has.
// RUN: tegula-opt %s --tile-cpu-target=cpu=x86-64 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=SSE
// RUN: tegula-opt %s --tile-cpu-target=cpu=x86-64-v2 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=SSE
// RUN: tegula-opt %s --tile-cpu-target=cpu=x86-64-v3 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=AVX2
// RUN: tegula-opt %s --tile-cpu-target=cpu=haswell --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=AVX2
// RUN: tegula-opt %s --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=AVX512
// RUN: tegula-opt %s --tile-cpu-target=cpu=skylake-avx512 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=AVX512
// RUN: tegula-opt %s --tile-cpu-target=cpu=znver4 --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefixes=AVX512,PAIRS

// AVX without FMA counts as SSE.
// RUN: tegula-opt %s --tile-cpu-target=cpu=sandybridge --tile-cpu-place --tile-cpu-lower | FileCheck %s --check-prefix=SSE

// RUN: not tegula-opt %s --tile-cpu-target=cpu=nosuch --tile-cpu-place --tile-cpu-lower 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no such CPU: 'nosuch'

// SSE: arith.addf %{{.*}} : vector<4xf32>
// AVX2: arith.addf %{{.*}} : vector<8xf32>
// AVX512: arith.addf %{{.*}} : vector<16xf32>
func.func @add(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.add %x, %x : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// PAIRS: llvm.x86.avx512bf16.dpbf16ps.512
func.func @product(%a: !tile.view<in, 16x32xbf16> {cpu.strides = array<i64: -1, 1>}, %b: !tile.view<in, 32x16xbf16> {cpu.strides = array<i64: -1, 1>},
                   %out: !tile.view<out, 16x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 16x32xbf16> -> tensor<16x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x16xbf16> -> tensor<32x16xbf16>
  %zero = tile.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.mma %x, %y, %zero : tensor<16x32xbf16>, tensor<32x16xbf16> -> tensor<16x16xf32>
  tile.store %r, %out[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

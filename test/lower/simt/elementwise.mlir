// Arithmetic on a thread's registers.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Functions that the hardware lacks are called from lib/device, by element type.
// CHECK-DAG: llvm.func @tegula_expf(f32) -> f32
// CHECK-DAG: llvm.func @tegula_exp(f64) -> f64
// CHECK-LABEL: llvm.func @tegula_functions(
// CHECK: llvm.call @tegula_expf(%{{.*}}) : (f32) -> f32
// CHECK: llvm.call @tegula_exp(%{{.*}}) : (f64) -> f64
func.func @functions(%a: f32, %b: f64, %x: !tile.view<out, f32>, %y: !tile.view<out, f64>) {
  %p = tile.function exp %a : f32
  %q = tile.function exp %b : f64
  tile.store %p, %x[] : f32, <out, f32>
  tile.store %q, %y[] : f64, <out, f64>
  return
}

// -----

// Half precision is computed in f32; the hardware converts.
// CHECK-LABEL: llvm.func @tegula_half(
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%a: f16, %x: !tile.view<out, f16>) {
  %p = tile.mul %a, %a : f16
  tile.store %p, %x[] : f16, <out, f16>
  return
}

// -----

// Each register by itself: as many operations as a thread holds elements.
// CHECK-LABEL: llvm.func @tegula_registers(
// CHECK-COUNT-4: arith.mulf %{{.*}} : f32
// CHECK-NOT: arith.mulf
// CHECK: llvm.return
func.func @registers(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %y = tile.mul %x, %x : tensor<256xf32>
  tile.store %y, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

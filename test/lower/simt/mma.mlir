// Products: mma.sync where there is an instruction, else shared memory and plain arithmetic.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// 32×16×32 of bf16 by two warps: each has one row of 16, two columns of 8 and two steps of 16.
// CHECK-LABEL: llvm.func @tegula_bf16(
// CHECK-COUNT-4: llvm.inline_asm {{.*}}"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
// CHECK-NOT: mma.sync
// CHECK: llvm.return
func.func @bf16(%a: !tile.view<in, 32x32xbf16>, %b: !tile.view<in, 32x16xbf16>, %out: !tile.view<out, 32x16xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 32x32xbf16> -> tensor<32x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x16xbf16> -> tensor<32x16xbf16>
  %zero = tile.constant dense<0.0> : tensor<32x16xf32>
  %r = tile.mma %x, %y, %zero : tensor<32x32xbf16>, tensor<32x16xbf16> -> tensor<32x16xf32>
  tile.store %r, %out[%i, %i] {inside} : tensor<32x16xf32>, <out, 32x16xf32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_u8(
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32
func.func @u8(%a: !tile.view<in, 16x32xui8>, %b: !tile.view<in, 32x8xui8>, %out: !tile.view<out, 16x8xi32>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 16x32xui8> -> tensor<16x32xui8>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x8xui8> -> tensor<32x8xui8>
  %zero = tile.constant dense<0> : tensor<16x8xi32>
  %r = tile.mma %x, %y, %zero : tensor<16x32xui8>, tensor<32x8xui8> -> tensor<16x8xi32>
  tile.store %r, %out[%i, %i] {inside} : tensor<16x8xi32>, <out, 16x8xi32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_f64(
// CHECK: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$3}, {$4, $5};", "=d,=d,d,d,d,d"
func.func @f64(%a: !tile.view<in, 8x4xf64>, %b: !tile.view<in, 4x8xf64>, %out: !tile.view<out, 8x8xf64>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 8x4xf64> -> tensor<8x4xf64>
  %y = tile.load %b[%i, %i] {inside} : <in, 4x8xf64> -> tensor<4x8xf64>
  %zero = tile.constant dense<0.0> : tensor<8x8xf64>
  %r = tile.mma %x, %y, %zero : tensor<8x4xf64>, tensor<4x8xf64> -> tensor<8x8xf64>
  tile.store %r, %out[%i, %i] {inside} : tensor<8x8xf64>, <out, 8x8xf64>
  return
}

// -----

// tf32: operands are rounded to 10 bits of mantissa, to nearest, before the instruction cuts them off.
// CHECK-LABEL: llvm.func @tegula_tf32(
// CHECK-DAG: arith.constant -8192 : i32
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
func.func @tf32(%a: !tile.view<in, 16x8xf32>, %b: !tile.view<in, 8x8xf32>, %out: !tile.view<out, 16x8xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 16x8xf32> -> tensor<16x8xf32>
  %y = tile.load %b[%i, %i] {inside} : <in, 8x8xf32> -> tensor<8x8xf32>
  %zero = tile.constant dense<0.0> : tensor<16x8xf32>
  %r = tile.mma %x, %y, %zero tf32 : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
  tile.store %r, %out[%i, %i] {inside} : tensor<16x8xf32>, <out, 16x8xf32>
  return
}

// -----

// f32: both operands in shared memory, a loop over the depth, one fused multiplication and addition for each element and step.
// CHECK-LABEL: llvm.func @tegula_f32(
// CHECK-SAME: simt.shared_bytes = 4096 : i64
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: math.fma
// CHECK-NOT: mma.sync
// CHECK: llvm.return
func.func @f32(%a: !tile.view<in, 16x32xf32>, %b: !tile.view<in, 32x16xf32>, %out: !tile.view<out, 16x16xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 16x32xf32> -> tensor<16x32xf32>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x16xf32> -> tensor<32x16xf32>
  %zero = tile.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.mma %x, %y, %zero : tensor<16x32xf32>, tensor<32x16xf32> -> tensor<16x16xf32>
  tile.store %r, %out[%i, %i] {inside} : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

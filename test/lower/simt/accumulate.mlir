// Combining into a tensor: one atomic operation an element, of those threads that hold it first, which orders nothing else.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_add(
// CHECK: scf.if
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, f32
func.func @add(%into: !tile.view<add_into, 8x8xf32>, %x: f32, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<8x8xf32>
  tile.accumulate %t, %into[%i, %i] : tensor<8x8xf32>, <add_into, 8x8xf32>
  return
}

// -----

// One thread for a scalar.
// CHECK-LABEL: llvm.func @tegula_kinds(
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: scf.if
// CHECK: llvm.atomicrmw add %{{.*}} : !llvm.ptr<1>, i64
// CHECK: llvm.atomicrmw min %{{.*}} : !llvm.ptr<1>, i32
// CHECK: llvm.atomicrmw umax %{{.*}} : !llvm.ptr<1>, i32
// CHECK: llvm.atomicrmw _and %{{.*}} : !llvm.ptr<1>, i64
// CHECK: llvm.atomicrmw _or %{{.*}} : !llvm.ptr<1>, i32
// CHECK: llvm.atomicrmw fadd %{{.*}} : !llvm.ptr<1>, bf16
func.func @kinds(%a: !tile.view<add_into, i64>, %b: !tile.view<min_into, i32>, %c: !tile.view<max_into, ui32>, %d: !tile.view<and_into, ui64>,
                 %e: !tile.view<or_into, i32>, %f: !tile.view<add_into, bf16>, %v: i64, %w: i32, %x: ui32, %y: ui64, %z: bf16) {
  tile.accumulate %v, %a[] : i64, <add_into, i64>
  tile.accumulate %w, %b[] : i32, <min_into, i32>
  tile.accumulate %x, %c[] : ui32, <max_into, ui32>
  tile.accumulate %y, %d[] : ui64, <and_into, ui64>
  tile.accumulate %w, %e[] : i32, <or_into, i32>
  tile.accumulate %z, %f[] : bf16, <add_into, bf16>
  return
}

// -----

// A histogram: positions outside are dropped.
// CHECK-LABEL: llvm.func @tegula_at(
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.atomicrmw add
func.func @at(%into: !tile.view<add_into, 64xi32>, %p: !tile.view<in, 64xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %positions = tile.load %p[%i] {inside} : <in, 64xi32> -> tensor<64xi32>
  %ones = tile.constant dense<1> : tensor<64xi32>
  tile.accumulate_at %ones, %into[] by %positions axis 0 : tensor<64xi32>, <add_into, 64xi32>, tensor<64xi32>
  return
}

// Combining into a tensor: one atomic operation an element, which orders nothing else.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tegula_program_add(
// CHECK: scf.if
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic {alignment = 4 : i64} : !llvm.ptr, f32
// CHECK: } else {
// CHECK: scf.if
// CHECK-NEXT: llvm.atomicrmw fadd
func.func @add(%into: !tile.view<add_into, 8x8xf32>, %x: f32, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<8x8xf32>
  tile.accumulate %t, %into[%i, %i] : tensor<8x8xf32>, <add_into, 8x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tegula_program_kinds(
// CHECK: llvm.atomicrmw add %{{.*}} : !llvm.ptr, i64
// CHECK: llvm.atomicrmw min %{{.*}} : !llvm.ptr, i32
// CHECK: llvm.atomicrmw umax %{{.*}} : !llvm.ptr, i32
// CHECK: llvm.atomicrmw _and %{{.*}} : !llvm.ptr, i64
// CHECK: llvm.atomicrmw _or %{{.*}} : !llvm.ptr, i32
func.func @kinds(%a: !tile.view<add_into, i64>, %b: !tile.view<min_into, i32>, %c: !tile.view<max_into, ui32>,
                 %d: !tile.view<and_into, ui64>, %e: !tile.view<or_into, i32>, %v: i64, %w: i32, %x: ui32, %y: ui64) {
  tile.accumulate %v, %a[] : i64, <add_into, i64>
  tile.accumulate %w, %b[] : i32, <min_into, i32>
  tile.accumulate %x, %c[] : ui32, <max_into, ui32>
  tile.accumulate %y, %d[] : ui64, <and_into, ui64>
  tile.accumulate %w, %e[] : i32, <or_into, i32>
  return
}

// -----

// Half precision: added in f32, and tried again if somebody else came first.
// CHECK-LABEL: func.func @tegula_program_half(
// CHECK: %[[FIRST:.*]] = llvm.load %[[AT:.*]] atomic monotonic {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: scf.while (%[[OLD:.*]] = %[[FIRST]]) : (i16) -> i16
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[SWAP:.*]] = llvm.cmpxchg %[[AT]], %[[OLD]], %{{.*}} monotonic monotonic
// CHECK: %[[FOUND:.*]] = llvm.extractvalue %[[SWAP]][0]
// CHECK: scf.condition(%{{.*}}) %[[FOUND]]
func.func @half(%into: !tile.view<add_into, bf16>, %x: bf16) {
  tile.accumulate %x, %into[] : bf16, <add_into, bf16>
  return
}

// -----

// A histogram: positions outside are dropped.
// CHECK-LABEL: func.func @tegula_program_at(
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: llvm.atomicrmw add
func.func @at(%into: !tile.view<add_into, 64xi32>, %p: !tile.view<in, 16xi32>, %i: i64) {
  %positions = tile.load %p[%i] : <in, 16xi32> -> tensor<16xi32>
  %ones = tile.constant dense<1> : tensor<16xi32>
  tile.accumulate_at %ones, %into[] by %positions axis 0 : tensor<16xi32>, <add_into, 64xi32>, tensor<16xi32>
  return
}

// Claims that are checked are reported: the first element of a box and its extents, cut to the tensor.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tegula_program_unchecked(
// CHECK-NOT: cpu.claimed
// CHECK-NOT: llvm.call
// CHECK: return
func.func @unchecked(%c: i1, %out: !tile.view<outs, 4x8xf32>, %i: i64) {
  tile.expect %c, "checked by the host"
  tile.claim %out[%i, %i] : <outs, 4x8xf32>
  return
}

// -----

// CHECK: #[[AT:.*]] = loc("kernel.cpp":12:3)
// CHECK: llvm.func @tegula_cpu_claim(!llvm.ptr, i64, i64, i64, !llvm.ptr)
// CHECK-LABEL: func.func @tegula_program_checked(
// CHECK-SAME: %[[PROGRAM:[^ ]*]]: i64, %{{[^ ]*}}: i64, %[[CONTEXT:[^ ]*]]: !llvm.ptr
// CHECK-SAME: cpu.claimed = array<i64: 1>
// CHECK-SAME: cpu.sites = [{kind = 3 : i64, location = #[[AT]], text = "", values = []}]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: %[[FIRST:.*]] = arith.muli
// CHECK: %[[ROOM:.*]] = arith.select
// CHECK: llvm.store %[[FIRST]], %[[BOX:.*]] {alignment = 8 : i64}
// CHECK: llvm.store %[[ROOM]]
// CHECK: llvm.call @tegula_cpu_claim(%[[CONTEXT]], %[[ZERO]], %[[PROGRAM]], %[[ONE]], %[[BOX]])
func.func @checked(%n: i64, %out: !tile.view<outs, 4xf32>, %i: i64) {
  tile.claim %out[%i] {check} : <outs, 4xf32> loc("kernel.cpp":12:3)
  return
}

// -----

// A scatter claims a box for each position.
// CHECK-LABEL: func.func @tegula_program_scatter(
// CHECK-SAME: cpu.claimed = array<i64: 0>
// CHECK: scf.for
// CHECK: llvm.call @tegula_cpu_claim
// CHECK: llvm.store %{{.*}} : vector
func.func @scatter(%patch: !tile.view<patch, 1x64xf32> {cpu.strides = array<i64: -1, 1>}, %index: !tile.view<in, 16xi32>, %i: i64) {
  %p = tile.load %index[%i] : <in, 16xi32> -> tensor<16xi32>
  %x = tile.constant dense<1.0> : tensor<16x64xf32>
  tile.scatter %x, %patch[%i] by %p axis 0 {check} : tensor<16x64xf32>, <patch, 1x64xf32>, tensor<16xi32>
  return
}

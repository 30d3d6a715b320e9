// Loops over tiles: lanes along the last axis that has some, as many as the widest element in a chain allows, and two versions at edges.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// The axis of lanes is stepped through by vectors, the others one by one. An axis of one element needs no loop.
// CHECK-LABEL: func.func @tegula_program_axes(
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i64
// CHECK-DAG: %[[LANES:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[EXTENT:.*]] = arith.constant 32 : i64
// CHECK: scf.for %{{.*}} to %[[FOUR]] step %[[ONE]]
// CHECK-NEXT: scf.for %{{.*}} to %[[EXTENT]] step %[[LANES]]
// CHECK-NOT: scf.for
// CHECK: llvm.store %{{.*}} : vector<16xf32>
// CHECK: } else {
func.func @axes(%x: f32, %out: !tile.view<out, 4x1x32x1xf32> {cpu.strides = array<i64: -1, -1, 1, -1>}, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<4x1x32x1xf32>
  tile.store %t, %out[%i, %i, %i, %i] : tensor<4x1x32x1xf32>, <out, 4x1x32x1xf32>
  return
}

// -----

// A short axis has short vectors.
// CHECK-LABEL: func.func @tegula_program_short(
// CHECK-NOT: vector<16xf32>
// CHECK: llvm.store %{{.*}} : vector<2xf32>
func.func @short(%x: f32, %out: !tile.view<out, 8x2xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<8x2xf32>
  tile.store %t, %out[%i, %i] : tensor<8x2xf32>, <out, 8x2xf32>
  return
}

// -----

// The widest element in the chain decides: 8 lanes, though the bytes stored would allow 64.
// CHECK-LABEL: func.func @tegula_program_mixed(
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf64>
// CHECK: llvm.store %{{.*}} : vector<8xi8>
func.func @mixed(%in: !tile.view<in, 64xf64> {cpu.strides = array<i64: 1>},
                 %out: !tile.view<out, 64xi8> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf64> -> tensor<64xf64>
  %r = tile.cast %x : tensor<64xf64> -> tensor<64xi8>
  tile.store %r, %out[%i] : tensor<64xi8>, <out, 64xi8>
  return
}

// -----

// Two tensors: one condition covers both, and there are two versions, not four.
// CHECK-LABEL: func.func @tegula_program_two_windows(
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK-COUNT-2: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-NOT: scf.if
// CHECK: return
func.func @two_windows(%a: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %b: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                       %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64, %j: i64) {
  %x = tile.load %a[%i] : <in, 64xf32> -> tensor<64xf32>
  %y = tile.load %b[%j] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.add %x, %y : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Into scratch memory against the grain of the tensor: squares of vectors, transposed by shuffles.
// CHECK-LABEL: func.func @tegula_program_transposed(
// CHECK: scf.if
// CHECK-COUNT-8: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf64>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: llvm.store %{{.*}} : vector<8xf64>
// CHECK-NOT: gather
// CHECK-NOT: scatter
// CHECK: } else {
// CHECK-COUNT-8: llvm.intr.masked.load
// CHECK: tegula_cpu_sort
func.func @transposed(%in: !tile.view<in, 16x16xf64> {cpu.strides = array<i64: 1, -1>},
                      %out: !tile.view<out, 16x16xi32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 16x16xf64> -> tensor<16x16xf64>
  %v, %n = tile.sort %x axis 1 : tensor<16x16xf64> -> tensor<16x16xf64>, tensor<16x16xi32>
  tile.store %n, %out[%i, %i] : tensor<16x16xi32>, <out, 16x16xi32>
  return
}

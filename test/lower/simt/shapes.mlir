// Tiles made of other tiles' elements.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Renaming elements moves nothing: a column of a reduction, repeated along rows, is the same register again.
// CHECK-LABEL: llvm.func @tegula_repeat(
// CHECK: %[[MAX:.*]] = arith.maximumf
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c8_i32
// CHECK: %[[ROW:.*]] = arith.maximumf
// CHECK-NOT: nvvm.
// CHECK-COUNT-4: arith.subf %{{.*}}, %[[ROW]] : f32
func.func @repeat(%in: !tile.view<in, 4x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 4x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 4x64xf32> -> tensor<4x64xf32>
  %m = tile.reduce max %x axis 1 : tensor<4x64xf32> -> tensor<4x1xf32>
  %b = tile.broadcast %m : tensor<4x1xf32> -> tensor<4x64xf32>
  %d = tile.sub %x, %b : tensor<4x64xf32>
  tile.store %d, %out[%i, %i] {inside} : tensor<4x64xf32>, <out, 4x64xf32>
  return
}

// -----

// Indices are computed from the thread's number: four neighbours from 4·thread on.
// CHECK-LABEL: llvm.func @tegula_iota(
// CHECK-DAG: %[[LANE:.*]] = arith.andi %{{.*}}, %c31_i32 : i32
// CHECK-DAG: %[[PART:.*]] = arith.muli %[[LANE]], %c4_i32 : i32
// CHECK: %[[FIRST:.*]] = arith.addi %[[PART]], %{{.*}} : i32
// CHECK: arith.addi %[[FIRST]], %c1_i32 : i32
// CHECK: arith.addi %[[FIRST]], %c2_i32 : i32
// CHECK: arith.addi %[[FIRST]], %c3_i32 : i32
func.func @iota(%out: !tile.view<out, 256xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.iota axis 0 : tensor<256xi32>
  tile.store %x, %out[%i] {inside} : tensor<256xi32>, <out, 256xi32>
  return
}

// -----

// A piece at an index that is only known at run time: held inside, then read from shared memory. An assertion before it says whether
// it was outside, if the prover has found that necessary.
// CHECK-LABEL: llvm.func @tegula_extract(
// CHECK-SAME: simt.sites = []
// CHECK: arith.minui
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
func.func @extract(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64, %k: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %y = tile.extract %x[%k] : tensor<256xf32> -> tensor<64xf32>
  tile.store %y, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// A constant index is inside. The tile is written, then the piece over it.
// CHECK-LABEL: llvm.func @tegula_insert(
// CHECK-SAME: simt.sites = []
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
func.func @insert(%in: !tile.view<in, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 64xf32> -> tensor<64xf32>
  %zero = tile.constant dense<0.0> : tensor<256xf32>
  %two = tile.constant 2 : i64
  %y = tile.insert %x into %zero[%two] : tensor<64xf32> -> tensor<256xf32>
  tile.store %y, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

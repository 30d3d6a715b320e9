// Sorting: a bitonic network over bits of the index, which are bits of a register's, a lane's or a warp's number.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// 128 elements: one register bit, five lane bits, one warp bit. Keys and indices are exchanged together: 20 exchanges between
// lanes by shuffles (of two registers, key and index), one between warps through shared memory.
// CHECK-LABEL: llvm.func @tegula_network(
// CHECK-COUNT-60: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-COUNT-20: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// The values, fetched by their indices in the end.
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
func.func @network(%in: !tile.view<in, 128xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 128xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 128xf32> -> tensor<128xf32>
  %v, %n = tile.sort %x axis 0 : tensor<128xf32> -> tensor<128xf32>, tensor<128xi32>
  tile.store %v, %out[%i] {inside} : tensor<128xf32>, <out, 128xf32>
  return
}

// -----

// Floats are compared as integers in the same order: NaN last, both zeros equal.
// CHECK-LABEL: llvm.func @tegula_keys(
// CHECK-DAG: %[[INFINITY:.*]] = arith.constant 2139095040 : i32
// CHECK-DAG: %[[SIGN:.*]] = arith.constant -2147483648 : i32
// CHECK: arith.cmpi ugt, %{{.*}}, %[[INFINITY]] : i32
// CHECK: arith.ori %{{.*}}, %[[SIGN]] : i32
// CHECK: arith.cmpi ult
func.func @keys(%in: !tile.view<in, 32xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 32xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 32xf32> -> tensor<32xf32>
  %v, %n = tile.sort %x axis 0 : tensor<32xf32> -> tensor<32xf32>, tensor<32xi32>
  tile.store %v, %out[%i] {inside} : tensor<32xf32>, <out, 32xf32>
  return
}

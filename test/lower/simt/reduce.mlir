// Reductions: in a thread, across lanes by shuffles, across warps through shared memory.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Rows that lie in a warp: neighbours first, then lanes by halves; shared memory is not needed.
// CHECK-LABEL: llvm.func @tegula_rows(
// CHECK-SAME: simt.shared_bytes = 0 : i64
// CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i32
// CHECK-COUNT-3: arith.addf
// CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %c1_i32, %c31_i32
// CHECK: arith.addf
// CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %c2_i32, %c31_i32
// CHECK: arith.addf
// CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %c4_i32, %c31_i32
// CHECK: arith.addf
// CHECK: nvvm.shfl.sync bfly %[[ALL]], %{{.*}}, %c8_i32, %c31_i32
// CHECK: arith.addf
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @rows(%in: !tile.view<in, 4x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 4x1xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 4x64xf32> -> tensor<4x64xf32>
  %s = tile.reduce sum %x axis 1 : tensor<4x64xf32> -> tensor<4x1xf32>
  tile.store %s, %out[%i, %i] {inside} : tensor<4x1xf32>, <out, 4x1xf32>
  return
}

// -----

// Columns that cross warps: of the lanes with the same sum one leaves it, then every thread adds the parts it needs.
// CHECK-LABEL: llvm.func @tegula_columns(
// CHECK-SAME: simt.shared_bytes = 512 : i64
// CHECK-COUNT-4: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c16_i32, %c31_i32
// CHECK: scf.if
// CHECK-COUNT-4: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: }
// CHECK-NEXT: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK: arith.addf
func.func @columns(%in: !tile.view<in, 4x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 1x64xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 4x64xf32> -> tensor<4x64xf32>
  %s = tile.reduce sum %x axis 0 : tensor<4x64xf32> -> tensor<1x64xf32>
  tile.store %s, %out[%i, %i] {inside} : tensor<1x64xf32>, <out, 1x64xf32>
  return
}

// -----

// bf16 is summed in f32.
// CHECK-LABEL: llvm.func @tegula_wide(
// CHECK: arith.addf %{{.*}} : f32
// CHECK: nvvm.shfl.sync
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @wide(%in: !tile.view<in, 64xbf16>, %out: !tile.view<out, 1xbf16>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xbf16> -> tensor<64xbf16>
  %s = tile.reduce sum %x axis 0 : tensor<64xbf16> -> tensor<1xbf16>
  tile.store %s, %out[%i] : tensor<1xbf16>, <out, 1xbf16>
  return
}

// -----

// 64 bits go from lane to lane in two halves.
// CHECK-LABEL: llvm.func @tegula_halves(
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c1_i32
// CHECK: nvvm.shfl.sync bfly %{{.*}}, %{{.*}}, %c1_i32
// CHECK: arith.addf %{{.*}} : f64
func.func @halves(%in: !tile.view<in, 32xf64>, %out: !tile.view<out, 1xf64>, %i: i64) {
  %x = tile.load %in[%i] : <in, 32xf64> -> tensor<32xf64>
  %s = tile.reduce sum %x axis 0 : tensor<32xf64> -> tensor<1xf64>
  tile.store %s, %out[%i] : tensor<1xf64>, <out, 1xf64>
  return
}

// -----

// A combiner of one's own keeps the order: of two lanes the earlier one's value is the first argument on both sides.
// CHECK-LABEL: llvm.func @tegula_in_order(
// CHECK: %[[LATER:.*]] = arith.cmpi ne
// CHECK: %[[OTHER:.*]] = nvvm.shfl.sync bfly
// CHECK: arith.select %[[LATER]]
// CHECK: arith.select %[[LATER]]
// CHECK: arith.subi
func.func @in_order(%in: !tile.view<in, 32xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 1xi32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 32xi32> -> tensor<32xi32>
  %s = tile.reduce_by %x axis 0 : tensor<32xi32> -> tensor<1xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = tile.sub %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %s, %out[%i] {inside} : tensor<1xi32>, <out, 1xi32>
  return
}

// -----

// The place of the largest: values and indices travel together; of equal ones the first wins.
// CHECK-LABEL: llvm.func @tegula_argmax(
// CHECK: nvvm.shfl.sync bfly
// CHECK: nvvm.shfl.sync bfly
// CHECK: arith.cmpi slt
// CHECK: llvm.store %{{.*}} : i32, !llvm.ptr<1>
func.func @argmax(%in: !tile.view<in, 32xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 1xi32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 32xf32> -> tensor<32xf32>
  %s = tile.arg_reduce max %x axis 0 : tensor<32xf32> -> tensor<1xi32>
  tile.store %s, %out[%i] {inside} : tensor<1xi32>, <out, 1xi32>
  return
}

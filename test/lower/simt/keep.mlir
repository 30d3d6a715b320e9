// Which tiles stay in shared memory from one use to the next: those with many registers to a thread and several uses.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-keep | FileCheck %s
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-keep --tile-simt-layouts --tile-simt-lower | FileCheck %s --check-prefix=THREAD

// Each use reads the tile and computes from it what it needs.
// CHECK-LABEL: func.func @several_uses(
// CHECK: %[[FIRST:.*]] = tile.load %arg0{{.*}}simt.kept = 0
// CHECK: %[[WIDE:.*]] = tile.cast %[[FIRST]]
// CHECK: tile.reduce max %[[WIDE]]
// CHECK: tile.broadcast
// CHECK: %[[SECOND:.*]] = tile.load %arg0{{.*}}simt.kept = 0
// CHECK: %[[WIDE_AGAIN:.*]] = tile.cast %[[SECOND]]
// CHECK: %[[LESS:.*]] = tile.sub %[[WIDE_AGAIN]]
// CHECK: tile.store %[[LESS]]
// It is copied once, and read after each barrier. Registers are found for as many programs as shared memory has room for.
// THREAD-LABEL: llvm.func @tegula_several_uses(
// THREAD-SAME: nvvm.minctasm = 16 : i32
// THREAD-COUNT-8: "cp.async.cg.shared.global
// THREAD-NOT: "cp.async.cg.shared.global
// THREAD: cp.async.wait_group 0;
// THREAD-NEXT: nvvm.barrier
// THREAD-COUNT-64: llvm.load {{.*}} : !llvm.ptr<3> -> i16
// THREAD: nvvm.barrier
// THREAD-COUNT-64: llvm.load {{.*}} : !llvm.ptr<3> -> i16
func.func @several_uses(%x: !tile.view<in, 1x4096xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x4096xbf16> -> tensor<1x4096xbf16>
  %w = tile.cast %t : tensor<1x4096xbf16> -> tensor<1x4096xf32>
  %m = tile.reduce max %w axis 1 : tensor<1x4096xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x4096xf32>
  %d = tile.sub %w, %b : tensor<1x4096xf32>
  tile.store %d, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}

// -----

// What is used once, or is small, stays in registers.
// CHECK-LABEL: func.func @one_use(
// CHECK-NOT: simt.kept
// CHECK-LABEL: func.func @small(
// CHECK-NOT: simt.kept
// CHECK-LABEL: func.func @padded(
// CHECK-NOT: simt.kept
// CHECK-LABEL: func.func @not_aligned(
// CHECK-NOT: simt.kept
// CHECK-LABEL: func.func @any_element(
// CHECK-NOT: simt.kept
// CHECK-LABEL: func.func @needed_at_once(
// CHECK-NOT: simt.kept
func.func @one_use(%x: !tile.view<in, 1x4096xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x4096xf32> -> tensor<1x4096xf32>
  %n = tile.neg %t : tensor<1x4096xf32>
  tile.store %n, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}
func.func @small(%x: !tile.view<in, 1x2048xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x2048xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x2048xf32> -> tensor<1x2048xf32>
  tile.store %t, %y[%i, %j] : tensor<1x2048xf32>, <out, 1x2048xf32>
  tile.store %t, %y[%j, %i] : tensor<1x2048xf32>, <out, 1x2048xf32>
  return
}
// A copy to shared memory pads with 0 only, and not with -0.
func.func @padded(%x: !tile.view<in, 1x4096xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %pad = tile.constant -0.0 : f32
  %t = tile.load %x[%i, %j] pad %pad : f32 {inside} : <in, 1x4096xf32> -> tensor<1x4096xf32>
  tile.store %t, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  tile.store %t, %y[%j, %i] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}
func.func @not_aligned(%x: !tile.view<in, 1x4096xf32> {simt.strides = array<i64: -1, 1>, simt.whole}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x4096xf32> -> tensor<1x4096xf32>
  tile.store %t, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  tile.store %t, %y[%j, %i] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}
// What starts at any element starts at any address.
func.func @any_element(%x: !tile.view<in, 1x4096xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {elements, inside} : <in, 1x4096xf32> -> tensor<1x4096xf32>
  tile.store %t, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  tile.store %t, %y[%j, %i] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}
// A scan has all of a tile in registers.
func.func @needed_at_once(%x: !tile.view<in, 1x4096xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x4096xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x4096xf32> -> tensor<1x4096xf32>
  %s = tile.scan sum %t axis 1 : tensor<1x4096xf32>
  tile.store %t, %y[%i, %j] : tensor<1x4096xf32>, <out, 1x4096xf32>
  tile.store %s, %y[%j, %i] : tensor<1x4096xf32>, <out, 1x4096xf32>
  return
}

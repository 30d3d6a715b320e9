// Scans: each thread its run, then lanes, then warps.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_running(
// CHECK-SAME: simt.shared_bytes = 16 : i64
// The thread's own run of four.
// CHECK-COUNT-3: arith.addf
// What the lanes before hold, 1, 2, 4, 8 and 16 away; once more by 1 for what comes before the lane's run.
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c1_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c2_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c4_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c8_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c16_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c1_i32, %c0_i32
// The last lane of each warp leaves the warp's total.
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
func.func @running(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %s = tile.scan sum %x axis 0 : tensor<256xf32>
  tile.store %s, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// From the end: lanes after this one.
// CHECK-LABEL: llvm.func @tegula_reverse(
// CHECK-NOT: nvvm.shfl.sync up
// CHECK: nvvm.shfl.sync down %{{.*}}, %{{.*}}, %c1_i32, %c31_i32
// CHECK-NOT: nvvm.shfl.sync up
// CHECK: llvm.return
func.func @reverse(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %s = tile.scan sum %x axis 0 reverse : tensor<256xf32>
  tile.store %s, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// Along an axis of four elements: two lane bits, no shared memory.
// CHECK-LABEL: llvm.func @tegula_short(
// CHECK-SAME: simt.shared_bytes = 0 : i64
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c1_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c2_i32, %c0_i32
// CHECK: nvvm.shfl.sync up %{{.*}}, %{{.*}}, %c1_i32, %c0_i32
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.return
func.func @short(%x: f32, %out: !tile.view<out, 8x4xf32>, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<8x4xf32>
  %s = tile.scan sum %t axis 1 : tensor<8x4xf32>
  tile.store %s, %out[%i, %i] {inside} : tensor<8x4xf32>, <out, 8x4xf32>
  return
}

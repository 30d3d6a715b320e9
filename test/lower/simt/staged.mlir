// Loads that run ahead of their loop by cp.async: threads copy 16 bytes each into slots of shared memory that take turns.
// RUN: tegula-opt %s --tile-simt-target=warps=4 --tile-simt-stage --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Two slots of 64 + 16 KiB: one is filled before the loop, the other in each turn while the first is read.
// CHECK-LABEL: llvm.func @tegula_product(
// CHECK-SAME: simt.shared_bytes = 163840 : i64
// Rows outside are copied with 0 bytes, which fills them with zeros.
// CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c16_i32, %c0_i32 : i32
// CHECK: llvm.inline_asm has_side_effects "cp.async.cg.shared.global [$0], [$1], 16, $2;"{{.*}} %[[BYTES]]
// CHECK: "cp.async.commit_group;"
// CHECK: scf.for
// All but the newest group have arrived, for everybody; and nobody reads the slot that is filled next.
// CHECK: "cp.async.wait_group 0;"
// CHECK-NEXT: nvvm.barrier
// CHECK: scf.if
// CHECK: "cp.async.cg.shared.global
// CHECK: "cp.async.commit_group;"
// CHECK: "ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK: mma.sync
// CHECK: scf.yield
func.func @product(%a: !tile.view<in, 512x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 64x128xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole},
                   %out: !tile.view<out, 512x128xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<512x128xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<512x128xf32>) : i64 {
    %x = tile.load %a[%i, %k] {inside} : <in, 512x64xbf16> -> tensor<512x64xbf16>
    %y = tile.load %b[%k, %i] {inside} : <in, 64x128xbf16> -> tensor<64x128xbf16>
    %s = tile.mma %x, %y, %acc : tensor<512x64xbf16>, tensor<64x128xbf16> -> tensor<512x128xf32>
    scf.yield %s : tensor<512x128xf32>
  }
  tile.store %r, %out[%i, %i] {inside} : tensor<512x128xf32>, <out, 512x128xf32>
  return
}

// Loads that run ahead of their loop by TMA, Hopper's unit for copies: one thread asks for whole tiles, and all wait at a barrier in shared
// memory that counts the bytes.
// RUN: tegula-opt %s --tile-simt-target=warps=4 --tile-simt-stage --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// A map of each tensor, 128 bytes that the host fills in, is the last parameter.
// CHECK-LABEL: llvm.func @tegula_product(
// CHECK-SAME: %[[A:[^ ]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %[[B:[^ ]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// CHECK-SAME: simt.maps = [{box = array<i64: 64, 32>, bytes = 2 : i64, order = array<i64: 0, 1>, swizzle = 64 : i64, word = 0 : i64}, {box = array<i64: 32, 64>, bytes = 2 : i64, order = array<i64: 0, 1>, swizzle = 128 : i64, word = 5 : i64}]
// Three slots of 4 + 4 KiB, three barriers, and room up to the next line.
// CHECK-SAME: simt.shared_bytes = 24704 : i64
// What threads wrote there before is over for the engine, too.
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK: scf.if
// CHECK-COUNT-3: "mbarrier.init.shared::cta.b64 [$0], $1;"
// CHECK: "fence.mbarrier_init.release.cluster;"
// CHECK: nvvm.barrier
// One thread announces the bytes and asks for both tiles.
// CHECK: "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;"{{.*}} %c8192_i32
// CHECK: "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];"{{.*}} %[[A]]
// CHECK: "cp.async.bulk.tensor.2d{{.*}} %[[B]]
// CHECK: scf.for
// Nobody reads the slot that is filled next; then all wait for the tiles of this turn.
// CHECK: nvvm.barrier
// CHECK: scf.if
// CHECK: "mbarrier.arrive.expect_tx
// CHECK: scf.while
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: ldmatrix
// CHECK: mma.sync
// CHECK: nvvm.barrier
// CHECK-COUNT-3: "mbarrier.inval.shared::cta.b64 [$0];"
func.func @product(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                   %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.whole}, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %out[%i, %i] {inside} : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

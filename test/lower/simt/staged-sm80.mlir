// Without TMA threads copy by cp.async what TMA would fetch, and no thread waits for a barrier in shared memory. Before Hopper no
// program waits for the kernels before it either.
// RUN: tegula-opt %s --tile-simt-target="gpu=sm_80 warps=4" --tile-simt-stage --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: tegula-opt %s --tile-simt-target="gpu=sm_80 warps=1 stages=2" --tile-simt-stage --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ONE

// CHECK-LABEL: llvm.func @tegula_product(
// CHECK-NOT: mbarrier
// CHECK-NOT: cp.async.bulk
// CHECK-NOT: griddepcontrol
// FOUR-SAME: nvvm.maxntid = array<i32: 128>
// FOUR-SAME: simt.shared_bytes = 24576 : i64
// ONE-SAME: nvvm.maxntid = array<i32: 32>
// ONE-SAME: simt.shared_bytes = 16384 : i64
// CHECK: "cp.async.cg.shared.global
// CHECK: "cp.async.commit_group;"
// CHECK: scf.for
// FOUR: "cp.async.wait_group 1;"
// ONE: "cp.async.wait_group 0;"
// CHECK: "cp.async.cg.shared.global
// CHECK: "ldmatrix.sync.aligned
// CHECK: mma.sync
// CHECK-NOT: mbarrier
// CHECK-NOT: wgmma
// CHECK: llvm.return
func.func @product(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole},
                   %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64, %n: i64) {
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

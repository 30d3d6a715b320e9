// Stores by TMA, Hopper's unit for copies: threads put their elements into shared memory, one thread asks for the tile to be stored, and
// nobody uses that memory again before it has been read.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-stage --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_product(
// CHECK-SAME: %[[OUT:[^ ]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
// Two boxes of 64 rows of 128 bytes.
// CHECK-SAME: simt.maps = [{box = array<i64: 64, 32>, bytes = 4 : i64, order = array<i64: 0, 1>, swizzle = 128 : i64, word = 10 : i64}]
// CHECK-SAME: simt.shared_bytes = 16384 : i64
// CHECK: mma.sync
// CHECK-NOT: scf.if
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK-NEXT: nvvm.barrier
// CHECK: scf.if
// CHECK-NOT: wait_group
// CHECK-COUNT-2: "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$2, $3}], [$0];"{{.*}} %[[OUT]]
// CHECK-NEXT: "cp.async.bulk.commit_group;"
// CHECK-NEXT: {{^ *[}]}}
// No mask, and no store by a thread. The program ends when the engine has read.
// CHECK-NOT: !llvm.ptr<1>
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK: llvm.return
func.func @product(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// What uses shared memory after the store waits first.
// CHECK-LABEL: llvm.func @tegula_then_reduce(
// CHECK: "cp.async.bulk.commit_group;"
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK: llvm.return
func.func @then_reduce(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned},
                       %sum: !tile.view<out, 1x1xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  %c = tile.reduce sum %r axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  %s = tile.reduce sum %c axis 0 : tensor<64x1xf32> -> tensor<1x1xf32>
  tile.store %s, %sum[%i, %i] : tensor<1x1xf32>, <out, 1x1xf32>
  return
}

// -----

// Store by store in a loop: the tile lies beyond the ring of the loads (3 · 8 KiB and barriers), which are under way while it is read.
// It is waited for only where the next one is written; and tiles that might go to the same place go one after the other.
// CHECK-LABEL: llvm.func @tegula_tiles(
// CHECK-SAME: simt.shared_bytes = 43008 : i64
// CHECK: scf.for
// CHECK-NOT: bulk.wait_group
// CHECK: scf.for
// CHECK: mma.sync
// CHECK: mbarrier.inval
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: nvvm.barrier
// CHECK: llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK-NEXT: nvvm.barrier
// CHECK-NEXT: scf.if
// CHECK: "cp.async.bulk.wait_group 0;"
// CHECK: "cp.async.bulk.tensor.2d.global
// CHECK: "cp.async.bulk.commit_group;"
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK: llvm.return
func.func @tiles(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                 %out: !tile.view<outs, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  scf.for %i = %first to %n step %step : i64 {
    %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
      %x = tile.load %a[%i, %k] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
      %y = tile.load %b[%k, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
      %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
      scf.yield %s : tensor<64x64xf32>
    }
    tile.store %r, %out[%i, %i] {inside} : tensor<64x64xf32>, <outs, 64x64xf32>
  }
  return
}

// -----

// Tiles of which the prover found that each is written once: they may all be under way.
// CHECK-LABEL: llvm.func @tegula_fresh(
// CHECK: scf.for
// CHECK-NOT: "cp.async.bulk.wait_group 0;"
// CHECK: "cp.async.bulk.commit_group;"
// CHECK-NOT: "cp.async.bulk.wait_group 0;"
// CHECK: llvm.return
func.func @fresh(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<outs, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %x = tile.load %a[%first, %first] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%first, %first] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  scf.for %i = %first to %n step %step : i64 {
    tile.store %r, %out[%i, %i] {inside, fresh} : tensor<64x64xf32>, <outs, 64x64xf32>
  }
  return
}

// -----

// What else writes the tensor keeps the engine away: it does not see what threads do.
// CHECK-LABEL: llvm.func @tegula_and_by_threads(
// CHECK-NOT: cp.async.bulk
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK-NOT: cp.async.bulk
// CHECK: llvm.return
func.func @and_by_threads(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %p: !tile.view<distinct, 64xi32>, %out: !tile.view<patch, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64) {
  %none = tile.constant -1 : i32
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load %a[%i, %i] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 64xi32> -> tensor<64xi32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <patch, 64x64xf32>
  tile.scatter %zero, %out[%i] by %at axis 0 : tensor<64x64xf32>, <patch, 64x64xf32>, tensor<64xi32>
  return
}

// -----

// A store that may not happen: what follows waits in case that it did.
// CHECK-LABEL: llvm.func @tegula_maybe(
// CHECK: scf.if %{{.*}} {
// CHECK: "cp.async.bulk.commit_group;"
// CHECK: "cp.async.bulk.wait_group.read 0;"
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: nvvm.barrier
// CHECK: llvm.return
func.func @maybe(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<patch, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned},
                 %sum: !tile.view<out, 1x1xf32>, %i: i64, %c: i1) {
  %x = tile.load %a[%i, %i] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  scf.if %c {
    tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <patch, 64x64xf32>
  }
  %p = tile.reduce sum %r axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  %s = tile.reduce sum %p axis 0 : tensor<64x1xf32> -> tensor<1x1xf32>
  tile.store %s, %sum[%i, %i] : tensor<1x1xf32>, <out, 1x1xf32>
  return
}

// -----

// A tile that stays in shared memory is not overwritten: the store's lies after its 16 KiB.
// CHECK-LABEL: llvm.func @tegula_beside_kept(
// CHECK-SAME: simt.shared_bytes = 32768 : i64
// CHECK: %[[TO:.*]] = llvm.getelementptr %{{.*}}[16384] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
// CHECK: "fence.proxy.async.shared::cta;"
// CHECK: llvm.ptrtoint %[[TO]]
// CHECK: "cp.async.bulk.tensor.2d.global
func.func @beside_kept(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %bias: !tile.view<in, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole},
                       %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64) {
  %k = tile.load %bias[%i, %i] {inside, simt.kept = 0 : i64} : <in, 64x64xf32> -> tensor<64x64xf32>
  %x = tile.load %a[%i, %i] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %r = tile.mma %x, %y, %k : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

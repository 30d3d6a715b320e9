// Writes of a program to one tensor: where another thread may have written the element before, a barrier stands between.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_fill_then_scatter(
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @fill_then_scatter(%x: f32, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
  tile.store %t, %out[%i] : tensor<256xf32>, <patch, 256xf32>
  tile.scatter %t, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_scatter_then_fill(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: llvm.return
func.func @scatter_then_fill(%x: f32, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
  tile.scatter %t, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  tile.store %t, %out[%i] : tensor<256xf32>, <patch, 256xf32>
  return
}

// -----

// What the prover found to be written for the first time waits for nothing; nor do writes to different tensors.
// CHECK-LABEL: llvm.func @tegula_fresh(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @fresh(%x: f32, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %other: !tile.view<patch, 256xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
  tile.scatter %t, %out[] by %at axis 0 {fresh} : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  tile.store %t, %out[%i] {fresh} : tensor<256xf32>, <patch, 256xf32>
  tile.store %t, %other[%i] : tensor<256xf32>, <patch, 256xf32>
  return
}

// -----

// Turn by turn: the barrier stands in the loop.
// CHECK-LABEL: llvm.func @tegula_scatters(
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: scf.for
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @scatters(%x: f32, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %fresh: !tile.view<patch, 256xf32>, %n: i64) {
  %none = tile.constant -1 : i32
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  scf.for %i = %zero to %n step %one : i64 {
    %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
    tile.scatter %t, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  }
  scf.for %i = %zero to %n step %one : i64 {
    %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
    tile.scatter %t, %fresh[] by %at axis 0 {fresh} : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  }
  return
}

// -----

// Tiles of one shape and layout: an element is always the same thread's, and of those with copies the first one's.
// CHECK-LABEL: llvm.func @tegula_tiles(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @tiles(%x: f32, %out: !tile.view<outs, 256xf32>, %few: !tile.view<outs, 16xf32>, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  %s = tile.broadcast %x : f32 -> tensor<16xf32>
  scf.for %i = %zero to %n step %one : i64 {
    tile.store %t, %out[%i] : tensor<256xf32>, <outs, 256xf32>
    tile.store %s, %few[%i] : tensor<16xf32>, <outs, 16xf32>
  }
  tile.store %t, %out[%zero] : tensor<256xf32>, <outs, 256xf32>
  tile.store %s, %few[%zero] : tensor<16xf32>, <outs, 16xf32>
  return
}

// -----

// A tile and pieces of it; and pieces of one size but two shapes, which may well have one layout.
// CHECK-LABEL: llvm.func @tegula_pieces(
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: llvm.return
func.func @pieces(%x: f32, %out: !tile.view<outs, 16x16xf32>, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<16x16xf32>
  %r = tile.broadcast %x : f32 -> tensor<8x16xf32>
  %c = tile.broadcast %x : f32 -> tensor<16x8xf32>
  tile.store %t, %out[%i, %i] : tensor<16x16xf32>, <outs, 16x16xf32>
  tile.store %r, %out[%i, %i] {or_padding} : tensor<8x16xf32>, <outs, 16x16xf32>
  tile.store %c, %out[%i, %i] {or_padding} : tensor<16x8xf32>, <outs, 16x16xf32>
  return
}

// -----

// A program stores its own piece once, whole or in pieces that do not overlap.
// CHECK-LABEL: llvm.func @tegula_own_piece(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @own_piece(%x: f32, %out: !tile.view<out, 16x16xf32>, %i: i64) {
  %r = tile.broadcast %x : f32 -> tensor<8x16xf32>
  %c = tile.broadcast %x : f32 -> tensor<8x8xf32>
  tile.store %r, %out[%i, %i] {or_padding} : tensor<8x16xf32>, <out, 16x16xf32>
  tile.store %c, %out[%i, %i] {or_padding} : tensor<8x8xf32>, <out, 16x16xf32>
  return
}

// -----

// What a branch did or did not do: a barrier in it does not count after it, and its write does.
// CHECK-LABEL: llvm.func @tegula_maybe(
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: scf.if %[[CONDITION:[^ ]*]] {
// CHECK: nvvm.barrier
// CHECK: }
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: llvm.return
func.func @maybe(%x: f32, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %i: i64, %c: i1) {
  %none = tile.constant -1 : i32
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
  tile.store %t, %out[%i] : tensor<256xf32>, <patch, 256xf32>
  scf.if %c {
    tile.scatter %t, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  }
  tile.scatter %t, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  return
}

// -----

// A barrier that stands there anyway is enough: that of the scan.
// CHECK-LABEL: llvm.func @tegula_anyway(
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: llvm.return
func.func @anyway(%in: !tile.view<in, 256xf32>, %p: !tile.view<distinct, 256xi32>, %out: !tile.view<patch, 256xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %at = tile.load %p[%i] pad %none : i32 : <distinct, 256xi32> -> tensor<256xi32>
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] : tensor<256xf32>, <patch, 256xf32>
  %y = tile.scan sum %x axis 0 : tensor<256xf32>
  tile.scatter %y, %out[] by %at axis 0 : tensor<256xf32>, <patch, 256xf32>, tensor<256xi32>
  return
}

// -----

// A store waits until all have read, even where copies of its elements are held, and a load for what was stored; the first one for
// nothing.
// CHECK-LABEL: llvm.func @tegula_load_stored(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.store {{.*}} !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} !llvm.ptr<1>
// CHECK: llvm.return
func.func @load_stored(%v: !tile.view<inout, 64xf32>, %out: !tile.view<out, 64xf32>, %i: i64) {
  %x = tile.load %v[%i] {inside} : <inout, 64xf32> -> tensor<64xf32>
  %y = tile.neg %x : tensor<64xf32>
  tile.store %y, %v[%i] {inside} : tensor<64xf32>, <inout, 64xf32>
  %z = tile.load %v[%i] {inside} : <inout, 64xf32> -> tensor<64xf32>
  tile.store %z, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// What a loop carries and stores may have been stored in an earlier turn of a loop around it: its layout is known before it is met.
// CHECK-LABEL: llvm.func @tegula_carried(
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @carried(%x: f32, %c: i1, %out: !tile.view<outs, 256xf32>, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  scf.for %i = %zero to %n step %one : i64 {
    tile.store %t, %out[%i] : tensor<256xf32>, <outs, 256xf32>
    %a = scf.for %j = %zero to %n step %one iter_args(%carried = %t) -> (tensor<256xf32>) : i64 {
      tile.store %carried, %out[%j] : tensor<256xf32>, <outs, 256xf32>
      %next = tile.add %carried, %carried : tensor<256xf32>
      scf.yield %next : tensor<256xf32>
    }
    tile.store %a, %out[%i] : tensor<256xf32>, <outs, 256xf32>
    %b = scf.while (%before = %a) : (tensor<256xf32>) -> tensor<256xf32> {
      tile.store %before, %out[%i] : tensor<256xf32>, <outs, 256xf32>
      scf.condition(%c) %before : tensor<256xf32>
    } do {
    ^bb0(%after: tensor<256xf32>):
      tile.store %after, %out[%i] : tensor<256xf32>, <outs, 256xf32>
      scf.yield %after : tensor<256xf32>
    }
    %d = scf.if %c -> (tensor<256xf32>) {
      scf.yield %b : tensor<256xf32>
    } else {
      scf.yield %a : tensor<256xf32>
    }
    tile.store %d, %out[%i] : tensor<256xf32>, <outs, 256xf32>
  }
  return
}

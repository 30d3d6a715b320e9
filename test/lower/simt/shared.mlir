// Moving a tile from layout to layout through shared memory: write, wait, read; and wait again before the memory is used anew.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=1 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s --check-prefix=ONE

// Columns are written element by element, rows of 16 bytes read at once; these change places within lines of 128 bytes, so that a
// column does not lie in one bank.
// CHECK: llvm.mlir.global external @tegula_shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @tegula_transpose(
// CHECK-SAME: simt.shared_bytes = 4096 : i64
// CHECK: arith.xori
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<3>
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK-NOT: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> f32
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return

// A single warp need not wait for others, only for its own lanes.
// ONE-LABEL: llvm.func @tegula_transpose(
// ONE-NOT: nvvm.barrier
// ONE: llvm.store %{{.*}} !llvm.ptr<3>
// ONE: nvvm.bar.warp.sync
// ONE: llvm.load %{{.*}} : !llvm.ptr<3>
// ONE: llvm.return
func.func @transpose(%in: !tile.view<in, 32x32xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole},
                     %out: !tile.view<out, 32x32xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 32x32xf32> -> tensor<32x32xf32>
  %y = tile.permute %x [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %y, %out[%i, %i] {inside} : tensor<32x32xf32>, <out, 32x32xf32>
  return
}

// -----

// Twice: the second use begins when everybody has read what the first left.
// CHECK-LABEL: llvm.func @tegula_twice(
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @twice(%in: !tile.view<in, 512xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %a: !tile.view<out, 1xf32>, %b: !tile.view<out, 1xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 512xf32> -> tensor<512xf32>
  %s = tile.reduce sum %x axis 0 : tensor<512xf32> -> tensor<1xf32>
  %m = tile.reduce max %x axis 0 : tensor<512xf32> -> tensor<1xf32>
  tile.store %s, %a[%i] {inside} : tensor<1xf32>, <out, 1xf32>
  tile.store %m, %b[%i] {inside} : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// In a loop the last turn may still be read: each turn waits first.
// CHECK-LABEL: llvm.func @tegula_turns(
// CHECK: scf.for
// CHECK: nvvm.barrier
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK: scf.yield
func.func @turns(%in: !tile.view<in, 512xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 1xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<1xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<1xf32>) : i64 {
    %x = tile.load %in[%k] {inside} : <in, 512xf32> -> tensor<512xf32>
    %s = tile.reduce sum %x axis 0 : tensor<512xf32> -> tensor<1xf32>
    %next = tile.add %acc, %s : tensor<1xf32>
    scf.yield %next : tensor<1xf32>
  }
  tile.store %r, %out[%i] {inside} : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// Copies of a small tile: only those who hold an element first write it, everybody reads.
// CHECK-LABEL: llvm.func @tegula_first_copies(
// CHECK: scf.if
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK-NOT: scf.if
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
func.func @first_copies(%in: !tile.view<in, 4x8xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 8x4xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 4x8xf32> -> tensor<4x8xf32>
  %y = tile.scan sum %x axis 0 : tensor<4x8xf32>
  %z = tile.permute %y [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  tile.store %z, %out[%i, %i] {inside} : tensor<8x4xf32>, <out, 8x4xf32>
  return
}

// -----

// A tile that is larger than shared memory is moved part by part: 256 KiB by twice 128.
// CHECK-LABEL: llvm.func @tegula_parts(
// CHECK-SAME: simt.shared_bytes = 131072 : i64
// CHECK-COUNT-3: nvvm.barrier
// CHECK-NOT: nvvm.barrier
// CHECK: llvm.return
func.func @parts(%in: !tile.view<in, 256x128xf64> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 128x256xf64> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 256x128xf64> -> tensor<256x128xf64>
  %y = tile.permute %x [1, 0] : tensor<256x128xf64> -> tensor<128x256xf64>
  tile.store %y, %out[%i, %i] {inside} : tensor<128x256xf64>, <out, 128x256xf64>
  return
}

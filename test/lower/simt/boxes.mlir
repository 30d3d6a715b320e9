// Which tiles TMA stores: those whose threads would write less than lines of memory, where it can and may.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-stage --tile-simt-layouts | FileCheck %s

!out = !tile.view<out, 64x64xf32>

// The result of a product: four lanes have eight elements of a row. It goes as it is.
// CHECK-LABEL: func.func @product(
// CHECK: %[[R:.*]] = tile.mma
// CHECK-NEXT: tile.store %[[R]], %arg2[%arg3, %arg3] {simt.boxed}
func.func @product(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !out {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// Narrow elements, which would have been moved first; and the columns of a tensor.
// CHECK-LABEL: func.func @narrow_columns(
// CHECK: tile.mma
// CHECK-NOT: tile.relayout
// CHECK: tile.store {{.*}} {simt.boxed}
func.func @narrow_columns(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xbf16> {simt.strides = array<i64: 1, -1>, simt.aligned}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  %n = tile.cast %r : tensor<64x64xf32> -> tensor<64x64xbf16>
  tile.store %n, %out[%i, %i] : tensor<64x64xbf16>, <out, 64x64xbf16>
  return
}

// -----

// Tensors that the engine cannot write: rows that do not start at multiples of 16 bytes, no stride of 1, a stride of 0, or too long a
// box; and tensors that somebody else writes or reads.
// CHECK-LABEL: func.func @cannot(
// CHECK-NOT: simt.boxed
// CHECK: return
func.func @cannot(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %far: !tile.view<in, 512x16xbf16>, %wide: !tile.view<in, 16x16xbf16>,
                  %unaligned: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>},
                  %strided: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, -1>, simt.aligned},
                  %repeated: !tile.view<patch, 64x64xf32> {simt.strides = array<i64: 0, 1>, simt.aligned},
                  %long: !tile.view<out, 512x16xf32> {simt.strides = array<i64: -1, 1>, simt.aligned},
                  %twice: !tile.view<outs, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned},
                  %inplace: !tile.view<inout, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64, %j: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %old = tile.load %inplace[%i, %i] : <inout, 64x64xf32> -> tensor<64x64xf32>
  %r = tile.mma %x, %y, %old : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %unaligned[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  tile.store %r, %strided[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  tile.store %r, %repeated[%i, %i] : tensor<64x64xf32>, <patch, 64x64xf32>
  tile.store %r, %twice[%i, %i] : tensor<64x64xf32>, <outs, 64x64xf32>
  tile.store %r, %twice[%j, %i] : tensor<64x64xf32>, <outs, 64x64xf32>
  tile.store %r, %inplace[%i, %i] : tensor<64x64xf32>, <inout, 64x64xf32>
  %p = tile.load %far[%i, %i] : <in, 512x16xbf16> -> tensor<512x16xbf16>
  %q = tile.load %wide[%i, %i] : <in, 16x16xbf16> -> tensor<16x16xbf16>
  %zero = tile.constant dense<0.0> : tensor<512x16xf32>
  %s = tile.mma %p, %q, %zero : tensor<512x16xbf16>, tensor<16x16xbf16> -> tensor<512x16xf32>
  tile.store %s, %long[%i, %i] : tensor<512x16xf32>, <out, 512x16xf32>
  return
}

// -----

// Not worth it: what is stored in lines already; a transposed tile, whose rows all lie in a few banks of boxes; a tile of less than 16
// bytes to a thread.
// CHECK-LABEL: func.func @should_not(
// CHECK-NOT: simt.boxed
// CHECK: return
func.func @should_not(%in: !tile.view<in, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %a: !tile.view<in, 16x16xbf16>,
                      %lines: !tile.view<out, 64x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                      %transposed: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned},
                      %small: !tile.view<out, 16x16xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %n = tile.cast %x : tensor<64x64xf32> -> tensor<64x64xbf16>
  tile.store %n, %lines[%i, %i] : tensor<64x64xbf16>, <out, 64x64xbf16>
  %t = tile.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  tile.store %t, %transposed[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  %l = tile.load %a[%i, %i] : <in, 16x16xbf16> -> tensor<16x16xbf16>
  %zero = tile.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.mma %l, %l, %zero : tensor<16x16xbf16>, tensor<16x16xbf16> -> tensor<16x16xf32>
  tile.store %r, %small[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

// -----

// Where loads run ahead, their rings have the shared memory. After the loop it is free.
// CHECK-LABEL: func.func @rings(
// CHECK: tile.store {{.*}}, %arg2
// CHECK-NOT: simt.boxed
// CHECK: scf.yield
// CHECK: tile.store {{.*}}, %arg3[%{{.*}}, %{{.*}}] {simt.boxed}
func.func @rings(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                 %sums: !tile.view<outs, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %out: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>, simt.aligned}, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] {inside} : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %i] {inside} : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    tile.store %s, %sums[%k, %i] : tensor<64x64xf32>, <outs, 64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

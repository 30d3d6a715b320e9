// Products decide the layouts of their operands and sums: those of mma.sync's fragments where there is an instruction.
// MmaPlanTest.cpp compares the fragments with the instructions' tables.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts | FileCheck %s

// 16×8 of the sum to an instruction: two neighbours to a thread, four lanes to a row. Warps share out columns and rows. Fragments are
// too narrow to load from memory, so that operands are loaded in rows and moved; the sum's first value is computed in place.
// CHECK-LABEL: func.func @bf16(
// CHECK: %[[A:.*]] = tile.load %arg0{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 4, 1024], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK: %[[LEFT:.*]] = tile.relayout %[[A]] {tile.layout = #tile.layout<registers = [1, 256, 8, 16, 1024], lanes = [2, 4, 32, 64, 128], warps = [0, 512]>}
// CHECK: %[[B:.*]] = tile.load %arg1{{.*}}
// CHECK: %[[RIGHT:.*]] = tile.relayout %[[B]] {tile.layout = #tile.layout<registers = [64, 512, 1024, 16, 32], lanes = [128, 256, 1, 2, 4], warps = [8, 0]>}
// CHECK: %[[ZERO:.*]] = tile.constant {tile.layout = #tile.layout<[[SUM:registers = \[1, 512, 16, 32, 2048\], lanes = \[2, 4, 64, 128, 256\], warps = \[8, 1024\]]]>}
// CHECK: %[[R:.*]] = tile.mma %[[LEFT]], %[[RIGHT]], %[[ZERO]] {tile.layout = #tile.layout<[[SUM]]>}
// CHECK: tile.store %[[R]]
func.func @bf16(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// A sum that goes around a loop keeps its layout, and is moved nowhere in it.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: %[[R:.*]] = tile.mma
// CHECK-NEXT: scf.yield %[[R]]
// CHECK: tile.layouts = [#tile.layout<registers = [1, 512, 16, 32, 2048], lanes = [2, 4, 64, 128, 256], warps = [8, 1024]>]
// CHECK-NOT: tile.relayout
// CHECK: return
func.func @loop(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %s = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %r = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %r : tensor<64x64xf32>
  }
  tile.store %s, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// The softmax of attention: what follows a product element by element stays where the product left it.
// CHECK-LABEL: func.func @follows(
// CHECK: %[[S:.*]] = tile.mma {{.*}} {tile.layout = #tile.layout<[[SUM:registers = [^>]*]]>}
// CHECK-NOT: tile.relayout %[[S]]
// CHECK: tile.function exp %{{.*}} {tile.layout = #tile.layout<[[SUM]]>}
func.func @follows(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %s = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  %m = tile.reduce max %s axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  %n = tile.broadcast %m : tensor<64x1xf32> -> tensor<64x64xf32>
  %d = tile.sub %s, %n : tensor<64x64xf32>
  %e = tile.function exp %d : tensor<64x64xf32>
  tile.store %e, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// f32 has no instruction: operands stay as they are loaded, and go to shared memory from there.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: tile.relayout
// CHECK: tile.mma {{.*}} {tile.layout = #tile.layout<registers = [1, 2, 512, 1024, 2048], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
func.func @plain(%a: !tile.view<in, 64x32xf32>, %b: !tile.view<in, 32x64xf32>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xf32> -> tensor<64x32xf32>
  %y = tile.load %b[%i, %i] : <in, 32x64xf32> -> tensor<32x64xf32>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xf32>, tensor<32x64xf32> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

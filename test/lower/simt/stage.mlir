// Which loads run ahead of their loops: operands of products whose indices are known ahead of time, in 16-byte pieces.
// RUN: tegula-opt %s --split-input-file --tile-simt-target --tile-simt-stage | FileCheck %s

// Three turns at a time. On Hopper TMA fetches them.
// CHECK-LABEL: func.func @operands(
// CHECK: tile.load %arg0{{.*}} {simt.boxed, simt.stages = 3 : i64}
// CHECK: tile.load %arg1{{.*}} {simt.boxed, simt.stages = 3 : i64}
func.func @operands(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                    %out: !tile.view<out, 64x64xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// Nothing runs ahead that is not aligned, or at an index that only the turn itself computes.
// CHECK-LABEL: func.func @not_ahead(
// CHECK: tile.load %arg0
// CHECK-NOT: simt.stages
// CHECK: tile.load %arg1
// CHECK-NOT: simt.stages
// CHECK: return
func.func @not_ahead(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                     %out: !tile.view<out, 64x64xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r:2 = scf.for %k = %first to %n step %step iter_args(%acc = %zero, %at = %i) -> (tensor<64x64xf32>, i64) : i64 {
    %x = tile.load %a[%i, %k] : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%at, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    %next = tile.add %at, %at : i64
    scf.yield %s, %next : tensor<64x64xf32>, i64
  }
  tile.store %r#0, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// What is not for a product is loaded when it is needed: enough other loads are under way.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: simt.stages
// CHECK: return
func.func @sum(%a: !tile.view<in, 1024xf32> {simt.strides = array<i64: 1>, simt.aligned}, %out: !tile.view<out, 1024xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<1024xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<1024xf32>) : i64 {
    %x = tile.load %a[%k] : <in, 1024xf32> -> tensor<1024xf32>
    %s = tile.add %acc, %x : tensor<1024xf32>
    scf.yield %s : tensor<1024xf32>
  }
  tile.store %r, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// -----

// Only what fits: two slots of 80 KiB, not three. A box has at most 256 rows, so that threads copy these.
// CHECK-LABEL: func.func @large(
// CHECK: tile.load %arg0{{.*}} {simt.stages = 2 : i64}
// CHECK-NOT: simt.boxed
// CHECK: return
func.func @large(%a: !tile.view<in, 512x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 64x128xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                 %out: !tile.view<out, 512x128xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<512x128xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<512x128xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 512x64xbf16> -> tensor<512x64xbf16>
    %y = tile.load %b[%k, %i] : <in, 64x128xbf16> -> tensor<64x128xbf16>
    %s = tile.mma %x, %y, %acc : tensor<512x64xbf16>, tensor<64x128xbf16> -> tensor<512x128xf32>
    scf.yield %s : tensor<512x128xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<512x128xf32>, <out, 512x128xf32>
  return
}

// -----

// What starts at any element starts at any address.
// CHECK-LABEL: func.func @any_element(
// CHECK-NOT: simt.stages
// CHECK: tile.load %arg1{{.*}} {simt.boxed, simt.stages = 3 : i64}
func.func @any_element(%a: !tile.view<in, 64x32xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 32x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                       %out: !tile.view<out, 64x64xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] {elements} : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %s = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

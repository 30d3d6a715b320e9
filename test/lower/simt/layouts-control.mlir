// Tiles that go around loops and through branches: one layout for every turn and every way.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts | FileCheck %s

// The first value has no layout of its own: it is computed in that of the last turn.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[ZERO:.*]] = tile.constant {tile.layout = #tile.layout<[[LAYOUT:registers = \[1, 2, 512\], lanes = \[4, 8, 16, 32, 64\], warps = \[128, 256\]]]>} dense<0.000000e+00>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK-NOT: tile.relayout
// CHECK: } {tile.layouts = [#tile.layout<[[LAYOUT]]>]}
func.func @sum(%in: !tile.view<in, 1024xf32>, %out: !tile.view<out, 1024xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<1024xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<1024xf32>) : i64 {
    %x = tile.load %in[%k] : <in, 1024xf32> -> tensor<1024xf32>
    %next = tile.add %acc, %x : tensor<1024xf32>
    scf.yield %next : tensor<1024xf32>
  }
  tile.store %r, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// -----

// A scan in the loop decides: the value from outside is moved once, before the loop, not in each turn.
// CHECK-LABEL: func.func @last_turn(
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[MOVED:.*]] = tile.relayout %[[X]] {tile.layout = #tile.layout<registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[MOVED]])
// CHECK-NEXT: tile.scan sum %[[ACC]]
// CHECK-NEXT: scf.yield
func.func @last_turn(%in: !tile.view<in, 1024xf32>, %out: !tile.view<out, 1024xf32>, %i: i64, %n: i64) {
  %x = tile.load %in[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %y = tile.add %x, %x : tensor<1024xf32>
  tile.store %y, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %x) -> (tensor<1024xf32>) : i64 {
    %next = tile.scan sum %acc axis 0 : tensor<1024xf32>
    scf.yield %next : tensor<1024xf32>
  }
  tile.store %r, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// -----

// What is not a tile has a unit in the list.
// CHECK-LABEL: func.func @while(
// CHECK: tile.layouts = [#tile.layout<registers = [1, 2], lanes = [4, 8, 16, 32, 0], warps = [0, 0]>, unit]
func.func @while(%in: !tile.view<in, 64xf32>, %out: !tile.view<out, 64xf32>, %i: i64, %n: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %one = tile.constant 1 : i64
  %r:2 = scf.while (%t = %x, %k = %n) : (tensor<64xf32>, i64) -> (tensor<64xf32>, i64) {
    %more = tile.cmp gt, %k, %one : i64 -> i1
    scf.condition(%more) %t, %k : tensor<64xf32>, i64
  } do {
  ^bb0(%t: tensor<64xf32>, %k: i64):
    %u = tile.add %t, %t : tensor<64xf32>
    %less = tile.sub %k, %one : i64
    scf.yield %u, %less : tensor<64xf32>, i64
  }
  tile.store %r#0, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// A branch has the layout of the way that has one; the other is computed or moved to it.
// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
// CHECK: %[[SCANNED:.*]] = tile.scan
// CHECK: scf.yield %[[SCANNED]]
// CHECK: } else {
// CHECK: %[[ONE:.*]] = tile.constant {tile.layout = #tile.layout<[[RUNS:registers = \[1, 2, 4\], lanes = \[8, 16, 32, 64, 128\], warps = \[256, 512\]]]>} dense<1.000000e+00>
// CHECK: scf.yield %[[ONE]]
// CHECK: } {tile.layouts = [#tile.layout<[[RUNS]]>]}
func.func @branch(%in: !tile.view<in, 1024xf32>, %out: !tile.view<out, 1024xf32>, %i: i64, %flag: i1) {
  %x = tile.load %in[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %r = scf.if %flag -> (tensor<1024xf32>) {
    %y = tile.scan sum %x axis 0 : tensor<1024xf32>
    scf.yield %y : tensor<1024xf32>
  } else {
    %one = tile.constant dense<1.0> : tensor<1024xf32>
    scf.yield %one : tensor<1024xf32>
  }
  tile.store %r, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// Loops and branches: a tile that goes around is carried register by register; all threads take the same way.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Eight elements to a thread and a scalar: nine values.
// CHECK-LABEL: llvm.func @tegula_carried(
// CHECK: %[[R:.*]]:9 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1_i64 iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32, i64)
// CHECK: scf.yield {{.*}} : f32, f32, f32, f32, f32, f32, f32, f32, i64
func.func @carried(%in: !tile.view<in, 512xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 512xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %last: !tile.view<out, i64>, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %init = tile.constant dense<0.0> : tensor<512xf32>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%sum = %init, %count = %zero) -> (tensor<512xf32>, i64) : i64 {
    %x = tile.load %in[%k] {inside} : <in, 512xf32> -> tensor<512xf32>
    %next = tile.add %sum, %x : tensor<512xf32>
    %more = tile.add %count, %k : i64
    scf.yield %next, %more : tensor<512xf32>, i64
  }
  tile.store %r#0, %out[%zero] {inside} : tensor<512xf32>, <out, 512xf32>
  tile.store %r#1, %last[] : i64, <out, i64>
  return
}

// -----

// With a step that is not positive the loop does not run. That the launch fails then is the business of an assertion, if the prover
// has found it necessary; the loop itself says nothing.
// CHECK-LABEL: llvm.func @tegula_step(
// CHECK-SAME: simt.sites = []
// CHECK: %[[FORWARD:.*]] = arith.cmpi {{sgt|sge}}
// CHECK: arith.select %[[FORWARD]], %{{.*}}, %{{.*}} : i64
// CHECK: arith.select %[[FORWARD]], %{{.*}}, %{{.*}} : i64
// CHECK: scf.for
func.func @step(%out: !tile.view<out, i64>, %n: i64, %s: i64) {
  %zero = tile.constant 0 : i64
  %r = scf.for %k = %zero to %n step %s iter_args(%count = %zero) -> (i64) : i64 {
    %more = tile.add %count, %k : i64
    scf.yield %more : i64
  }
  tile.store %r, %out[] : i64, <out, i64>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_branch(
// CHECK: %{{.*}}:4 = scf.if %{{.*}} -> (f32, f32, f32, f32) {
// CHECK: llvm.load
// CHECK: } else {
// CHECK: scf.yield %cst
func.func @branch(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %flag: i1, %i: i64) {
  %r = scf.if %flag -> (tensor<256xf32>) {
    %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
    scf.yield %x : tensor<256xf32>
  } else {
    %one = tile.constant dense<1.0> : tensor<256xf32>
    scf.yield %one : tensor<256xf32>
  }
  tile.store %r, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_while(
// CHECK: scf.while {{.*}} : (f32, f32, f32, f32, i64) -> (f32, f32, f32, f32, i64)
// CHECK: scf.condition
// CHECK: } do {
// CHECK: arith.addf
func.func @while(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64, %n: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %one = tile.constant 1 : i64
  %r:2 = scf.while (%t = %x, %k = %n) : (tensor<256xf32>, i64) -> (tensor<256xf32>, i64) {
    %more = tile.cmp gt, %k, %one : i64 -> i1
    scf.condition(%more) %t, %k : tensor<256xf32>, i64
  } do {
  ^bb0(%t: tensor<256xf32>, %k: i64):
    %u = tile.add %t, %t : tensor<256xf32>
    %less = tile.sub %k, %one : i64
    scf.yield %u, %less : tensor<256xf32>, i64
  }
  tile.store %r#0, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

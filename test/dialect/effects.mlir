// What reads a view that nobody writes in the launch has no effect: the same read twice is one, whatever stands between. What reads a
// view that the program writes is read anew after a write.
// RUN: tegula-opt %s --cse | FileCheck %s
// RUN: tegula-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=HOIST

// CHECK-LABEL: func.func @inputs(
// CHECK-COUNT-6: tile.load
// CHECK-NOT: tile.load
// CHECK: return
func.func @inputs(%a: !tile.view<in, 4xi32>, %b: !tile.view<index, 4xi32>, %c: !tile.view<distinct, 4xi32>,
                  %d: !tile.view<index_or_none, 4xi32>, %e: !tile.view<distinct_or_none, 4xi32>, %f: !tile.view<offsets, 1xi32>,
                  %out: !tile.view<outs, 4xi32>, %i: i64) {
  tile.claim %out[%i] : <outs, 4xi32>
  %a0 = tile.load %a[%i] : <in, 4xi32> -> tensor<4xi32>
  %b0 = tile.load %b[%i] : <index, 4xi32> -> tensor<4xi32>
  %c0 = tile.load %c[%i] : <distinct, 4xi32> -> tensor<4xi32>
  %d0 = tile.load %d[%i] : <index_or_none, 4xi32> -> tensor<4xi32>
  %e0 = tile.load %e[%i] : <distinct_or_none, 4xi32> -> tensor<4xi32>
  %f0 = tile.load %f[%i] : <offsets, 1xi32> -> tensor<1xi32>
  tile.print "first", %a0, %b0, %c0, %d0, %e0, %f0 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1xi32>
  tile.store %a0, %out[%i] : tensor<4xi32>, <outs, 4xi32>
  %a1 = tile.load %a[%i] : <in, 4xi32> -> tensor<4xi32>
  %b1 = tile.load %b[%i] : <index, 4xi32> -> tensor<4xi32>
  %c1 = tile.load %c[%i] : <distinct, 4xi32> -> tensor<4xi32>
  %d1 = tile.load %d[%i] : <index_or_none, 4xi32> -> tensor<4xi32>
  %e1 = tile.load %e[%i] : <distinct_or_none, 4xi32> -> tensor<4xi32>
  %f1 = tile.load %f[%i] : <offsets, 1xi32> -> tensor<1xi32>
  tile.print "second", %a1, %b1, %c1, %d1, %e1, %f1 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<1xi32>
  return
}

// CHECK-LABEL: func.func @gathers(
// CHECK-COUNT-1: tile.gather {{.*}} axis
// CHECK-NOT: tile.gather {{.*}} axis
// CHECK: return
func.func @gathers(%a: !tile.view<in, 4xf32>, %out: !tile.view<out, 4xf32>, %at: tensor<4xi32>, %i: i64) {
  %0 = tile.gather %a[] by %at axis 0 : <in, 4xf32>, tensor<4xi32> -> tensor<4xf32>
  tile.store %0, %out[%i] : tensor<4xf32>, <out, 4xf32>
  %1 = tile.gather %a[] by %at axis 0 : <in, 4xf32>, tensor<4xi32> -> tensor<4xf32>
  tile.print "again", %1 : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @pairs(
// CHECK-COUNT-1: tile.gather_pairs
// CHECK-NOT: tile.gather_pairs
// CHECK: return
func.func @pairs(%a: !tile.view<in, 4x4xf32>, %out: !tile.view<out, 4x4xf32>, %at: tensor<4x4xi32>, %i: i64) {
  %0 = tile.gather_pairs %a[] by %at, %at axes [0, 1] : <in, 4x4xf32>, tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xf32>
  tile.store %0, %out[%i, %i] : tensor<4x4xf32>, <out, 4x4xf32>
  %1 = tile.gather_pairs %a[] by %at, %at axes [0, 1] : <in, 4x4xf32>, tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xf32>
  tile.print "again", %1 : tensor<4x4xf32>
  return
}

// A loop or branch finds what was read before it; what one of two branches reads is not known in the other, nor behind them.
// CHECK-LABEL: func.func @nested(
// CHECK: tile.load %{{.*}}[%[[I:.*]]] :
// CHECK: scf.if
// CHECK-NEXT: tile.print "outer"
// CHECK-NEXT: tile.load
// CHECK: else
// CHECK-NEXT: tile.load
// CHECK: return
func.func @nested(%a: !tile.view<in, 4xf32>, %i: i64, %j: i64, %c: i1) {
  %0 = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
  tile.print "before", %0 : tensor<4xf32>
  scf.if %c {
    %1 = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
    tile.print "outer", %1 : tensor<4xf32>
    %2 = tile.load %a[%j] : <in, 4xf32> -> tensor<4xf32>
    tile.print "inner", %2 : tensor<4xf32>
  } else {
    %1 = tile.load %a[%j] : <in, 4xf32> -> tensor<4xf32>
    tile.print "other", %1 : tensor<4xf32>
  }
  return
}

// Another tile, another pad, another way to count, and what the prover found of one of them only, are other reads.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: tile.load
// CHECK: return
func.func @others(%a: !tile.view<in, 4xf32>, %i: i64, %j: i64, %pad: f32) {
  %0 = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
  %1 = tile.load %a[%j] : <in, 4xf32> -> tensor<4xf32>
  %2 = tile.load %a[%i] pad %pad : f32 : <in, 4xf32> -> tensor<4xf32>
  %3 = tile.load %a[%i] {elements} : <in, 4xf32> -> tensor<4xf32>
  %4 = tile.load %a[%i] {inside} : <in, 4xf32> -> tensor<4xf32>
  tile.print "all", %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @inout(
// CHECK: tile.load
// CHECK-NEXT: tile.print
// CHECK-NEXT: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.print
// CHECK-NEXT: return
func.func @inout(%a: !tile.view<inout, 4xf32>, %x: tensor<4xf32>, %i: i64) {
  %0 = tile.load %a[%i] : <inout, 4xf32> -> tensor<4xf32>
  %1 = tile.load %a[%i] : <inout, 4xf32> -> tensor<4xf32>
  tile.print "before", %0, %1 : tensor<4xf32>, tensor<4xf32>
  tile.store %x, %a[%i] : tensor<4xf32>, <inout, 4xf32>
  %2 = tile.load %a[%i] : <inout, 4xf32> -> tensor<4xf32>
  tile.print "after", %2 : tensor<4xf32>
  return
}

// A message or a possible failure is said as often as it stands there.
// CHECK-LABEL: func.func @messages(
// CHECK-COUNT-2: tile.print
// CHECK-COUNT-2: tile.assert
// CHECK-COUNT-2: tile.claim
// CHECK: return
func.func @messages(%a: !tile.view<outs, 4xf32>, %c: i1, %i: i64) {
  tile.print "twice"
  tile.print "twice"
  tile.assert %c, "holds" : i1
  tile.assert %c, "holds" : i1
  tile.claim %a[%i] : <outs, 4xf32>
  tile.claim %a[%i] : <outs, 4xf32>
  return
}

// Whatever the index is, a read does no harm, unless it goes by what the prover found inside of the loop.
// CHECK-LABEL: func.func @hoisted(
// HOIST-LABEL: func.func @hoisted(
// HOIST: tile.load %{{[^ ]*}}[%{{[^ ]*}}] : <in
// HOIST-NEXT: tile.gather %{{.*}} : <in
// HOIST-NEXT: scf.for
// HOIST-NEXT: tile.load %{{.*}} {inside} : <in
// HOIST-NEXT: tile.load %{{.*}} : <inout
// HOIST-NEXT: tile.print
func.func @hoisted(%a: !tile.view<in, 4xf32>, %b: !tile.view<inout, 4xf32>, %at: tensor<4xi32>, %i: i64, %n: i64) {
  scf.for %k = %i to %n step %n : i64 {
    %0 = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
    %1 = tile.gather %a[] by %at axis 0 : <in, 4xf32>, tensor<4xi32> -> tensor<4xf32>
    %2 = tile.load %a[%i] {inside} : <in, 4xf32> -> tensor<4xf32>
    %3 = tile.load %b[%i] : <inout, 4xf32> -> tensor<4xf32>
    tile.print "all", %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return
}

// What canonicalization of control flow makes of the arith dialect becomes tile operations again.
// RUN: tegula-opt %s --split-input-file --canonicalize --tile-from-arith | FileCheck %s
// RUN: tegula-opt %s --split-input-file --canonicalize --tile-from-arith | FileCheck %s --check-prefix=NONE
// NONE-NOT: arith.

// A branch between two tiles is a select; its condition is repeated for every element.
// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[MANY:.*]] = tile.broadcast %[[C]] : i1 -> tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = tile.select %[[MANY]], %[[X]], %[[Y]] : tensor<4x8xi1>, tensor<4x8xf32>
// CHECK-NEXT: tile.print "r", %[[R]]
func.func @tiles(%c: i1, %x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  %r = scf.if %c -> tensor<4x8xf32> {
    scf.yield %x : tensor<4x8xf32>
  } else {
    scf.yield %y : tensor<4x8xf32>
  }
  tile.print "r", %r : tensor<4x8xf32>
  return
}

// -----

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[C:.*]]: i1, %[[X:.*]]: ui8, %[[Y:.*]]: ui8)
// CHECK-NEXT: %[[R:.*]] = tile.select %[[C]], %[[X]], %[[Y]] : i1, ui8
// CHECK-NEXT: tile.print "r", %[[R]]
func.func @scalars(%c: i1, %x: ui8, %y: ui8) {
  %r = scf.if %c -> ui8 {
    scf.yield %x : ui8
  } else {
    scf.yield %y : ui8
  }
  tile.print "r", %r : ui8
  return
}

// -----

// One branch in the other: one branch with both conditions.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK: %[[BOTH:.*]] = tile.and %[[C]], %[[D]] : i1
// CHECK: scf.if %[[BOTH]] {
// CHECK-NOT: scf.if
// CHECK: tile.print
func.func @nested(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      tile.print "both"
    }
  }
  return
}

// -----

// Inside a branch its condition is known.
// CHECK-LABEL: func.func @known(
// CHECK-DAG: %[[TRUE:.*]] = tile.constant true
// CHECK-NOT: arith.
// CHECK: scf.if
// CHECK: tile.print "taken", %[[TRUE]] : i1
func.func @known(%c: i1) {
  scf.if %c {
    tile.print "taken", %c : i1
  }
  return
}

// -----

// CHECK-LABEL: func.func @opposite(
// CHECK-SAME: %[[C:.*]]: i1)
// CHECK-DAG: %[[TRUE:.*]] = tile.constant true
// CHECK: %[[R:.*]] = tile.xor %[[C]], %[[TRUE]] : i1
// CHECK: return %[[R]]
func.func @opposite(%c: i1) -> i1 {
  %yes = tile.constant true
  %no = tile.constant false
  %r = scf.if %c -> i1 {
    scf.yield %no : i1
  } else {
    scf.yield %yes : i1
  }
  return %r : i1
}

// -----

// The condition of a loop is known inside it.
// CHECK-LABEL: func.func @while(
// CHECK-DAG: %[[TRUE:.*]] = tile.constant true
// CHECK: scf.while
// CHECK: do
// CHECK: tile.print "more", %[[TRUE]] : i1
func.func @while(%n: i64) {
  %one = tile.constant 1 : i64
  %r:2 = scf.while (%i = %one) : (i64) -> (i1, i64) {
    %more = tile.cmp lt, %i, %n : i64 -> i1
    scf.condition(%more) %more, %i : i1, i64
  } do {
  ^bb0(%again: i1, %j: i64):
    tile.print "more", %again : i1
    %next = tile.add %j, %j : i64
    scf.yield %next : i64
  }
  tile.print "r", %r#1 : i64
  return
}

// -----

// A flag as a number.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[FLAG:.*]]: i1
// CHECK-DAG: %[[ONE:.*]] = tile.constant 1 : i64
// CHECK-DAG: %[[ZERO:.*]] = tile.constant 0 : i64
// CHECK: tile.select %[[FLAG]], %[[ONE]], %[[ZERO]] : i1, i64
// CHECK: tile.select %[[FLAG]], %{{.*}}, %{{.*}} : i1, i64
// CHECK-NOT: arith
func.func @number(%flag: i1) -> (i64, i64) {
  %a = arith.extui %flag : i1 to i64
  %b = arith.extsi %flag : i1 to i64
  return %a, %b : i64, i64
}

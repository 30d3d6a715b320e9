// Steps of loops and places of sub-tiles: what is proved leaves nothing behind, what is not is checked before the operation.
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{remarks=true}))' -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{suppress=true}))' -split-input-file 2>/dev/null | FileCheck %s --check-prefix=EVERYTHING
// RUN: not tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{strict=true}))' -split-input-file 2>&1 | FileCheck %s --check-prefix=STRICT

// There is a program wherever one runs.
// CHECK-LABEL: @proved
// CHECK-NOT: tile.assert
// EVERYTHING-LABEL: @proved
// EVERYTHING: %[[ONE:.*]] = tile.constant 1 : i64
// EVERYTHING: %[[HOLDS:.*]] = tile.cmp ge, %[[STEP:.*]], %[[ONE]] : i64 -> i1
// EVERYTHING: tile.assert %[[HOLDS]], "the step of a loop must be positive", %[[STEP]] {{.*}}{bounds}
// EVERYTHING: scf.for
// EVERYTHING: "the sub-tile's index is outside the tile"
// EVERYTHING: tile.extract
func.func @proved(%y: !tile.view<add_into, 4xf32>, %x: f32) {
  %whole = tile.broadcast %x : f32 -> tensor<16xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %y axis 0 : !tile.view<add_into, 4xf32>
  %four = tile.constant 4 : i64
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
    %k = tile.rem %i, %four : i64
    // expected-remark @below {{sub-tile: extract along axis 0: proved}}
    %t = tile.extract %whole[%k] : tensor<16xf32> -> tensor<4xf32>
    // expected-remark @below {{bounds}}
    tile.accumulate %t, %y[%i] : tensor<4xf32>, !tile.view<add_into, 4xf32>
  }
  return
}

// -----

// What the host can compare is a condition of the launch.
// CHECK-LABEL: @condition
// CHECK-NOT: tile.assert
// EVERYTHING-LABEL: @condition
// EVERYTHING-COUNT-3: tile.assert
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @condition(%y: !tile.view<out, i64>, %step: i64, %k: i64) {
  %zero = tile.constant 0 : i64
  %ten = tile.constant 10 : i64
  %whole = tile.iota axis 0 : tensor<8xi64>
  // expected-remark @below {{step: step of a loop: condition: #2 >= 1}}
  %r = scf.for %i = %zero to %ten step %step iter_args(%sum = %zero) -> (i64) : i64 {
    // expected-remark @below {{sub-tile: extract along axis 0: condition: }}
    %t = tile.extract %whole[%k] : tensor<8xi64> -> tensor<2xi64>
    // expected-remark @below {{sub-tile: insert along axis 0: condition: by the launch conditions}}
    %u = tile.insert %t into %whole[%k] : tensor<2xi64> -> tensor<8xi64>
    %next = tile.add %sum, %i : i64
    scf.yield %next : i64
  }
  tile.store %r, %y[] : i64, !tile.view<out, i64>
  return
}

// -----

// What memory holds is checked, outside the loop that does not change it; a loop that does not run reaches nothing.
// CHECK-LABEL: @data
// CHECK: %[[K:.*]] = tile.load
// CHECK: tile.assert {{.*}}, "the step of a loop must be positive", %[[K]] : i64 {bounds}
// CHECK: %[[INSIDE:.*]] = tile.and
// CHECK: %[[EMPTY:.*]] = tile.cmp ge
// CHECK: %[[HOLDS:.*]] = tile.or %[[INSIDE]], %[[EMPTY]]
// CHECK: tile.assert %[[HOLDS]], "the sub-tile's index is outside the tile", %[[K]] : i64 {bounds}
// CHECK: scf.for
// CHECK-NOT: tile.assert
// STRICT: the step of a loop would have to be checked in the kernel, which is strict: the step is data; step by maximum(it, 1), or by a number that the host knows
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @data(%y: !tile.view<out, i64>, %at: !tile.view<in, i64>) {
  %zero = tile.constant 0 : i64
  %ten = tile.constant 10 : i64
  %whole = tile.iota axis 0 : tensor<8xi64>
  %k = tile.load %at[] : !tile.view<in, i64> -> i64
  // expected-remark @below {{step: step of a loop: checked: the step is data}}
  %r = scf.for %i = %zero to %ten step %k iter_args(%sum = %zero) -> (i64) : i64 {
    // expected-remark @below {{sub-tile: extract along axis 0: checked: the index is data without a certificate}}
    %t = tile.extract %whole[%k] : tensor<8xi64> -> tensor<2xi64>
    %next = tile.add %sum, %i : i64
    scf.yield %next : i64
  }
  tile.store %r, %y[] : i64, !tile.view<out, i64>
  return
}

// -----

// STRICT: the insert along axis 1 would have to be checked in the kernel, which is strict: the index is data without a certificate; certify()
// CHECK-LABEL: @piece
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @piece(%y: !tile.view<out, 4x4xi64>, %at: !tile.view<in, i64>) {
  %i = tile.program_index %y axis 0 : !tile.view<out, 4x4xi64>
  %j = tile.program_index %y axis 1 : !tile.view<out, 4x4xi64>
  %zero = tile.constant 0 : i64
  %k = tile.load %at[] : !tile.view<in, i64> -> i64
  %whole = tile.iota axis 0 : tensor<4x4xi64>
  %part = tile.iota axis 0 : tensor<2x2xi64>
  // expected-remark @below {{sub-tile: insert along axis 1: checked}}
  %t = tile.insert %part into %whole[%zero, %k] : tensor<2x2xi64> -> tensor<4x4xi64>
  tile.store %t, %y[%i, %j] : tensor<4x4xi64>, !tile.view<out, 4x4xi64>
  return
}

// Values of an index that is written: what is proved leaves nothing behind; what is not is checked, and never stored.
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{remarks=true}))' -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{suppress=true}))' -split-input-file 2>/dev/null | FileCheck %s --check-prefix=EVERYTHING

// CHECK-LABEL: @proved
// CHECK-NOT: tile.assert
// EVERYTHING-LABEL: @proved
// EVERYTHING: tile.assert %{{.*}}, "the values of parameter 1 are not all below its bound: values, bound"
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @proved(%y: !tile.view<out_index, 4xi64>) {
  %i = tile.program_index %y axis 0 : !tile.view<out_index, 4xi64>
  %bound = tile.bound %y : !tile.view<out_index, 4xi64>
  %one = tile.constant 1 : i64
  %last = tile.sub %bound, %one : i64
  %all = tile.broadcast %last : i64 -> tensor<4xi64>
  // expected-remark @below {{values: values of parameter 1: proved}}
  tile.store %all, %y[%i] : tensor<4xi64>, !tile.view<out_index, 4xi64>
  return
}

// -----

// Lanes behind the end are not asked; what is wrong becomes 0.
// CHECK-LABEL: @checked
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[RIGHT:.*]] = tile.and
// CHECK: %[[HOLDS:.*]] = tile.or %[[RIGHT]]
// CHECK: tile.assert %[[HOLDS]], "the values of parameter 1 are not all below its bound: values, bound", %[[X]], %{{.*}}{bounds}
// CHECK: %[[STORED:.*]] = tile.select %[[RIGHT]], %[[X]], %{{.*}}
// CHECK: tile.store %[[STORED]]
// EVERYTHING-LABEL: @checked
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @checked(%y: !tile.view<out_index, 4xi32>, %x: !tile.view<in, 4xi32>) {
  %i = tile.program_index %y axis 0 : !tile.view<out_index, 4xi32>
  // expected-remark @below {{bounds}}
  %t = tile.load %x[%i] : !tile.view<in, 4xi32> -> tensor<4xi32>
  // expected-remark @below {{values: values of parameter 1: checked: the values are data without a certificate}}
  tile.store %t, %y[%i] : tensor<4xi32>, !tile.view<out_index, 4xi32>
  return
}

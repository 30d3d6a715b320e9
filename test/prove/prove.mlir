// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{remarks=true}))' -split-input-file -verify-diagnostics
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove))' -split-input-file 2>/dev/null | FileCheck %s

// CHECK-LABEL: @copy
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @copy(%y: !tile.view<out, 4xf32>, %x: !tile.view<in, 4xf32>) {
  %i = tile.program_index %y axis 0 : !tile.view<out, 4xf32>
  // CHECK: tile.load {{.*}} {inside}
  // expected-remark @below {{bounds: load of parameter 2 along axis 0: condition: #2.count(0) >= #1.count(0)}}
  %t = tile.load %x[%i] : !tile.view<in, 4xf32> -> tensor<4xf32>
  tile.store %t, %y[%i] : tensor<4xf32>, !tile.view<out, 4xf32>
  return
}

// -----

// What is read from memory without a certificate is checked where it is used, outside the loop that does not change it.
// CHECK-LABEL: @data
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @data(%y: !tile.view<out, 4xf32>, %x: !tile.view<in, 4xf32>, %at: !tile.view<in, i64>) {
  %zero = tile.constant 0.0 : f32
  %init = tile.broadcast %zero : f32 -> tensor<4xf32>
  %i = tile.program_index %y axis 0 : !tile.view<out, 4xf32>
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %n = tile.dim %x axis 0 : !tile.view<in, 4xf32>
  // CHECK: %[[AT:.*]] = tile.load
  %k = tile.load %at[] : !tile.view<in, i64> -> i64
  // CHECK: tile.assert {{.*}}, "the load of parameter 2 along axis 0 misses the tensor: tile index, extent", %[[AT]], {{.*}} {bounds}
  // CHECK: scf.for
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %init) -> (tensor<4xf32>) : i64 {
    // CHECK: tile.load %{{[a-z0-9]+}}[%[[AT]]] :
    // expected-remark @below {{bounds: load of parameter 2 along axis 0: checked: the index is data without a certificate}}
    %t = tile.load %x[%k] : !tile.view<in, 4xf32> -> tensor<4xf32>
    %next = tile.add %s, %t : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  tile.store %sum, %y[%i] : tensor<4xf32>, !tile.view<out, 4xf32>
  return
}


// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{remarks=true}))' -split-input-file -verify-diagnostics

// Two programs in a row share a tile.
func.func @race(%y: !tile.view<outs, 4xf32>, %x: !tile.view<in, 4xf32>) {
  %p = tile.program_id : i64
  %c2 = tile.constant 2 : i64
  %c0 = tile.constant 0 : i64
  %i = tile.div %p, %c2 : i64
  // expected-remark @below {{bounds: store of parameter 1 along axis 0: condition}}
  // expected-remark @below {{disjoint: writes of parameter 1: refuted: programs 0 and 1 write element 0}}
  // expected-error @below {{two programs write one element of parameter 1}}
  tile.claim %y[%i] : !tile.view<outs, 4xf32>
  // expected-remark @below {{bounds: load of parameter 2 along axis 0: condition: #2.count(0) >= 1}}
  %t = tile.load %x[%c0] : !tile.view<in, 4xf32> -> tensor<4xf32>
  tile.store %t, %y[%i] : tensor<4xf32>, !tile.view<outs, 4xf32>
  return
}

// -----

// Data as an index: a check.
// expected-remark @below {{disjoint}}
// expected-remark @below {{covered}}
func.func @data(%y: !tile.view<out, 4xf32>, %x: !tile.view<in, 4xf32>, %at: !tile.view<in, i64>) {
  %i = tile.program_index %y axis 0 : !tile.view<out, 4xf32>
  %k = tile.load %at[] : !tile.view<in, i64> -> i64
  // expected-remark @below {{bounds: load of parameter 2 along axis 0: checked: the index is data without a certificate}}
  %t = tile.load %x[%k] : !tile.view<in, 4xf32> -> tensor<4xf32>
  tile.store %t, %y[%i] : tensor<4xf32>, !tile.view<out, 4xf32>
  return
}

// -----

// A step that may be zero or less, whatever the host compares.
func.func @step(%y: !tile.view<out, i64>) {
  %zero = tile.constant 0 : i64
  %ten = tile.constant 10 : i64
  %p = tile.program_id : i64
  // expected-remark @below {{step: step of a loop: refuted: program 0 steps by 0}}
  // expected-error @below {{the step of a loop is not positive}}
  %r = scf.for %i = %zero to %ten step %p iter_args(%sum = %zero) -> (i64) : i64 {
    %next = tile.add %sum, %i : i64
    scf.yield %next : i64
  }
  tile.store %r, %y[] : i64, !tile.view<out, i64>
  return
}

// -----

// Constants, too.
func.func @constants(%y: !tile.view<out, i64>) {
  %zero = tile.constant 0 : i64
  %ten = tile.constant 10 : i64
  // expected-remark @below {{step: step of a loop: refuted: program 0 steps by 0}}
  // expected-error @below {{the step of a loop is not positive}}
  %r = scf.for %i = %zero to %ten step %zero iter_args(%sum = %zero) -> (i64) : i64 {
    %next = tile.add %sum, %i : i64
    scf.yield %next : i64
  }
  tile.store %r, %y[] : i64, !tile.view<out, i64>
  return
}

// -----

func.func @outside(%y: !tile.view<out, 2xi64>) {
  %i = tile.program_index %y axis 0 : !tile.view<out, 2xi64>
  %four = tile.constant 4 : i64
  %whole = tile.iota axis 0 : tensor<8xi64>
  // expected-remark @below {{sub-tile: extract along axis 0: refuted: program 0 uses index 4}}
  // expected-error @below {{a sub-tile lies outside its tile}}
  %t = tile.extract %whole[%four] : tensor<8xi64> -> tensor<2xi64>
  tile.store %t, %y[%i] : tensor<2xi64>, !tile.view<out, 2xi64>
  return
}

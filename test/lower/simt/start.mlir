// A program reads what no kernel before it writes, and then waits for those kernels; all else comes behind.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=1 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// What is settled is read first, although it stands behind what is not; it is not told to be invariant there, since assemblers move
// such loads to where they like.
// CHECK-LABEL: llvm.func @tegula_settled(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[X:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[W:[^:]*]]: !llvm.ptr<1>
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK-NOT: getelementptr %[[X]]
// CHECK: llvm.getelementptr %[[W]]
// CHECK: llvm.load %{{[^ ]*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.getelementptr %[[X]]
// CHECK: llvm.load %{{[^ ]*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store
// CHECK-NOT: griddepcontrol
func.func @settled(%y: !tile.view<out, 32xf32>, %x: !tile.view<in, 32xf32>, %w: !tile.view<in, 32xf32> {simt.settled}) {
  %i = tile.program_id : i64
  %a = tile.load %x[%i] : <in, 32xf32> -> tensor<32xf32>
  %b = tile.load %w[%i] : <in, 32xf32> -> tensor<32xf32>
  %c = tile.add %a, %b : tensor<32xf32>
  tile.store %c, %y[%i] : tensor<32xf32>, <out, 32xf32>
  return
}

// -----

// Behind the wait, what is settled is invariant; what is not, is not.
// CHECK-LABEL: llvm.func @tegula_behind(
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK-NOT: llvm.load
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.load %{{[^ ]*}} {alignment = 8 : i64} : !llvm.ptr<1> -> i64
// CHECK: llvm.load %{{[^ ]*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
func.func @behind(%y: !tile.view<out, f32>, %at: !tile.view<in, i64>, %w: !tile.view<in, 1xf32> {simt.settled}) {
  %i = tile.load %at[] : <in, i64> -> i64
  %b = tile.load %w[%i] : <in, 1xf32> -> tensor<1xf32>
  %c = tile.reshape %b : tensor<1xf32> -> f32
  tile.store %c, %y[] : f32, <out, f32>
  return
}

// -----

// Numbers for later are computed first; a division costs much.
// CHECK-LABEL: llvm.func @tegula_numbers(
// CHECK: arith.divsi
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.load
// CHECK: llvm.store
func.func @numbers(%y: !tile.view<out, 1xf32>, %x: !tile.view<in, f32>, %n: i64) {
  %a = tile.load %x[] : <in, f32> -> f32
  %p = tile.program_id : i64
  %i = tile.div %p, %n : i64
  %b = tile.reshape %a : f32 -> tensor<1xf32>
  tile.store %b, %y[%i] : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// A load is moved across a failed assertion, which ends no program, and across a store, but not across a loop.
// CHECK-LABEL: llvm.func @tegula_across(
// CHECK-SAME: !llvm.ptr<1>, %[[Y:[^:]*]]: !llvm.ptr<1>, %[[X:[^:]*]]: !llvm.ptr<1>, %[[V:[^:]*]]: !llvm.ptr<1>, %[[W:[^:]*]]: !llvm.ptr<1>
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK: llvm.load %[[V]] {alignment
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.load %[[X]] {alignment
// CHECK: scf.for
// CHECK: llvm.load %[[W]] invariant
func.func @across(%z: !tile.view<out, i64>, %y: !tile.view<inout, f32>, %x: !tile.view<in, i64>, %v: !tile.view<in, f32> {simt.settled},
                  %w: !tile.view<in, f32> {simt.settled}) {
  %i = tile.load %x[] : <in, i64> -> i64
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %ok = tile.cmp ge, %i, %zero : i64 -> i1
  tile.assert %ok, "there is one" : i1
  tile.store %i, %z[] : i64, <out, i64>
  %a = tile.load %v[] : <in, f32> -> f32
  scf.for %j = %zero to %i step %one : i64 {
    %s = tile.load %y[] : <inout, f32> -> f32
    %t = tile.add %s, %a : f32
    tile.store %t, %y[] : f32, <inout, f32>
  }
  %b = tile.load %w[] : <in, f32> -> f32
  tile.store %b, %y[] : f32, <inout, f32>
  return
}

// -----

// A loop over what is settled is wholly before the wait, which comes before the store. Where everything is settled, as it is outside
// of graphs, loads may be moved.
// CHECK-LABEL: llvm.func @tegula_loop(
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK: scf.for
// CHECK: llvm.load %{{[^ ]*}} invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.store
func.func @loop(%y: !tile.view<out, 1xf32>, %w: !tile.view<in, 1xf32> {simt.settled}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %none = tile.constant dense<0.0> : tensor<1xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (tensor<1xf32>) : i64 {
    %a = tile.load %w[%i] : <in, 1xf32> -> tensor<1xf32>
    %t = tile.add %s, %a : tensor<1xf32>
    scf.yield %t : tensor<1xf32>
  }
  tile.store %sum, %y[%zero] : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// Without an access the wait is at the end: whoever waits for this kernel waits for those before it.
// CHECK-LABEL: llvm.func @tegula_nothing(
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK-NEXT: llvm.inline_asm has_side_effects "griddepcontrol.wait;"
// CHECK-NEXT: llvm.return
func.func @nothing(%x: !tile.view<in, 32xf32>) {
  return
}

// -----

// A tile that is kept in shared memory stays there: it is copied and read where it is needed, behind the wait, even if all that the
// program reads is settled.
// CHECK-LABEL: llvm.func @tegula_kept_alone(
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK-NOT: cp.async
// CHECK: "griddepcontrol.wait;"
// CHECK: cp.async
func.func @kept_alone(%y: !tile.view<out, 128xf32>, %w: !tile.view<in, 128xf32> {simt.settled, simt.aligned, simt.whole, simt.strides = array<i64: 1>}) {
  %i = tile.program_id : i64
  %b = tile.load %w[%i] {inside, simt.kept = 0 : i64} : <in, 128xf32> -> tensor<128xf32>
  %d = tile.add %b, %b : tensor<128xf32>
  tile.store %d, %y[%i] : tensor<128xf32>, <out, 128xf32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_kept(
// CHECK: "griddepcontrol.launch_dependents;"
// CHECK-NOT: cp.async
// CHECK: "griddepcontrol.wait;"
// CHECK: llvm.load
// CHECK: cp.async
func.func @kept(%y: !tile.view<out, 128xf32>, %x: !tile.view<in, f32>, %w: !tile.view<in, 128xf32> {simt.settled, simt.aligned, simt.whole, simt.strides = array<i64: 1>}) {
  %i = tile.program_id : i64
  %a = tile.load %x[] : <in, f32> -> f32
  %b = tile.load %w[%i] {inside, simt.kept = 0 : i64} : <in, 128xf32> -> tensor<128xf32>
  %c = tile.broadcast %a : f32 -> tensor<128xf32>
  %d = tile.add %b, %c : tensor<128xf32>
  tile.store %d, %y[%i] : tensor<128xf32>, <out, 128xf32>
  return
}

// Loops and branches. A tile that a loop carries has one buffer; its next value is written over it when nobody reads the old one any more.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// The sum is updated in place: there is one buffer, and each element goes back to where it was read.
// CHECK-LABEL: func.func @tegula_program_in_place(
// CHECK-SAME: cpu.scratch_bytes = 320 : i64
// CHECK: %[[SUM:.*]] = llvm.getelementptr %{{.*}}[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: scf.if
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[SUM]][
// CHECK: %[[OLD:.*]] = llvm.load %[[AT]] {{.*}} -> vector<16xf32>
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: llvm.store %[[NEW]], %[[AT]]
// CHECK-NOT: llvm.load
// CHECK: } else {
func.func @in_place(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                    %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %init = tile.constant dense<0.0> : tensor<64xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<64xf32>) : i64 {
    %x = tile.load %in[%k] : <in, 64xf32> -> tensor<64xf32>
    %next = tile.add %sum, %x : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  tile.store %r, %out[%zero] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Not in place: the next value reads other elements than it writes. It has a buffer of its own and is copied over.
// CHECK-LABEL: func.func @tegula_program_not_in_place(
// CHECK-SAME: cpu.scratch_bytes = 2112 : i64
func.func @not_in_place(%out: !tile.view<out, 16x16xf32> {cpu.strides = array<i64: -1, 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %init = tile.constant dense<1.0> : tensor<16x16xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<16x16xf32>) : i64 {
    %t = tile.permute %sum [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
    %next = tile.add %sum, %t : tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  tile.store %r, %out[%zero, %zero] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

// -----

// Nor when the old value is read after the next one is there.
// CHECK-LABEL: func.func @tegula_program_read_later(
// CHECK-SAME: cpu.scratch_bytes = 832 : i64
func.func @read_later(%out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %ones = tile.constant dense<1.0> : tensor<64xf32>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%a = %ones, %b = %ones) -> (tensor<64xf32>, tensor<64xf32>) : i64 {
    %next = tile.add %a, %ones : tensor<64xf32>
    %both = tile.mul %a, %b : tensor<64xf32>
    scf.yield %next, %both : tensor<64xf32>, tensor<64xf32>
  }
  tile.store %r#1, %out[%zero] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Two tiles that change places: both are copied aside before either is written.
// CHECK-LABEL: func.func @tegula_program_swap(
// CHECK-SAME: cpu.scratch_bytes = 1088 : i64
// CHECK-DAG: %[[A:.*]] = llvm.getelementptr %{{.*}}[64]
// CHECK-DAG: %[[B:.*]] = llvm.getelementptr %{{.*}}[320]
// CHECK-DAG: %[[ASIDE_B:.*]] = llvm.getelementptr %{{.*}}[576]
// CHECK-DAG: %[[ASIDE_A:.*]] = llvm.getelementptr %{{.*}}[832]
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[^ ]*}} : i64 {
// CHECK: llvm.getelementptr %[[B]]
// CHECK: llvm.getelementptr %[[ASIDE_B]]
// CHECK: llvm.getelementptr %[[A]]
// CHECK: llvm.getelementptr %[[ASIDE_A]]
// CHECK: llvm.getelementptr %[[ASIDE_B]]
// CHECK: llvm.getelementptr %[[A]]
// CHECK: llvm.getelementptr %[[ASIDE_A]]
// CHECK: llvm.getelementptr %[[B]]
func.func @swap(%out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %ones = tile.constant dense<1.0> : tensor<64xf32>
  %twos = tile.constant dense<2.0> : tensor<64xf32>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%a = %ones, %b = %twos) -> (tensor<64xf32>, tensor<64xf32>) : i64 {
    scf.yield %b, %a : tensor<64xf32>, tensor<64xf32>
  }
  tile.store %r#0, %out[%zero] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Scalars are carried in registers.
// CHECK-LABEL: func.func @tegula_program_scalars(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (i64)
// CHECK: %[[NEXT:.*]] = arith.addi %[[SUM]]
// CHECK: scf.yield %[[NEXT]] : i64
// CHECK: llvm.store %[[R]]
func.func @scalars(%out: !tile.view<out, i64>, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %zero) -> (i64) : i64 {
    %next = tile.add %sum, %k : i64
    scf.yield %next : i64
  }
  tile.store %r, %out[] : i64, <out, i64>
  return
}

// -----

// With a step that is not positive the loop does not run. That the launch fails then is the business of an assertion, if the prover
// has found it necessary; the loop itself says nothing.
// CHECK-LABEL: func.func @tegula_program_step(
// CHECK-SAME: cpu.sites = []
// CHECK-NOT: tegula_cpu_assert_failed
// CHECK: %[[FORWARD:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK: arith.select %[[FORWARD]], %{{.*}}, %{{.*}} : i64
// CHECK: arith.select %[[FORWARD]], %{{.*}}, %{{.*}} : i64
// CHECK: scf.for
// CHECK: return
func.func @step(%out: !tile.view<out, i64>, %n: i64, %step: i64) {
  %zero = tile.constant 0 : i64
  %r = scf.for %k = %zero to %n step %step iter_args(%sum = %zero) -> (i64) : i64 {
    %next = tile.add %sum, %k : i64
    scf.yield %next : i64
  }
  tile.store %r, %out[] : i64, <out, i64>
  return
}

// -----

// With another step than 1 the loop counts its iterations: the variable itself could wrap past the end.
// CHECK-LABEL: func.func @tegula_program_stride(
// CHECK: %[[COUNT:.*]] = arith.select
// CHECK: scf.for %[[NUMBER:[^ ]*]] = %{{.*}} to %[[COUNT]]
// CHECK: %[[OFFSET:.*]] = arith.muli %[[NUMBER]], %{{.*}} : i64
// CHECK: arith.addi %{{.*}}%[[OFFSET]]
func.func @stride(%out: !tile.view<out, i64>, %from: i64, %to: i64) {
  %zero = tile.constant 0 : i64
  %eight = tile.constant 8 : i64
  %r = scf.for %k = %from to %to step %eight iter_args(%sum = %zero) -> (i64) : i64 {
    %next = tile.add %sum, %k : i64
    scf.yield %next : i64
  }
  tile.store %r, %out[] : i64, <out, i64>
  return
}

// -----

// Between the two regions of a while, tiles are passed through buffers and scalars through registers.
// CHECK-LABEL: func.func @tegula_program_while(
// CHECK-SAME: cpu.scratch_bytes = 576 : i64
// CHECK: scf.while (%[[N:.*]] = %{{.*}}) : (i64) -> i64 {
// CHECK: scf.condition(%{{.*}}) %[[N]] : i64
// CHECK: ^bb0(%[[M:.*]]: i64):
// CHECK: arith.addf %{{.*}} : vector<16xf32>
// CHECK: scf.yield %{{.*}} : i64
func.func @while(%out: !tile.view<out, 32xf32> {cpu.strides = array<i64: 1>}, %limit: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %ones = tile.constant dense<1.0> : tensor<32xf32>
  %r:2 = scf.while (%x = %ones, %n = %zero) : (tensor<32xf32>, i64) -> (tensor<32xf32>, i64) {
    %more = tile.cmp lt, %n, %limit : i64 -> i1
    scf.condition(%more) %x, %n : tensor<32xf32>, i64
  } do {
  ^bb0(%y: tensor<32xf32>, %m: i64):
    %next = tile.add %y, %y : tensor<32xf32>
    %count = tile.add %m, %one : i64
    scf.yield %next, %count : tensor<32xf32>, i64
  }
  tile.store %r#0, %out[%zero] : tensor<32xf32>, <out, 32xf32>
  return
}

// -----

// Both branches write the result's buffer; a branch without else and results stays one.
// CHECK-LABEL: func.func @tegula_program_if(
// CHECK-DAG: %[[R:.*]] = llvm.getelementptr %{{.*}}[64]
// CHECK: scf.if
// CHECK: math.sqrt
// CHECK: llvm.getelementptr %[[R]]
// CHECK: } else {
// CHECK: llvm.getelementptr %[[R]]
// CHECK: scf.if %{{[^ ]*}} {
// CHECK-NOT: } else {
// CHECK: llvm.call @tegula_cpu_print
func.func @if(%c: i1, %d: i1, %x: f32, %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %r = scf.if %c -> (tensor<64xf32>) {
    %t = tile.broadcast %x : f32 -> tensor<64xf32>
    %s = tile.function sqrt %t : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  } else {
    %z = tile.constant dense<0.0> : tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  scf.if %d {
    tile.print "taken"
  }
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

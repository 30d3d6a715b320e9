// Prints and assertions: a call with the number of the site, and what the site is in the module.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// Sites are numbered in the order of the source. Values are pointers to their elements.
// CHECK: llvm.func @tegula_cpu_print(!llvm.ptr, i64, i64, !llvm.ptr)
// CHECK-LABEL: func.func @tegula_program_print(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[PROGRAM:.*]]: i64, %{{.*}}: i64, %[[CONTEXT:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-SAME: cpu.sites = [{kind = 0 : i64, location = #{{.*}}, text = "first", values = [f32, tensor<4xi32>]}, {kind = 0 : i64, location = #{{.*}}, text = "second", values = []}]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK: llvm.store %{{.*}}, %[[LIST:.*]] : !llvm.ptr, !llvm.ptr
// CHECK: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr
// CHECK: llvm.store %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @tegula_cpu_print(%[[CONTEXT]], %[[ZERO]], %[[PROGRAM]], %{{.*}})
// CHECK: llvm.call @tegula_cpu_print(%[[CONTEXT]], %[[ONE]], %[[PROGRAM]], %{{.*}})
func.func @print(%x: f32) {
  %n = tile.iota axis 0 : tensor<4xi32>
  tile.print "first", %x, %n : f32, tensor<4xi32>
  tile.print "second"
  return
}

// -----

// The location is that of the source.
// CHECK: #[[AT:.*]] = loc("kernel.cpp":12:3)
// CHECK-LABEL: func.func @tegula_program_assert(
// CHECK-SAME: cpu.sites = [{kind = 1 : i64, location = #[[AT]], text = "positive", values = [i64]}]
// CHECK: %[[C:.*]] = arith.cmpi {{(sgt|sle)}}
// CHECK: scf.if
// CHECK: llvm.call @tegula_cpu_assert_failed
// CHECK-NEXT: }
// CHECK: return
func.func @assert(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.assert %c, "positive", %x : i64 : i1 loc("kernel.cpp":12:3)
  return
}

// -----

// A tile of conditions: one call, if any does not hold.
// CHECK-LABEL: func.func @tegula_program_assert_all(
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[SOFAR:.*]] = %{{.*}}) -> (i1)
// CHECK: %[[HERE:.*]] = vector.reduction <and>, %{{.*}} : vector<64xi1> into i1
// CHECK: arith.andi %[[SOFAR]], %[[HERE]] : i1
// CHECK: scf.if
// CHECK: llvm.call @tegula_cpu_assert_failed
// CHECK-NOT: llvm.call @tegula_cpu_assert_failed
// CHECK: return
func.func @assert_all(%in: !tile.view<in, 256xi1> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 256xi1> -> tensor<256xi1>
  tile.assert %x, "all" : tensor<256xi1>
  return
}

// -----

// A bool is shown from a byte.
// CHECK-LABEL: func.func @tegula_program_print_bool(
// CHECK-SAME: values = [i1]
// CHECK: %[[BYTE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK: llvm.store %[[BYTE]]
func.func @print_bool(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.print "c", %c : i1
  return
}

// -----

// What the prover put in is not the author's: another kind of site.
// CHECK-LABEL: func.func @tegula_program_bounds(
// CHECK-SAME: cpu.sites = [{kind = 2 : i64, {{.*}}text = "tile i is outside", values = [i64]}]
// CHECK: llvm.call @tegula_cpu_assert_failed
func.func @bounds(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.assert %c, "tile i is outside", %x : i64 {bounds} : i1
  return
}

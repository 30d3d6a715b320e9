// Prints and assertions: one thread makes room for a record and tells the others where, then each writes what it holds.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// 16 bytes for the record's head, 16 for the scalar, 1024 for the tile.
// CHECK-LABEL: llvm.func @tegula_print(
// CHECK-SAME: %[[MESSAGES:[^ ]*]]: !llvm.ptr<1>, %{{[^ ]*}}: !llvm.ptr<1>) attributes
// CHECK-SAME: simt.shared_bytes = 16 : i64
// CHECK-SAME: simt.sites = [{kind = 0 : i64, location = #{{.*}}, parameter = -1 : i64, text = "first", values = [f32, tensor<256xi32>]}, {kind = 0 : i64, {{.*}}text = "second", values = []}]
// CHECK-NOT: llvm.atomicrmw umax
// CHECK: scf.if
// CHECK: %[[START:.*]] = llvm.atomicrmw add %[[MESSAGES]], %c1056_i64 syncscope("device") monotonic
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i32
// CHECK: %[[FITS:.*]] = arith.cmpi ule
// CHECK: scf.if %[[FITS]]
// CHECK: llvm.store %c1056_i32
// CHECK: %[[PLACE:.*]] = arith.select %[[FITS]], %{{.*}}, %c0_i64 : i64
// CHECK: llvm.store %[[PLACE]], %[[SHELF:.*]] {alignment = 8 : i64} : i64, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: %[[THERE:.*]] = llvm.load %[[SHELF]] {alignment = 8 : i64} : !llvm.ptr<3> -> i64
// CHECK: %[[HAS:.*]] = arith.cmpi ne, %[[THERE]], %c0_i64 : i64
// CHECK: scf.if %[[HAS]]
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<1>
// CHECK-COUNT-4: llvm.store %{{.*}} : i32, !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK: llvm.atomicrmw add %{{.*}}, %c16_i64
func.func @print(%x: f32) {
  %n = tile.iota axis 0 : tensor<256xi32>
  tile.print "first", %x, %n : f32, tensor<256xi32>
  tile.print "second"
  return
}

// -----

// A failure is noted before there is room for its record. All threads take part: the condition is the program's.
// CHECK: #[[AT:.*]] = loc("kernel.cpp":12:3)
// CHECK-LABEL: llvm.func @tegula_assert(
// CHECK-SAME: simt.sites = [{kind = 1 : i64, location = #[[AT]], {{.*}}text = "positive", values = [i64]}]
// CHECK: %[[C:.*]] = arith.cmpi {{(sgt|sle)}}
// CHECK: scf.if
// CHECK: scf.if
// CHECK: llvm.atomicrmw umax %{{.*}} : !llvm.ptr<1>, i64
// CHECK: llvm.atomicrmw add
// CHECK: nvvm.barrier
func.func @assert(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.assert %c, "positive", %x : i64 : i1 loc("kernel.cpp":12:3)
  return
}

// -----

// A tile of conditions: each thread's, then the lanes', then the warps'.
// CHECK-LABEL: llvm.func @tegula_assert_all(
// CHECK: arith.andi %{{.*}} : i1
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i8
// CHECK: scf.if
// CHECK: llvm.atomicrmw umax
// CHECK-NOT: llvm.atomicrmw umax
// CHECK: llvm.return
func.func @assert_all(%in: !tile.view<in, 256xi1> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xi1> -> tensor<256xi1>
  tile.assert %x, "all" : tensor<256xi1>
  return
}

// -----

// What the prover put in is not the author's: another kind of site.
// CHECK-LABEL: llvm.func @tegula_bounds(
// CHECK-SAME: simt.sites = [{kind = 2 : i64, {{.*}}text = "tile i is outside", values = [i64]}]
func.func @bounds(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.assert %c, "tile i is outside", %x : i64 {bounds} : i1
  return
}

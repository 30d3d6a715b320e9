// Claims that are checked: each element's owner is entered in a table, and whoever finds another's number there reports it.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_unchecked(
// CHECK-SAME: simt.claimed = array<i64>
// CHECK-NOT: llvm.cmpxchg
// CHECK: llvm.return
func.func @unchecked(%c: i1, %out: !tile.view<outs, 4x8xf32>, %i: i64) {
  tile.expect %c, "checked by the host"
  tile.claim %out[%i, %i] : <outs, 4x8xf32>
  return
}

// -----

// The table is the last parameter. Numbers are counted from 1, so that 0 stands for nobody.
// CHECK: #[[AT:.*]] = loc("kernel.cpp":12:3)
// CHECK-LABEL: llvm.func @tegula_checked(
// CHECK-SAME: %[[FIRST:[^ ]*]]: i64, %{{[^ ]*}}: i64, %[[MESSAGES:[^ ]*]]: !llvm.ptr<1>, %[[OWNERS:[^ ]*]]: !llvm.ptr<1>, %{{[^ ]*}}: !llvm.ptr<1>)
// CHECK-SAME: simt.claimed = array<i64: 1>
// CHECK-SAME: simt.sites = [{kind = 3 : i64, location = #[[AT]], parameter = 1 : i64, text = "", values = []}]
// CHECK: %[[PROGRAM:.*]] = arith.addi %[[FIRST]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[PROGRAM]], %c1_i64 : i64
// CHECK: %[[ME:.*]] = arith.trunci %[[NEXT]] : i64 to i32
// CHECK: %[[SWAP:.*]] = llvm.cmpxchg %{{.*}}, %c0_i32, %[[ME]] syncscope("device") monotonic monotonic
// CHECK: %[[FOUND:.*]] = llvm.extractvalue %[[SWAP]][0]
// CHECK: arith.cmpi eq, %[[FOUND]], %c0_i32
// CHECK: arith.cmpi eq, %[[FOUND]], %[[ME]]
// CHECK: scf.if
// The failure is noted even if there is no room for the record.
// CHECK: llvm.atomicrmw umax %{{.*}} : !llvm.ptr<1>, i64
// CHECK: llvm.atomicrmw add %[[MESSAGES]], %c48_i64
// CHECK: scf.if
// CHECK: %[[OTHER:.*]] = arith.subi %[[FOUND]], %c1_i32
func.func @checked(%n: i64, %out: !tile.view<outs, 4xf32>, %i: i64) {
  tile.claim %out[%i] {check} : <outs, 4xf32> loc("kernel.cpp":12:3)
  return
}

// -----

// A scatter claims what it is about to write.
// CHECK-LABEL: llvm.func @tegula_scatter(
// CHECK-SAME: simt.claimed = array<i64: 0>
// CHECK: llvm.cmpxchg
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<1>
func.func @scatter(%patch: !tile.view<patch, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %index: !tile.view<in, 64xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %p = tile.load %index[%i] {inside} : <in, 64xi32> -> tensor<64xi32>
  %x = tile.constant dense<1.0> : tensor<64xf32>
  tile.scatter %x, %patch[] by %p axis 0 {check} : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

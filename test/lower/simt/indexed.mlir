// Accesses by positions: each is compared with the extent before it is used, whoever vouches for it.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: llvm.func @tegula_gather(
// CHECK-SAME: %{{[^ ]*}}: !llvm.ptr<1>, %[[EXTENT:[^ ]*]]: i64
// CHECK: %[[POSITION:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[POSITION]], %[[EXTENT]] : i64
// CHECK: %[[AT:.*]] = arith.select %[[IN]]
// CHECK: llvm.load %[[AT]]
func.func @gather(%in: !tile.view<in, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %p: !tile.view<index, 64xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %positions = tile.load %p[%i] {inside} : <index, 64xi32> -> tensor<64xi32>
  %x = tile.gather %in[] by %positions axis 0 : <in, 64xf32>, tensor<64xi32> -> tensor<64xf32>
  tile.store %x, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Both positions of a pair are compared; elements beside each other along another axis are read together.
// CHECK-LABEL: llvm.func @tegula_pairs(
// CHECK: %[[THERE:.*]] = arith.cmpi ult, %{{.*}}, %arg1 : i64
// CHECK-NEXT: %[[TOO:.*]] = arith.cmpi ult, %{{.*}}, %arg2 : i64
// CHECK-NEXT: %[[IN:.*]] = arith.andi %[[THERE]], %[[TOO]] : i1
// CHECK: %[[AT:.*]] = arith.select %[[IN]]
// CHECK: llvm.load %[[AT]] {alignment = 16 : i64}
func.func @pairs(%in: !tile.view<in, 1x1x32xf32> {simt.strides = array<i64: -1, -1, 1>, simt.aligned, simt.whole}, %p: !tile.view<index, 16x1xi32>, %q: !tile.view<index, 16x1xi32>, %out: !tile.view<out, 16x1x32xf32> {simt.strides = array<i64: -1, -1, 1>, simt.aligned, simt.whole}, %i: i64) {
  %pages = tile.load %p[%i, %i] {inside} : <index, 16x1xi32> -> tensor<16x1xi32>
  %slots = tile.load %q[%i, %i] {inside} : <index, 16x1xi32> -> tensor<16x1xi32>
  %x = tile.gather_pairs %in[%i] by %pages, %slots axes [0, 1] {inside} : <in, 1x1x32xf32>, tensor<16x1xi32>, tensor<16x1xi32> -> tensor<16x1x32xf32>
  tile.store %x, %out[%i, %i, %i] {inside} : tensor<16x1x32xf32>, <out, 16x1x32xf32>
  return
}

// -----

// Of equal positions in a tile the last is left: all positions are compared with those after them.
// CHECK-LABEL: llvm.func @tegula_scatter(
// CHECK: llvm.store %{{.*}}, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: %[[HIDDEN:.*]] = scf.for
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> i64
// CHECK: arith.cmpi sgt
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<1>
func.func @scatter(%x: f32, %p: !tile.view<in, 64xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<patch, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %positions = tile.load %p[%i] {inside} : <in, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// Positions that are certified to differ need no comparison.
// CHECK-LABEL: llvm.func @tegula_distinct(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: scf.for
// CHECK: llvm.return
func.func @distinct(%x: f32, %p: !tile.view<distinct, 64xi32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<patch, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %positions = tile.load %p[%i] {inside} : <distinct, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// The same where what lies outside reads as -1, which is no position.
// CHECK-LABEL: llvm.func @tegula_distinct_or_none(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: scf.for
// CHECK: llvm.return
func.func @distinct_or_none(%x: f32, %p: !tile.view<distinct, 64xi32>, %out: !tile.view<patch, 64xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %positions = tile.load %p[%i] pad %none : i32 : <distinct, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// So it is inside the tensor.
// CHECK-LABEL: llvm.func @tegula_none_inside(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: scf.for
// CHECK: llvm.return
func.func @none_inside(%x: f32, %p: !tile.view<distinct_or_none, 64xi32>, %out: !tile.view<patch, 64xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %positions = tile.load %p[%i] pad %none : i32 : <distinct_or_none, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// CHECK-LABEL: llvm.func @tegula_equal_or_none(
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: llvm.return
func.func @equal_or_none(%x: f32, %p: !tile.view<index_or_none, 64xi32>, %out: !tile.view<patch, 64xf32>, %i: i64) {
  %none = tile.constant -1 : i32
  %positions = tile.load %p[%i] pad %none : i32 : <index_or_none, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// A pad that is a position may be there many times.
// CHECK-LABEL: llvm.func @tegula_distinct_or_zero(
// CHECK: nvvm.barrier
// CHECK: scf.for
// CHECK: arith.cmpi sgt
// CHECK: llvm.return
func.func @distinct_or_zero(%x: f32, %p: !tile.view<distinct, 64xi32>, %out: !tile.view<patch, 64xf32>, %i: i64) {
  %zero = tile.constant 0 : i32
  %positions = tile.load %p[%i] pad %zero : i32 {inside} : <distinct, 64xi32> -> tensor<64xi32>
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.scatter %t, %out[] by %positions axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xi32>
  return
}

// -----

// So may the largest number of an unsigned type, and zero where nothing is said.
// CHECK-LABEL: llvm.func @tegula_distinct_unsigned(
// CHECK-COUNT-2: scf.for
// CHECK: llvm.return
func.func @distinct_unsigned(%x: f32, %p: !tile.view<distinct, 64xui32>, %out: !tile.view<patch, 64xf32>, %i: i64) {
  %largest = tile.constant 4294967295 : ui32
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  %one = tile.load %p[%i] pad %largest : ui32 {inside} : <distinct, 64xui32> -> tensor<64xui32>
  tile.scatter %t, %out[] by %one axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xui32>
  %two = tile.load %p[%i] {inside} : <distinct, 64xui32> -> tensor<64xui32>
  tile.scatter %t, %out[] by %two axis 0 : tensor<64xf32>, <patch, 64xf32>, tensor<64xui32>
  return
}

// Reading and writing tensors: 16 bytes at a time where they are aligned, masked where the tile may end outside.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s

// Of a tensor of whole tiles, at an index that is proved, nothing needs a mask. What nobody writes in the launch may be cached.
// CHECK-LABEL: llvm.func @tegula_whole(
// CHECK-NOT: arith.cmpi
// CHECK: llvm.load %[[AT:.*]] {alignment = 16 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64}
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64}
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64}
// CHECK-NOT: llvm.load
// CHECK-NOT: arith.cmpi
// CHECK-NOT: scf.if
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
// CHECK: llvm.return
func.func @whole(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole},
                 %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// A tile that may end outside: loads read elsewhere (the messages' header) and take the pad, stores are left out.
// CHECK-LABEL: llvm.func @tegula_ragged(
// CHECK-SAME: %[[NOTHING:[^ ]*]]: !llvm.ptr<1>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[IN:.*]] = arith.cmpi slt
// CHECK: %[[AT:.*]] = arith.select %[[IN]], %{{.*}}, %[[NOTHING]] : !llvm.ptr<1>
// CHECK: %[[X:.*]] = llvm.load %[[AT]] {alignment = 16 : i64}
// CHECK: arith.select %[[IN]], %[[X]], %[[ZERO]] : f32
// CHECK: %[[OUT:.*]] = arith.cmpi slt
// CHECK: scf.if %[[OUT]] {
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>
func.func @ragged(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned},
                  %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// An index that nobody proved is compared with the number of tiles, not its product with the extent, which may wrap.
// CHECK-LABEL: llvm.func @tegula_unproved(
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: scf.if
// CHECK: llvm.store
func.func @unproved(%x: f32, %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<256xf32>
  tile.store %t, %out[%i] : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// What lies outside is the pad.
// CHECK-LABEL: llvm.func @tegula_pad(
// CHECK: %[[PAD:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[PAD]] : f32
func.func @pad(%pad: f32, %in: !tile.view<in, 64xf32> {simt.strides = array<i64: 1>, simt.aligned}, %out: !tile.view<out, 64xf32>, %i: i64) {
  %x = tile.load %in[%i] pad %pad : f32 : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Without word of alignment, or of strides, elements are accessed one by one.
// CHECK-LABEL: llvm.func @tegula_one_by_one(
// CHECK-NOT: alignment = 16
// CHECK-NOT: vector<
// CHECK: llvm.return
func.func @one_by_one(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>}, %out: !tile.view<out, 256xf32> {simt.aligned}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// A stride of 0: the index does not move the address.
// CHECK-LABEL: llvm.func @tegula_repeated(
// CHECK-SAME: %[[IN:[^ ]*]]: !llvm.ptr<1>
// CHECK: llvm.load %[[IN]] {alignment = 4 : i64}
func.func @repeated(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 0>, simt.whole}, %out: !tile.view<out, 256xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// A bool is a byte in memory, true if it is not 0, and written as 0 or 1.
// CHECK-LABEL: llvm.func @tegula_bool(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> i8
// CHECK: %[[BIT:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func @bool(%in: !tile.view<in, 64xi1> {simt.strides = array<i64: 1>, simt.whole}, %out: !tile.view<out, 64xi1> {simt.strides = array<i64: 1>, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 64xi1> -> tensor<64xi1>
  tile.store %x, %out[%i] {inside} : tensor<64xi1>, <out, 64xi1>
  return
}

// -----

// Of the threads that hold copies of an element, the first stores it: lanes 16 to 31 and the second warp do nothing.
// CHECK-LABEL: llvm.func @tegula_copies(
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 16 : i32
// CHECK: arith.andi %{{.*}}, %[[HIGH]] : i32
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK: llvm.store %{{.*}} : vector<4xf32>
func.func @copies(%x: f32, %out: !tile.view<out, 64xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<64xf32>
  tile.store %t, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// A tensor that is read and written: if the same thread does both there is nothing to wait for, and nothing is cached.
// CHECK-LABEL: llvm.func @tegula_in_place(
// CHECK-NOT: nvvm.barrier
// CHECK-NOT: invariant
// CHECK: llvm.return
func.func @in_place(%v: !tile.view<inout, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %v[%i] {inside} : <inout, 256xf32> -> tensor<256xf32>
  %y = tile.add %x, %x : tensor<256xf32>
  tile.store %y, %v[%i] {inside} : tensor<256xf32>, <inout, 256xf32>
  return
}

// -----

// If threads exchange elements, all have read before one writes.
// CHECK-LABEL: llvm.func @tegula_exchanged(
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK: nvvm.barrier
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<1>
// CHECK: llvm.store %{{.*}} : {{.*}}!llvm.ptr<1>
func.func @exchanged(%v: !tile.view<inout, 512xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %v[%i] {inside} : <inout, 512xf32> -> tensor<512xf32>
  %w = tile.add %x, %x : tensor<512xf32>
  %y = tile.scan sum %w axis 0 : tensor<512xf32>
  tile.store %y, %v[%i] {inside} : tensor<512xf32>, <inout, 512xf32>
  return
}

// -----

// A tile that starts at any element: one element at a time, each compared with the tensor's start and end, though the tensor is
// aligned and has whole tiles.
// CHECK-LABEL: llvm.func @tegula_any_element(
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64}
// CHECK-NOT: llvm.load
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>
func.func @any_element(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole},
                       %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {elements, inside} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

// -----

// An element that nobody proved is compared with the first and the last that a tile may start at.
// CHECK-LABEL: llvm.func @tegula_unproved_element(
// CHECK-DAG: %[[BEFORE:.*]] = arith.constant -256 : i64
// CHECK-DAG: arith.cmpi sgt, %{{.*}}, %[[BEFORE]] : i64
// CHECK-DAG: arith.cmpi slt, %{{.*}}, %{{.*}} : i64
func.func @unproved_element(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>},
                            %out: !tile.view<out, 256xf32> {simt.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] {elements} : <in, 256xf32> -> tensor<256xf32>
  tile.store %x, %out[%i] {inside} : tensor<256xf32>, <out, 256xf32>
  return
}

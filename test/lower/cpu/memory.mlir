// Reading and writing tensors: plain where the tile lies inside, masked where it may not; gathers only for strides that are not known.
// RUN: tegula-opt %s --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tegula_program_contiguous(
// CHECK: scf.if
// CHECK-NOT: masked
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK-NOT: masked
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<16xf32>
// CHECK-NOT: masked
// CHECK: } else {
// CHECK: llvm.intr.masked.load %{{.*}}, %{{.*}}, %{{.*}} {alignment = 4 : i32}
// CHECK-NOT: llvm.store
// CHECK: llvm.intr.masked.store
// CHECK: return
func.func @contiguous(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                      %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// What lies outside is the pad.
// CHECK-LABEL: func.func @tegula_program_pad(
// CHECK: %[[PAD:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: } else {
// CHECK: %[[PADS:.*]] = vector.broadcast %[[PAD]] : f32 to vector<16xf32>
// CHECK: llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[PADS]]
func.func @pad(%pad: f32, %in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
               %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] pad %pad : f32 : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// CHECK-LABEL: func.func @tegula_program_unknown_strides(
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: scf.if
// CHECK: llvm.intr.masked.gather %{{.*}}, %[[ALL]] {alignment = 4 : i32}
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[ALL]] {alignment = 4 : i32}
// CHECK: } else {
// CHECK-NOT: %[[ALL]]
// CHECK: llvm.intr.masked.gather
// CHECK-NOT: %[[ALL]]
// CHECK: llvm.intr.masked.scatter
// CHECK: return
func.func @unknown_strides(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: -1>},
                           %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: -1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// Without word of its strides a tensor may have any.
// CHECK-LABEL: func.func @tegula_program_unspecialised(
// CHECK: llvm.intr.masked.gather
// CHECK: llvm.intr.masked.scatter
func.func @unspecialised(%in: !tile.view<in, 64xf32>, %out: !tile.view<out, 64xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// A stride of 0: one element, read once and repeated. At the edge it is read from scratch memory where it is not there.
// CHECK-LABEL: func.func @tegula_program_repeated(
// CHECK-SAME: %[[SCRATCH:[^ ,]*]]: !llvm.ptr) attributes
// CHECK-NOT: gather
// CHECK: scf.if
// CHECK: %[[ONE:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// CHECK: } else {
// CHECK: %[[SAFE:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[SCRATCH]]
// CHECK: llvm.load %[[SAFE]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NOT: gather
// CHECK: return
func.func @repeated(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 0>},
                    %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// A bool is a byte in memory, true if it is not 0, and written as 0 or 1.
// CHECK-LABEL: func.func @tegula_program_bool(
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<64xi8>
// CHECK: %[[BITS:.*]] = arith.cmpi ne, %[[BYTES]], %{{.*}} : vector<64xi8>
// CHECK: %[[BACK:.*]] = arith.extui %[[BITS]] : vector<64xi1> to vector<64xi8>
// CHECK: llvm.store %[[BACK]]
func.func @bool(%in: !tile.view<in, 64xi1> {cpu.strides = array<i64: 1>},
                %out: !tile.view<out, 64xi1> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xi1> -> tensor<64xi1>
  tile.store %x, %out[%i] : tensor<64xi1>, <out, 64xi1>
  return
}

// One element: it is always there.
// CHECK-LABEL: func.func @tegula_program_scalar(
// CHECK-NOT: scf.if
// CHECK-NOT: masked
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT: llvm.store %[[X]], %{{.*}} {alignment = 4 : i64} : f32
func.func @scalar(%in: !tile.view<in, f32>, %out: !tile.view<out, f32>) {
  %x = tile.load %in[] : <in, f32> -> f32
  tile.store %x, %out[] : f32, <out, f32>
  return
}

// Stored elements without lanes are guarded one by one.
// CHECK-LABEL: func.func @tegula_program_single(
// CHECK: } else {
// CHECK: scf.if
// CHECK-NEXT: llvm.store %{{.*}} : f32
func.func @single(%x: f32, %out: !tile.view<out, 1x1xf32>, %i: i64) {
  %t = tile.broadcast %x : f32 -> tensor<1x1xf32>
  tile.store %t, %out[%i, %i] : tensor<1x1xf32>, <out, 1x1xf32>
  return
}

// The index is compared, not its product with the extent, which may wrap: index 2^60 is not index 0. Negative ones are outside too.
// CHECK-LABEL: func.func @tegula_program_far(
// CHECK: %[[INDEX:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: arith.cmpi ult, %[[INDEX]], %{{.*}} : i64
func.func @far(%i: i64, %in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
               %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// An index that is known to touch the tensor is not compared with the number of tiles; the tile may still end outside.
// CHECK-LABEL: func.func @tegula_program_inside(
// CHECK-NOT: arith.cmpi ult
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi ult
// CHECK: scf.if
// CHECK: llvm.intr.masked.store
// CHECK: return
func.func @inside(%out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.constant dense<1.0> : tensor<64xf32>
  tile.store %x, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

// A tile that starts at any element may also begin outside.
// CHECK-LABEL: func.func @tegula_program_any_element(
// CHECK-DAG: %[[BEFORE:.*]] = arith.maxsi
// CHECK: scf.if
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: } else {
// CHECK: %[[SKIP:.*]] = arith.subi %[[BEFORE]]
// CHECK: arith.cmpi sle, %{{.*}} : vector<16xi32>
// CHECK: %[[LANES:.*]] = arith.andi %{{.*}} : vector<16xi1>
// CHECK: llvm.intr.masked.load %{{.*}}, %[[LANES]]
func.func @any_element(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                       %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] {elements, inside} : <in, 64xf32> -> tensor<64xf32>
  tile.store %x, %out[%i] {inside} : tensor<64xf32>, <out, 64xf32>
  return
}

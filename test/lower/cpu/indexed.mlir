// Slices at positions: a row that lies together in memory is one vector, whatever its position; each position is compared once a slice.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tegula_program_rows(
// CHECK: scf.for
// CHECK: %[[AT:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : i64
// CHECK: %[[FROM:.*]] = llvm.select %[[IN]], %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK: %[[ROW:.*]] = llvm.load %[[FROM]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.select %[[IN]], %[[ROW]], %{{.*}} : vector<16xf32>
// CHECK-NOT: masked
// CHECK: } else {
// CHECK: llvm.intr.masked.load
func.func @rows(%in: !tile.view<in, 1x64xf32> {cpu.strides = array<i64: -1, 1>},
                %index: !tile.view<index, 16xi32> {cpu.strides = array<i64: 1>},
                %out: !tile.view<out, 16x64xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64, %j: i64) {
  %p = tile.load %index[%i] : <index, 16xi32> -> tensor<16xi32>
  %x = tile.gather %in[%j] by %p axis 0 : <in, 1x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  tile.store %x, %out[%i, %j] : tensor<16x64xf32>, <out, 16x64xf32>
  return
}

// -----

// Along the axis of the positions, lanes have addresses of their own.
// CHECK-LABEL: func.func @tegula_program_elements(
// CHECK: %[[AT:.*]] = arith.extui %{{.*}} : vector<{{.*}}xi32> to vector<{{.*}}xi64>
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %{{.*}}
// CHECK: llvm.intr.masked.gather %{{.*}}, %[[IN]], %{{.*}} {alignment = 4 : i32}
func.func @elements(%in: !tile.view<in, 16xf32> {cpu.strides = array<i64: 1>},
                    %index: !tile.view<in, 16xui32> {cpu.strides = array<i64: 1>},
                    %out: !tile.view<out, 16xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %p = tile.load %index[%i] : <in, 16xui32> -> tensor<16xui32>
  %x = tile.gather %in[] by %p axis 0 : <in, 16xf32>, tensor<16xui32> -> tensor<16xf32>
  tile.store %x, %out[%i] : tensor<16xf32>, <out, 16xf32>
  return
}

// -----

// A row is stored if its position lies inside.
// CHECK-LABEL: func.func @tegula_program_scatter_rows(
// CHECK: scf.for
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: llvm.store %{{.*}} {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
// CHECK: } else {
// CHECK: llvm.intr.masked.store
func.func @scatter_rows(%patch: !tile.view<patch, 1x64xf32> {cpu.strides = array<i64: -1, 1>},
                        %index: !tile.view<distinct, 16xi32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %p = tile.load %index[%i] : <distinct, 16xi32> -> tensor<16xi32>
  %x = tile.constant dense<1.0> : tensor<16x64xf32>
  tile.scatter %x, %patch[%i] by %p axis 0 : tensor<16x64xf32>, <patch, 1x64xf32>, tensor<16xi32>
  return
}

// -----

// The bound follows the strides.
// CHECK-LABEL: func.func @tegula_program_bound(
// CHECK: %[[WORD:.*]] = llvm.getelementptr %arg0[3]
// CHECK: %[[BOUND:.*]] = llvm.load %[[WORD]] : !llvm.ptr -> i64
// CHECK: llvm.store %[[BOUND]]
func.func @bound(%index: !tile.view<index, 16xi32>, %out: !tile.view<out, i64>) {
  %b = tile.bound %index : <index, 16xi32>
  tile.store %b, %out[] : i64, <out, i64>
  return
}

// -----

// Pairs of positions: both are compared, and a row that lies together in memory is one vector all the same.
// CHECK-LABEL: func.func @tegula_program_pages(
// CHECK: %[[PAGE:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[THERE:.*]] = arith.cmpi ult, %[[PAGE]], %{{.*}} : i64
// CHECK: %[[SLOT:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[TOO:.*]] = arith.cmpi ult, %[[SLOT]], %{{.*}} : i64
// CHECK: %[[IN:.*]] = arith.andi %[[THERE]], %[[TOO]] : i1
// CHECK: %[[FROM:.*]] = llvm.select %[[IN]], %{{.*}}, %{{.*}} : i1, !llvm.ptr
// CHECK: llvm.load %[[FROM]] {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
func.func @pages(%in: !tile.view<in, 1x1x64xf32> {cpu.strides = array<i64: -1, -1, 1>}, %p: !tile.view<index, 16x1xi32>,
                 %q: !tile.view<index, 16x1xi32>, %out: !tile.view<out, 16x1x64xf32> {cpu.strides = array<i64: -1, -1, 1>}, %i: i64) {
  %pages = tile.load %p[%i, %i] : <index, 16x1xi32> -> tensor<16x1xi32>
  %slots = tile.load %q[%i, %i] : <index, 16x1xi32> -> tensor<16x1xi32>
  %x = tile.gather_pairs %in[%i] by %pages, %slots axes [0, 1] : <in, 1x1x64xf32>, tensor<16x1xi32>, tensor<16x1xi32> -> tensor<16x1x64xf32>
  tile.store %x, %out[%i, %i, %i] : tensor<16x1x64xf32>, <out, 16x1x64xf32>
  return
}

// A kernel becomes a function of one program: arguments as words, this program, all programs, context, scratch memory. No tile is left.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// Words: a view's pointer, its extents, its strides; a scalar's low bytes. Unused ones are not read.
// CHECK-LABEL: func.func @tegula_program_parameters(
// CHECK-SAME: %[[WORDS:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-SAME: cpu.scratch_bytes = 64 : i64, cpu.sites = []
// CHECK-NOT: tile.
// CHECK-DAG: %[[BYTE:.*]] = llvm.load %[[WORDS]] : !llvm.ptr -> i8
// CHECK-DAG: arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CHECK-DAG: %[[SECOND:.*]] = llvm.getelementptr %[[WORDS]][3] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-DAG: llvm.load %[[SECOND]] : !llvm.ptr -> i64
// CHECK-DAG: %[[HALF_AT:.*]] = llvm.getelementptr %[[WORDS]][6] : (!llvm.ptr) -> !llvm.ptr, i64
// CHECK-DAG: llvm.load %[[HALF_AT]] : !llvm.ptr -> {{[fi]16$}}
// CHECK-NOT: tile.
// CHECK: return
func.func @parameters(%flag: i1, %in: !tile.view<in, 4x8xf32>, %half: f16, %a: !tile.view<out, i64>, %b: !tile.view<out, f16>) {
  %d = tile.dim %in axis 1 : <in, 4x8xf32>
  %zero = tile.constant 0 : i64
  %r = tile.select %flag, %d, %zero : i1, i64
  tile.store %r, %a[] : i64, <out, i64>
  tile.store %half, %b[] : f16, <out, f16>
  return
}

// -----

// CHECK-LABEL: func.func @tegula_program_programs(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[PROGRAM:.*]]: i64, %[[PROGRAMS:.*]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-DAG: llvm.store %[[PROGRAM]], %{{.*}} : i64
// CHECK-DAG: llvm.store %[[PROGRAMS]], %{{.*}} : i64
func.func @programs(%a: !tile.view<out, i64>, %b: !tile.view<out, i64>) {
  %p = tile.program_id : i64
  %n = tile.num_programs : i64
  tile.store %p, %a[] : i64, <out, i64>
  tile.store %n, %b[] : i64, <out, i64>
  return
}

// -----

// Tiles that cover an axis: rounded up, by a shift.
// CHECK-LABEL: func.func @tegula_program_tiles(
// CHECK-DAG: %[[REST:.*]] = arith.constant 31 : i64
// CHECK-DAG: %[[LOG:.*]] = arith.constant 5 : i64
// CHECK: %[[PADDED:.*]] = arith.addi %{{.*}}, %[[REST]] : i64
// CHECK: arith.shrui %[[PADDED]], %[[LOG]] : i64
func.func @tiles(%in: !tile.view<in, 32xf32>, %out: !tile.view<out, i64>) {
  %n = tile.num_tiles %in axis 0 : <in, 32xf32>
  tile.store %n, %out[] : i64, <out, i64>
  return
}

// -----

// Pieces are numbered in row-major order: the last axis runs fastest.
// CHECK-LABEL: func.func @tegula_program_pieces(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[PROGRAM:[^ ]*]]: i64
// CHECK-DAG: arith.rem{{[us]}}i %[[PROGRAM]], %[[COUNT:.*]] : i64
// CHECK-DAG: arith.div{{[us]}}i %[[PROGRAM]], %[[COUNT]] : i64
func.func @pieces(%x: f32, %out: !tile.view<out, 4x8xf32> {cpu.strides = array<i64: -1, 1>}) {
  %i = tile.program_index %out axis 0 : <out, 4x8xf32>
  %j = tile.program_index %out axis 1 : <out, 4x8xf32>
  %t = tile.broadcast %x : f32 -> tensor<4x8xf32>
  tile.store %t, %out[%i, %j] : tensor<4x8xf32>, <out, 4x8xf32>
  return
}

// -----

// Tiles in scratch memory start at cache lines; the first line is kept free.
// CHECK-LABEL: func.func @tegula_program_scratch(
// CHECK-SAME: %[[SCRATCH:[^ ,]*]]: !llvm.ptr) attributes
// CHECK-SAME: cpu.scratch_bytes = 256 : i64
// CHECK-DAG: llvm.getelementptr %[[SCRATCH]][64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-DAG: llvm.getelementptr %[[SCRATCH]][128] : (!llvm.ptr) -> !llvm.ptr, i8
func.func @scratch(%in: !tile.view<in, 4x16xf32> {cpu.strides = array<i64: -1, 1>}, %a: !tile.view<out, 4x1xf32>,
                   %b: !tile.view<out, 1x16xf64>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 4x16xf32> -> tensor<4x16xf32>
  %rows = tile.reduce sum %x axis 1 : tensor<4x16xf32> -> tensor<4x1xf32>
  %wide = tile.cast %x : tensor<4x16xf32> -> tensor<4x16xf64>
  %columns = tile.reduce sum %wide axis 0 : tensor<4x16xf64> -> tensor<1x16xf64>
  tile.store %rows, %a[%i, %i] : tensor<4x1xf32>, <out, 4x1xf32>
  tile.store %columns, %b[%i, %i] : tensor<1x16xf64>, <out, 1x16xf64>
  return
}

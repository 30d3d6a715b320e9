// What an element is: chains of element-wise operations and changes of shape are one expression, without a tile in memory.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @tegula_program_fused(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK: scf.for
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %{{.*}} : vector<16xf32>
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[X]] : vector<16xf32>
// CHECK: llvm.store %[[PRODUCT]]
func.func @fused(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                 %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %one = tile.constant dense<1.0> : tensor<64xf32>
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %sum = tile.add %x, %one : tensor<64xf32>
  %product = tile.mul %sum, %x : tensor<64xf32>
  tile.store %product, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// An element read twice is loaded once.
// CHECK-LABEL: func.func @tegula_program_shared(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK: scf.for
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK: } else {
func.func @shared(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                  %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %square = tile.mul %x, %x : tensor<64xf32>
  %sum = tile.add %square, %x : tensor<64xf32>
  tile.store %sum, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Counting: the lane's own number along its axis, one number for all lanes along another.
// CHECK-LABEL: func.func @tegula_program_iota(
// CHECK-DAG: %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi64>
// CHECK: scf.for %[[ROW:[^ ]*]] =
// CHECK: %[[ROWS:.*]] = vector.broadcast %[[ROW]] : i64 to vector<8xi64>
// CHECK: arith.addi %[[ROWS]], %{{.*}} : vector<8xi64>
func.func @iota(%out: !tile.view<out, 4x8xi64> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %row = tile.iota axis 0 : tensor<4x8xi64>
  %column = tile.iota axis 1 : tensor<4x8xi64>
  %sum = tile.add %row, %column : tensor<4x8xi64>
  tile.store %sum, %out[%i, %i] : tensor<4x8xi64>, <out, 4x8xi64>
  return
}

// -----

// A column repeated along the lanes is one element; a row repeated along other axes is a vector.
// CHECK-LABEL: func.func @tegula_program_broadcast(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK: scf.if
// CHECK-DAG: %[[ONE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK-DAG: %[[MANY:.*]] = vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// CHECK-DAG: %[[ROW:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: arith.addf %[[MANY]], %[[ROW]] : vector<16xf32>
// CHECK: } else {
func.func @broadcast(%a: !tile.view<in, 8x1xf32> {cpu.strides = array<i64: 1, 1>},
                     %b: !tile.view<in, 1x16xf32> {cpu.strides = array<i64: -1, 1>},
                     %out: !tile.view<out, 8x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 8x1xf32> -> tensor<8x1xf32>
  %y = tile.load %b[%i, %i] : <in, 1x16xf32> -> tensor<1x16xf32>
  %columns = tile.broadcast %x : tensor<8x1xf32> -> tensor<8x16xf32>
  %rows = tile.broadcast %y : tensor<1x16xf32> -> tensor<8x16xf32>
  %sum = tile.add %columns, %rows : tensor<8x16xf32>
  tile.store %sum, %out[%i, %i] : tensor<8x16xf32>, <out, 8x16xf32>
  return
}

// -----

// A transposed tile read along the axis that is contiguous in the tensor needs no gather.
// CHECK-LABEL: func.func @tegula_program_permute(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK-NOT: gather
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.store %{{.*}} : vector<16xf32>
// CHECK-NOT: gather
// CHECK: return
func.func @permute(%in: !tile.view<in, 16x16xf32> {cpu.strides = array<i64: 1, -1>},
                   %out: !tile.view<out, 16x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 16x16xf32> -> tensor<16x16xf32>
  %t = tile.permute %x [1, 0] : tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %t, %out[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

// -----

// Adding an axis of extent 1 costs nothing.
// CHECK-LABEL: func.func @tegula_program_reshape(
// CHECK-SAME: cpu.scratch_bytes = 64 : i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: llvm.store %{{.*}} : vector<16xf32>
func.func @reshape(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                   %out: !tile.view<out, 1x64x1xf32> {cpu.strides = array<i64: -1, 1, -1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.reshape %x : tensor<64xf32> -> tensor<1x64x1xf32>
  tile.store %r, %out[%i, %i, %i] : tensor<1x64x1xf32>, <out, 1x64x1xf32>
  return
}

// -----

// One that moves elements to other axes reads the operand's buffer under another shape. A counter gets a buffer for it.
// CHECK-LABEL: func.func @tegula_program_reshape_iota(
// CHECK-SAME: cpu.scratch_bytes = 192 : i64
// CHECK: llvm.store %{{.*}} : vector<8xi32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<16xi32>
func.func @reshape_iota(%out: !tile.view<out, 32xi32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %n = tile.iota axis 0 : tensor<4x8xi32>
  %r = tile.reshape %n : tensor<4x8xi32> -> tensor<32xi32>
  tile.store %r, %out[%i] : tensor<32xi32>, <out, 32xi32>
  return
}

// -----

// A tile of one element becomes a scalar: read where it is, the pad if it lies outside.
// CHECK-LABEL: func.func @tegula_program_to_scalar(
// CHECK: llvm.select
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: math.sqrt %{{.*}} : f32
func.func @to_scalar(%in: !tile.view<in, 1xf32>, %out: !tile.view<out, f32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 1xf32> -> tensor<1xf32>
  %s = tile.reshape %x : tensor<1xf32> -> f32
  %r = tile.function sqrt %s : f32
  tile.store %r, %out[] : f32, <out, f32>
  return
}

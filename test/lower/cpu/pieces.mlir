// Tiles made of tiles.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// Side by side: the second half starts where the first ends.
// CHECK-LABEL: func.func @tegula_program_concat(
// CHECK-DAG: %[[SHIFT:.*]] = arith.constant 16 : i64
// CHECK: %[[R:.*]] = llvm.getelementptr %{{.*}}[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.store %{{.*}} : vector<16xf32>
// CHECK: %[[SECOND:.*]] = arith.addi %{{.*}}, %[[SHIFT]] : i64
// CHECK: llvm.store %{{.*}} : vector<16xf32>
func.func @concat(%a: f32, %b: f32, %out: !tile.view<out, 4x32xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.broadcast %a : f32 -> tensor<4x16xf32>
  %y = tile.broadcast %b : f32 -> tensor<4x16xf32>
  %r = tile.concat %x, %y axis 1 : tensor<4x16xf32> -> tensor<4x32xf32>
  tile.store %r, %out[%i, %i] : tensor<4x32xf32>, <out, 4x32xf32>
  return
}

// -----

// An index that is not known is held inside, as unsigned so that negative ones are, too. An assertion before it says whether it was
// outside, if the prover has found that necessary.
// CHECK-LABEL: func.func @tegula_program_extract(
// CHECK-SAME: cpu.sites = []
// CHECK-DAG: %[[LAST:.*]] = arith.constant 3 : i64
// CHECK: %[[INDEX:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK: %[[INSIDE:.*]] = arith.minui %[[INDEX]], %[[LAST]] : i64
// CHECK: arith.muli %[[INSIDE]], %{{.*}} : i64
func.func @extract(%index: i64, %in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                   %out: !tile.view<out, 16xf32> {cpu.strides = array<i64: 1>}) {
  %zero = tile.constant 0 : i64
  %x = tile.load %in[%zero] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.extract %x[%index] : tensor<64xf32> -> tensor<16xf32>
  tile.store %r, %out[%zero] : tensor<16xf32>, <out, 16xf32>
  return
}

// -----

// One that is known to be inside need not be.
// CHECK-LABEL: func.func @tegula_program_extract_known(
// CHECK-NOT: arith.minui
// CHECK: return
func.func @extract_known(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                         %out: !tile.view<out, 16xf32> {cpu.strides = array<i64: 1>}) {
  %zero = tile.constant 0 : i64
  %three = tile.constant 3 : i64
  %x = tile.load %in[%zero] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.extract %x[%three] : tensor<64xf32> -> tensor<16xf32>
  tile.store %r, %out[%zero] : tensor<16xf32>, <out, 16xf32>
  return
}

// -----

// Of one that is known to be outside, the last one is taken: element 48.
// CHECK-LABEL: func.func @tegula_program_extract_outside(
// CHECK-DAG: %{{.*}} = arith.constant 48 : i64
// CHECK: return
func.func @extract_outside(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                           %out: !tile.view<out, 16xf32> {cpu.strides = array<i64: 1>}) {
  %zero = tile.constant 0 : i64
  %four = tile.constant 4 : i64
  %x = tile.load %in[%zero] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.extract %x[%four] : tensor<64xf32> -> tensor<16xf32>
  tile.store %r, %out[%zero] : tensor<16xf32>, <out, 16xf32>
  return
}

// -----

// The rest of the tile first, then the piece over it. What it was made from is not touched.
// CHECK-LABEL: func.func @tegula_program_insert(
// CHECK-DAG: %[[R:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: arith.minui
// CHECK: llvm.store %{{.*}} : vector<16xf32>
// CHECK: arith.addi
// CHECK: llvm.store %{{.*}} : vector<16xf32>
func.func @insert(%index: i64, %x: f32, %in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                  %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}) {
  %zero = tile.constant 0 : i64
  %whole = tile.load %in[%zero] : <in, 64xf32> -> tensor<64xf32>
  %piece = tile.broadcast %x : f32 -> tensor<16xf32>
  %r = tile.insert %piece into %whole[%index] : tensor<16xf32> -> tensor<64xf32>
  tile.store %r, %out[%zero] : tensor<64xf32>, <out, 64xf32>
  return
}

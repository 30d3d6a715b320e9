// A few of a long line: a threshold is found with barriers that count, and only what it lets through is sorted.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts | FileCheck %s --check-prefix=LAYOUTS

// 128 threads, 16 elements each: one group to a thread makes four times as many groups as the 32 elements that are wanted.
// CHECK-LABEL: llvm.func @tegula_few(
// One value of a thread to be counted, then 16 of them in five steps; each in a loop that goes on only if it is needed.
// CHECK: scf.while
// CHECK: nvvm.barrier #nvvm.reduction<popc>
// CHECK-NOT: nvvm.barrier
// CHECK: scf.yield
// CHECK-COUNT-5: nvvm.barrier #nvvm.reduction<popc>
// CHECK: scf.while
// CHECK-COUNT-5: nvvm.barrier #nvvm.reduction<popc>
// CHECK: scf.yield
// Equal keys: the same for their indices.
// CHECK: scf.if
// CHECK: scf.while
// CHECK-COUNT-5: nvvm.barrier #nvvm.reduction<popc>
// CHECK-NOT: #nvvm.reduction<popc>
// Places for what was chosen.
// CHECK: nvvm.shfl.sync  up
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr<3>
// One warp sorts 64 pairs, two to a lane: 15 exchanges between lanes.
// CHECK: nvvm.barrier{{$}}
// CHECK-COUNT-60: nvvm.shfl.sync  bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: nvvm.barrier{{$}}

// The tile stays as it was loaded; the results lie as they are stored.
// LAYOUTS-LABEL: func.func @few(
// LAYOUTS: tile.load {{.*}}registers = [1, 2, 512, 1024], lanes = [4, 8, 16, 32, 64], warps = [128, 256]
// LAYOUTS-NOT: tile.relayout
// LAYOUTS: tile.sort {{.*}}registers = [1, 2], lanes = [4, 8, 16, 0, 0], warps = [0, 0]
// LAYOUTS-NOT: tile.relayout
// LAYOUTS: tile.store
func.func @few(%in: !tile.view<in, 2048xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 32xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 2048xf32> -> tensor<2048xf32>
  %v, %n = tile.sort %x axis 0 descending : tensor<2048xf32> -> tensor<32xf32>, tensor<32xi32>
  tile.store %v, %out[%i] {inside} : tensor<32xf32>, <out, 32xf32>
  return
}

// -----

// Half of a line is not a few.
// CHECK-LABEL: llvm.func @tegula_half(
// CHECK-NOT: #nvvm.reduction
func.func @half(%in: !tile.view<in, 256xf32> {simt.strides = array<i64: 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 128xf32>, %i: i64) {
  %x = tile.load %in[%i] {inside} : <in, 256xf32> -> tensor<256xf32>
  %v, %n = tile.sort %x axis 0 : tensor<256xf32> -> tensor<128xf32>, tensor<128xi32>
  tile.store %v, %out[%i] {inside} : tensor<128xf32>, <out, 128xf32>
  return
}

// -----

// Two lines are sorted as a whole.
// CHECK-LABEL: llvm.func @tegula_lines(
// CHECK-NOT: #nvvm.reduction
func.func @lines(%in: !tile.view<in, 2x256xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %out: !tile.view<out, 2x8xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] {inside} : <in, 2x256xf32> -> tensor<2x256xf32>
  %v, %n = tile.sort %x axis 1 : tensor<2x256xf32> -> tensor<2x8xf32>, tensor<2x8xi32>
  tile.store %v, %out[%i, %i] {inside} : tensor<2x8xf32>, <out, 2x8xf32>
  return
}

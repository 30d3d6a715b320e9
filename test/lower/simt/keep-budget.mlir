// Which tiles stay in shared memory depends on the GPU: half of what it has, less what reductions need, for two programs at a time.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-keep | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: tegula-opt %s --split-input-file --tile-simt-target="gpu=sm_80 warps=4" --tile-simt-keep | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: tegula-opt %s --split-input-file --tile-simt-target="gpu=sm_86 warps=4" --tile-simt-keep | FileCheck %s --check-prefixes=CHECK,SMALL

// A tile of 64 KiB: of 227 and of 163 KiB, but not of 99.
// CHECK-LABEL: func.func @one(
// HOPPER-COUNT-2: simt.kept = 0
// AMPERE-COUNT-2: simt.kept = 0
// SMALL-NOT: simt.kept
// CHECK: return
func.func @one(%x: !tile.view<in, 1x16384xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %y: !tile.view<out, 1x16384xf32>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x16384xf32> -> tensor<1x16384xf32>
  %m = tile.reduce max %t axis 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x16384xf32>
  %d = tile.sub %t, %b : tensor<1x16384xf32>
  tile.store %d, %y[%i, %j] : tensor<1x16384xf32>, <out, 1x16384xf32>
  return
}

// -----

// Two of 64 KiB and 32 KiB: the second fits beside the first on Hopper alone.
// CHECK-LABEL: func.func @two(
// HOPPER: tile.load %arg0{{.*}}simt.kept = 0
// HOPPER: tile.load %arg1{{.*}}simt.kept = 1
// AMPERE: tile.load %arg0{{.*}}simt.kept = 0
// AMPERE-NOT: tile.load %arg1{{.*}}simt.kept
// SMALL-NOT: tile.load %arg0{{.*}}simt.kept
// SMALL: tile.load %arg1{{.*}}simt.kept = 0
// CHECK: return
func.func @two(%x: !tile.view<in, 1x16384xf32> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole}, %w: !tile.view<in, 1x16384xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned, simt.whole},
               %y: !tile.view<out, 1x16384xf32>, %z: !tile.view<out, 1x16384xbf16>, %i: i64, %j: i64) {
  %t = tile.load %x[%i, %j] {inside} : <in, 1x16384xf32> -> tensor<1x16384xf32>
  %m = tile.reduce max %t axis 1 : tensor<1x16384xf32> -> tensor<1x1xf32>
  %b = tile.broadcast %m : tensor<1x1xf32> -> tensor<1x16384xf32>
  %d = tile.sub %t, %b : tensor<1x16384xf32>
  tile.store %d, %y[%i, %j] : tensor<1x16384xf32>, <out, 1x16384xf32>
  %s = tile.load %w[%i, %j] {inside} : <in, 1x16384xbf16> -> tensor<1x16384xbf16>
  %n = tile.reduce max %s axis 1 : tensor<1x16384xbf16> -> tensor<1x1xbf16>
  %c = tile.broadcast %n : tensor<1x1xbf16> -> tensor<1x16384xbf16>
  %e = tile.sub %s, %c : tensor<1x16384xbf16>
  tile.store %e, %z[%i, %j] : tensor<1x16384xbf16>, <out, 1x16384xbf16>
  return
}

// -----

// With one warp nothing but its registers lies between two uses.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=1 --tile-simt-keep | FileCheck %s --check-prefix=ONE
// ONE-NOT: simt.kept

// How many iterations are loaded ahead of their use: as many as were asked for, if shared memory holds them.
// RUN: tegula-opt %s --tile-simt-target --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: tegula-opt %s --tile-simt-target=stages=2 --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: tegula-opt %s --tile-simt-target=stages=1 --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: tegula-opt %s --tile-simt-target=stages=16 --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: tegula-opt %s --tile-simt-target="gpu=sm_80 stages=16" --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: tegula-opt %s --tile-simt-target="gpu=sm_86" --tile-simt-stage | FileCheck %s --check-prefixes=CHECK,SMALL

// 32 KiB an iteration, beside 32 KiB for changes of layout: of 227 KiB six, of 163 KiB four, of 99 KiB two.
// CHECK-LABEL: func.func @product(
// THREE-COUNT-2: tile.load {{.*}}simt.stages = 3 : i64
// TWO-COUNT-2: tile.load {{.*}}simt.stages = 2 : i64
// SIX-COUNT-2: tile.load {{.*}}simt.stages = 6 : i64
// FOUR-COUNT-2: tile.load {{.*}}{simt.stages = 4 : i64}
// SMALL-COUNT-2: tile.load {{.*}}{simt.stages = 2 : i64}
// NONE-NOT: tile.load {{.*}}simt.stages
// CHECK: return
func.func @product(%a: !tile.view<in, 128x64xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 64x128xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                   %out: !tile.view<out, 128x128xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<128x128xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 128x64xbf16> -> tensor<128x64xbf16>
    %y = tile.load %b[%k, %i] : <in, 64x128xbf16> -> tensor<64x128xbf16>
    %s = tile.mma %x, %y, %acc : tensor<128x64xbf16>, tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %s : tensor<128x128xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<128x128xf32>, <out, 128x128xf32>
  return
}

// Two slots of 96 KiB fit a Hopper GPU; one does not make a ring.
// RUN: tegula-opt %s --tile-simt-target --tile-simt-stage | FileCheck %s --check-prefix=WIDE
// RUN: tegula-opt %s --tile-simt-target=gpu=sm_80 --tile-simt-stage | FileCheck %s --check-prefix=NARROW
// WIDE-LABEL: func.func @wide(
// WIDE-COUNT-2: tile.load {{.*}}simt.stages = 2 : i64
// NARROW-LABEL: func.func @wide(
// NARROW-NOT: simt.stages
func.func @wide(%a: !tile.view<in, 256x128xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned}, %b: !tile.view<in, 128x128xbf16> {simt.strides = array<i64: -1, 1>, simt.aligned},
                %out: !tile.view<out, 256x128xf32>, %i: i64, %n: i64) {
  %zero = tile.constant dense<0.0> : tensor<256x128xf32>
  %first = tile.constant 0 : i64
  %step = tile.constant 1 : i64
  %r = scf.for %k = %first to %n step %step iter_args(%acc = %zero) -> (tensor<256x128xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 256x128xbf16> -> tensor<256x128xbf16>
    %y = tile.load %b[%k, %i] : <in, 128x128xbf16> -> tensor<128x128xbf16>
    %s = tile.mma %x, %y, %acc : tensor<256x128xbf16>, tensor<128x128xbf16> -> tensor<256x128xf32>
    scf.yield %s : tensor<256x128xf32>
  }
  tile.store %r, %out[%i, %i] : tensor<256x128xf32>, <out, 256x128xf32>
  return
}

// What loads and stores ask for: whole runs of 32 bytes and more for a warp, and no more moves than that takes.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts | FileCheck %s

// A transposed store of rows would write elements far apart: the tile is moved first.
// CHECK-LABEL: func.func @transpose(
// CHECK: %[[X:.*]] = tile.load {{.*}} {tile.layout = #tile.layout<registers = [1, 2, 512], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: %[[P:.*]] = tile.permute %[[X]] [1, 0] {tile.layout = #tile.layout<registers = [32, 64, 16], lanes = [128, 256, 512, 1, 2], warps = [4, 8]>}
// CHECK: %[[Y:.*]] = tile.relayout %[[P]] {tile.layout = #tile.layout<registers = [1, 2, 512], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: tile.store %[[Y]]
func.func @transpose(%in: !tile.view<in, 32x32xf32> {simt.strides = array<i64: -1, 1>}, %out: !tile.view<out, 32x32xf32> {simt.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 32x32xf32> -> tensor<32x32xf32>
  %y = tile.permute %x [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %y, %out[%i, %i] : tensor<32x32xf32>, <out, 32x32xf32>
  return
}

// -----

// What a store gets is good enough as it is: rows of 4 lanes with 8 elements each.
// CHECK-LABEL: func.func @runs(
// CHECK-NOT: tile.relayout
// CHECK: tile.store
func.func @runs(%in: !tile.view<in, 64x32xbf16>, %out: !tile.view<out, 64x32xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.cast %x : tensor<64x32xbf16> -> tensor<64x32xf32>
  tile.store %y, %out[%i, %i] : tensor<64x32xf32>, <out, 64x32xf32>
  return
}

// -----

// A load with one user is loaded as that user wants it, if it still reads whole runs.
// CHECK-LABEL: func.func @for_its_user(
// CHECK: tile.load %arg0{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK-NEXT: tile.scan
// CHECK: tile.load %arg1{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK-NEXT: tile.add
// CHECK-NEXT: tile.store
func.func @for_its_user(%in: !tile.view<in, 1024xf32>, %other: !tile.view<in, 1024xf32>, %out: !tile.view<out, 1024xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %s = tile.scan sum %x axis 0 : tensor<1024xf32>
  %y = tile.load %other[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %r = tile.add %y, %s : tensor<1024xf32>
  tile.store %r, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// -----

// With two users it is loaded once, and moved for the one that wants another layout.
// CHECK-LABEL: func.func @for_two_users(
// CHECK: %[[X:.*]] = tile.load {{.*}} {tile.layout = #tile.layout<registers = [1, 2, 512]
// CHECK: %[[MOVED:.*]] = tile.relayout %[[X]] {tile.layout = #tile.layout<registers = [1, 2, 4]
// CHECK: tile.scan sum %[[MOVED]]
// CHECK: tile.store %[[X]]
func.func @for_two_users(%in: !tile.view<in, 1024xf32>, %a: !tile.view<out, 1024xf32>, %b: !tile.view<out, 1024xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %s = tile.scan sum %x axis 0 : tensor<1024xf32>
  tile.store %s, %a[%i] : tensor<1024xf32>, <out, 1024xf32>
  tile.store %x, %b[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// -----

// One column of a row-major tensor: single elements, wherever they are, and nothing is gained by moving them.
// CHECK-LABEL: func.func @column(
// CHECK-NOT: tile.relayout
// CHECK: tile.store
func.func @column(%in: !tile.view<in, 64x64xf32>, %out: !tile.view<out, 64x1xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %s = tile.reduce max %x axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  tile.store %s, %out[%i, %i] : tensor<64x1xf32>, <out, 64x1xf32>
  return
}

// -----

// Positions lie where their elements do: each thread has those of its rows.
// CHECK-LABEL: func.func @positions(
// CHECK: %[[P:.*]] = tile.relayout %{{.*}} {tile.layout = #tile.layout<registers = [8], lanes = [0, 0, 0, 0, 1], warps = [2, 4]>}
// CHECK: tile.gather {{.*}} by %[[P]] axis 0 {{.*}}registers = [1, 2, 512], lanes = [4, 8, 16, 32, 64], warps = [128, 256]
func.func @positions(%table: !tile.view<in, 16x64xf32>, %p: !tile.view<index, 16xi32>, %out: !tile.view<out, 16x64xf32>, %i: i64) {
  %positions = tile.load %p[%i] : <index, 16xi32> -> tensor<16xi32>
  %x = tile.gather %table[%i] by %positions axis 0 : <in, 16x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  tile.store %x, %out[%i, %i] : tensor<16x64xf32>, <out, 16x64xf32>
  return
}

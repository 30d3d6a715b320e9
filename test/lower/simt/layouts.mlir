// Which element each register of each thread holds: loads and stores access 16 bytes per thread and neighbours side by side, and
// everything else follows them.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=4 --tile-simt-layouts | FileCheck %s

// Four f32, eight bf16 or sixteen bytes to a thread; then lanes, then warps, then more registers.
// CHECK-LABEL: func.func @widths(
// CHECK-SAME: attributes {simt.warps = 4 : i64}
// CHECK: tile.load %arg0{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 512, 1024, 2048], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: tile.load %arg1{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 4, 1024, 2048], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK: tile.load %arg2{{.*}} {tile.layout = #tile.layout<registers = [1, 2, 4, 8, 2048], lanes = [16, 32, 64, 128, 256], warps = [512, 1024]>}
// CHECK: tile.load %arg3{{.*}} {tile.layout = #tile.layout<registers = [1, 256, 512, 1024, 2048], lanes = [2, 4, 8, 16, 32], warps = [64, 128]>}
func.func @widths(%a: !tile.view<in, 4096xf32>, %b: !tile.view<in, 4096xbf16>, %c: !tile.view<in, 4096xi8>, %d: !tile.view<in, 4096xf64>,
                  %i: i64) {
  %x = tile.load %a[%i] : <in, 4096xf32> -> tensor<4096xf32>
  %y = tile.load %b[%i] : <in, 4096xbf16> -> tensor<4096xbf16>
  %z = tile.load %c[%i] : <in, 4096xi8> -> tensor<4096xi8>
  %w = tile.load %d[%i] : <in, 4096xf64> -> tensor<4096xf64>
  return
}

// -----

// Neighbours are where the stride is 1: 4 rows by 64 columns, stored column by column.
// CHECK-LABEL: func.func @transposed(
// CHECK: tile.load %arg0{{.*}} {tile.layout = #tile.layout<registers = [64, 128], lanes = [1, 2, 4, 8, 16], warps = [32, 0]>}
// CHECK: tile.load %arg1{{.*}} {tile.layout = #tile.layout<registers = [1, 2], lanes = [4, 8, 16, 32, 64], warps = [128, 0]>}
func.func @transposed(%a: !tile.view<in, 4x64xf32> {simt.strides = array<i64: 1, -1>}, %b: !tile.view<in, 4x64xf32> {simt.strides = array<i64: -1, -1>},
                      %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 4x64xf32> -> tensor<4x64xf32>
  %y = tile.load %b[%i, %i] : <in, 4x64xf32> -> tensor<4x64xf32>
  return
}

// -----

// A small tile: what is left of lanes and warps holds copies, base 0.
// CHECK-LABEL: func.func @small(
// CHECK: tile.layout<registers = [1, 2], lanes = [4, 0, 0, 0, 0], warps = [0, 0]>
func.func @small(%a: !tile.view<in, 8xf32>, %i: i64) {
  %x = tile.load %a[%i] : <in, 8xf32> -> tensor<8xf32>
  return
}

// -----

// A reduction leaves the axis out: its registers go, its lanes and warps hold copies. A broadcast of it needs no move.
// CHECK-LABEL: func.func @project(
// CHECK: %[[X:.*]] = tile.load {{.*}} {tile.layout = #tile.layout<registers = [1, 2, 512, 1024, 2048], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: %[[SUM:.*]] = tile.reduce sum %[[X]] axis 1 {tile.layout = #tile.layout<registers = [8, 16, 32], lanes = [0, 0, 0, 0, 1], warps = [2, 4]>}
// CHECK-NOT: tile.relayout
// CHECK: tile.broadcast %[[SUM]] {tile.layout = #tile.layout<registers = [1, 2, 512, 1024, 2048], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK-NOT: tile.relayout
// CHECK: return
func.func @project(%in: !tile.view<in, 64x64xf32>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %s = tile.reduce sum %x axis 1 : tensor<64x64xf32> -> tensor<64x1xf32>
  %b = tile.broadcast %s : tensor<64x1xf32> -> tensor<64x64xf32>
  %r = tile.sub %x, %b : tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// Constants, indices and broadcasts are computed where they are asked for, once for each layout; as written nobody needs them.
// CHECK-LABEL: func.func @rematerialised(
// CHECK-DAG: tile.constant {tile.layout = #tile.layout<registers = [1, 2, 512, 1024, 2048], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>} dense<1.000000e+00>
// CHECK-DAG: tile.constant {tile.layout = #tile.layout<registers = [64, 128, 8, 16, 32], lanes = [256, 512, 1024, 2048, 1], warps = [2, 4]>} dense<1.000000e+00>
// CHECK-NOT: tile.constant
// CHECK-NOT: tile.relayout
// CHECK: return
func.func @rematerialised(%a: !tile.view<in, 64x64xf32> {simt.strides = array<i64: -1, 1>}, %b: !tile.view<in, 64x64xf32> {simt.strides = array<i64: 1, -1>},
                          %c: !tile.view<out, 64x64xf32> {simt.strides = array<i64: -1, 1>}, %d: !tile.view<out, 64x64xf32> {simt.strides = array<i64: 1, -1>}, %i: i64) {
  %one = tile.constant dense<1.0> : tensor<64x64xf32>
  %x = tile.load %a[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %y = tile.load %b[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %p = tile.add %x, %one : tensor<64x64xf32>
  %q = tile.add %y, %one : tensor<64x64xf32>
  tile.store %p, %c[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  tile.store %q, %d[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// -----

// What nobody stores or reports is not computed at all.
// CHECK-LABEL: func.func @unused(
// CHECK-NOT: tile.iota
// CHECK: return
func.func @unused(%i: i64) {
  %x = tile.iota axis 0 : tensor<64xi32>
  return
}

// -----

// Reshaping and permuting only rename elements.
// CHECK-LABEL: func.func @renamed(
// CHECK: tile.load {{.*}} {tile.layout = #tile.layout<registers = [1, 2], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: tile.reshape {{.*}} {tile.layout = #tile.layout<registers = [1, 2], lanes = [4, 8, 16, 32, 64], warps = [128, 256]>}
// CHECK: tile.permute {{.*}} {tile.layout = #tile.layout<registers = [32, 64], lanes = [128, 256, 1, 2, 4], warps = [8, 16]>}
func.func @renamed(%in: !tile.view<in, 512xf32>, %out: !tile.view<out, 16x32xf32> {simt.strides = array<i64: 1, -1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 512xf32> -> tensor<512xf32>
  %y = tile.reshape %x : tensor<512xf32> -> tensor<32x16xf32>
  %z = tile.permute %y [1, 0] : tensor<32x16xf32> -> tensor<16x32xf32>
  tile.store %z, %out[%i, %i] : tensor<16x32xf32>, <out, 16x32xf32>
  return
}

// -----

// Two tiles side by side: one more register bit.
// CHECK-LABEL: func.func @beside(
// CHECK: tile.concat {{.*}} {tile.layout = #tile.layout<registers = [1, 2, 8], lanes = [4, 16, 32, 64, 128], warps = [0, 0]>}
func.func @beside(%in: !tile.view<in, 16x8xf32>, %out: !tile.view<out, 16x16xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 16x8xf32> -> tensor<16x8xf32>
  %y = tile.concat %x, %x axis 1 : tensor<16x8xf32> -> tensor<16x16xf32>
  tile.store %y, %out[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

// -----

// Scans and sorts want runs along their axis, in the order of warp, lane and register.
// CHECK-LABEL: func.func @along(
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[RUNS:.*]] = tile.relayout %[[X]] {tile.layout = #tile.layout<registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 512]>}
// CHECK: tile.scan sum %[[RUNS]] axis 0 {{.*}}registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 512]
// CHECK: tile.sort %[[RUNS]] {{.*}}registers = [1, 2, 4], lanes = [8, 16, 32, 64, 128], warps = [256, 0]
func.func @along(%in: !tile.view<in, 1024xf32>, %out: !tile.view<out, 1024xf32>, %top: !tile.view<out, 512xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %y = tile.scan sum %x axis 0 : tensor<1024xf32>
  %v, %n = tile.sort %x axis 0 : tensor<1024xf32> -> tensor<512xf32>, tensor<512xi32>
  tile.store %y, %out[%i] : tensor<1024xf32>, <out, 1024xf32>
  tile.store %v, %top[%i] : tensor<512xf32>, <out, 512xf32>
  return
}

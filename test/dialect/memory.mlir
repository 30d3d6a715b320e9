// Every operation on programs and memory prints a form that parses back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @views(
// CHECK-SAME: !tile.view<in, f32>, %{{.*}}: !tile.view<out, 1x2x4x8x16x32xbf16>, %{{.*}}: !tile.view<outs, 64xf8E4M3FN>, %{{.*}}: !tile.view<in, 4xui8>, %{{.*}}: !tile.view<in, 4xi1>)
func.func @views(%a: !tile.view<in, f32>, %b: !tile.view<out, 1x2x4x8x16x32xbf16>, %c: !tile.view<outs, 64xf8E4M3FN>,
                 %d: !tile.view<in, 4xui8>, %e: !tile.view<in, 4xi1>) {
  return
}

// CHECK-LABEL: func.func @queries
func.func @queries(%out: !tile.view<out, 16x32xf32>, %outs: !tile.view<outs, 16x32xf32>) {
  // CHECK: tile.program_id : i64
  %p = tile.program_id : i64
  // CHECK: tile.num_programs : i64
  %n = tile.num_programs : i64
  // CHECK: tile.program_index %{{.*}} axis 1 : <out, 16x32xf32>
  %i = tile.program_index %out axis 1 : <out, 16x32xf32>
  // CHECK: tile.dim %{{.*}} axis 0 : <outs, 16x32xf32>
  %d = tile.dim %outs axis 0 : <outs, 16x32xf32>
  // CHECK: tile.num_tiles %{{.*}} axis 1 : <outs, 16x32xf32>
  %t = tile.num_tiles %outs axis 1 : <outs, 16x32xf32>
  // CHECK: tile.unflatten %{{.*}} in %{{.*}} : <outs, 16x32xf32> -> i64, i64
  %u:2 = tile.unflatten %p in %outs : <outs, 16x32xf32> -> i64, i64
  return
}

// CHECK-LABEL: func.func @load_store
func.func @load_store(%in: !tile.view<in, 16x32xf32>, %out: !tile.view<out, 16x32xf32>, %scalar: !tile.view<in, i32>,
                      %to: !tile.view<out, i32>, %i: i64, %j: i64, %pad: f32) {
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] : <in, 16x32xf32> -> tensor<16x32xf32>
  %a = tile.load %in[%i, %j] : <in, 16x32xf32> -> tensor<16x32xf32>
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} : f32 : <in, 16x32xf32> -> tensor<8x4xf32>
  %b = tile.load %in[%i, %j] pad %pad : f32 : <in, 16x32xf32> -> tensor<8x4xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<16x32xf32>, <out, 16x32xf32>
  tile.store %a, %out[%i, %j] : tensor<16x32xf32>, <out, 16x32xf32>
  // CHECK: tile.load %{{.*}}[] : <in, i32> -> i32
  %s = tile.load %scalar[] : <in, i32> -> i32
  // CHECK: tile.store %{{.*}}, %{{.*}}[] : i32, <out, i32>
  tile.store %s, %to[] : i32, <out, i32>
  return
}

// CHECK-LABEL: func.func @make
func.func @make(%key: ui64, %counter: tensor<4xui64>) {
  // CHECK: tile.constant 1.500000e+00 : f32
  %a = tile.constant 1.5 : f32
  // CHECK: tile.constant dense<-1> : tensor<4x8xi16>
  %b = tile.constant dense<-1> : tensor<4x8xi16>
  // CHECK: tile.constant 255 : ui8
  %c = tile.constant 255 : ui8
  // CHECK: tile.constant true
  %d = tile.constant true
  // CHECK: tile.constant dense<1.000000e+00> : tensor<2xf8E5M2>
  %e = tile.constant dense<1.0> : tensor<2xf8E5M2>
  // CHECK: tile.iota axis 1 : tensor<4x8xui32>
  %f = tile.iota axis 1 : tensor<4x8xui32>
  // CHECK: tile.philox %{{.*}}, %{{.*}} : tensor<4xui64> -> tensor<4xui32>
  %r:4 = tile.philox %key, %counter : tensor<4xui64> -> tensor<4xui32>
  return
}

// Every operation on programs and memory prints a form that parses back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @views(
// CHECK-SAME: !tile.view<in, f32>, %{{.*}}: !tile.view<out, 1x2x4x8x16x32xbf16>, %{{.*}}: !tile.view<outs, 64xf8E4M3FN>, %{{.*}}: !tile.view<in, 4xui8>, %{{.*}}: !tile.view<in, 4xi1>)
func.func @views(%a: !tile.view<in, f32>, %b: !tile.view<out, 1x2x4x8x16x32xbf16>, %c: !tile.view<outs, 64xf8E4M3FN>,
                 %d: !tile.view<in, 4xui8>, %e: !tile.view<in, 4xi1>) {
  return
}

// CHECK-LABEL: func.func @kinds(
// CHECK-SAME: !tile.view<inout, 4xf32>, %{{.*}}: !tile.view<patch, 4xf32>, %{{.*}}: !tile.view<add_into, 4xbf16>, %{{.*}}: !tile.view<min_into, 4xi32>, %{{.*}}: !tile.view<max_into, 4xui32>, %{{.*}}: !tile.view<and_into, 4xi64>, %{{.*}}: !tile.view<or_into, 4xui64>, %{{.*}}: !tile.view<index, 4xi8>, %{{.*}}: !tile.view<distinct, 4xui16>, %{{.*}}: !tile.view<index_or_none, 4xi8>, %{{.*}}: !tile.view<distinct_or_none, 4xi64>, %{{.*}}: !tile.view<out_index, 4xi16>)
func.func @kinds(%a: !tile.view<inout, 4xf32>, %b: !tile.view<patch, 4xf32>, %c: !tile.view<add_into, 4xbf16>,
                 %d: !tile.view<min_into, 4xi32>, %e: !tile.view<max_into, 4xui32>, %f: !tile.view<and_into, 4xi64>,
                 %g: !tile.view<or_into, 4xui64>, %h: !tile.view<index, 4xi8>, %i: !tile.view<distinct, 4xui16>,
                 %j: !tile.view<index_or_none, 4xi8>, %k: !tile.view<distinct_or_none, 4xi64>, %l: !tile.view<out_index, 4xi16>) {
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
  // CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}] pad %{{.*}} : f32 {elements, or_padding} : <in, 16x32xf32> -> tensor<16x32xf32>
  %c = tile.load %in[%i, %j] pad %pad : f32 {elements, or_padding} : <in, 16x32xf32> -> tensor<16x32xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<16x32xf32>, <out, 16x32xf32>
  tile.store %a, %out[%i, %j] : tensor<16x32xf32>, <out, 16x32xf32>
  // CHECK: tile.load %{{.*}}[] : <in, i32> -> i32
  %s = tile.load %scalar[] : <in, i32> -> i32
  // CHECK: tile.store %{{.*}}, %{{.*}}[] : i32, <out, i32>
  tile.store %s, %to[] : i32, <out, i32>
  return
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%in: !tile.view<in, 4xf32>, %state: !tile.view<inout, 4xf32>, %pad: f32, %i: i64) {
  // CHECK: tile.load %{{.*}}[%{{.*}}] pad %{{.*}} : f32 {or_padding} : <in, 4xf32>
  %a = tile.load %in[%i] pad %pad : f32 {or_padding} : <in, 4xf32> -> tensor<4xf32>
  // CHECK: tile.load %{{.*}}[%{{.*}}] {inside} : <inout, 4xf32>
  %b = tile.load %state[%i] {inside} : <inout, 4xf32> -> tensor<4xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}] {unsafe = "the host pads"} : tensor<4xf32>, <inout, 4xf32>
  tile.store %a, %state[%i] {unsafe = "the host pads"} : tensor<4xf32>, <inout, 4xf32>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}] {fresh, inside} : tensor<4xf32>, <inout, 4xf32>
  tile.store %b, %state[%i] {inside, fresh} : tensor<4xf32>, <inout, 4xf32>
  // CHECK: tile.program_index %{{.*}} axis 0 : <inout, 4xf32>
  %p = tile.program_index %state axis 0 : <inout, 4xf32>
  return
}

// CHECK-LABEL: func.func @claims
func.func @claims(%outs: !tile.view<outs, 4x8xf32>, %patch: !tile.view<patch, f32>, %i: i64) {
  // CHECK: tile.claim %{{.*}}[%{{.*}}, %{{.*}}] : <outs, 4x8xf32>
  tile.claim %outs[%i, %i] : <outs, 4x8xf32>
  // CHECK: tile.claim %{{.*}}[] {check, unsafe = "one program"} : <patch, f32>
  tile.claim %patch[] {check, unsafe = "one program"} : <patch, f32>
  return
}

// CHECK-LABEL: func.func @indexed
func.func @indexed(%in: !tile.view<in, 1x64xf32>, %patch: !tile.view<patch, 4xf32>, %into: !tile.view<add_into, 1x64xf32>,
                   %index: !tile.view<index, 8xi32>, %offsets: !tile.view<offsets, 1xi32>, %i: i64) {
  // CHECK: tile.bound %{{.*}} : <index, 8xi32>
  %bound = tile.bound %index : <index, 8xi32>
  // CHECK: tile.segment %{{.*}} in %{{.*}} : <offsets, 1xi32>
  %s = tile.segment %i in %offsets : <offsets, 1xi32>
  %p = tile.load %index[%i] : <index, 8xi32> -> tensor<8xi32>
  // CHECK: tile.gather %{{.*}}[%{{.*}}] by %{{.*}} axis 0 {inside} : <in, 1x64xf32>, tensor<8xi32> -> tensor<8x64xf32>
  %x = tile.gather %in[%i] by %p axis 0 {inside} : <in, 1x64xf32>, tensor<8xi32> -> tensor<8x64xf32>
  %y = tile.reduce sum %x axis 1 : tensor<8x64xf32> -> tensor<8x1xf32>
  %z = tile.reshape %y : tensor<8x1xf32> -> tensor<8xf32>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[] by %{{.*}} axis 0 {check} : tensor<8xf32>, <patch, 4xf32>, tensor<8xi32>
  tile.scatter %z, %patch[] by %p axis 0 {check} : tensor<8xf32>, <patch, 4xf32>, tensor<8xi32>
  // CHECK: tile.scatter %{{.*}}, %{{.*}}[] by %{{.*}} axis 0 {fresh} : tensor<8xf32>, <patch, 4xf32>, tensor<8xi32>
  tile.scatter %z, %patch[] by %p axis 0 {fresh} : tensor<8xf32>, <patch, 4xf32>, tensor<8xi32>
  // CHECK: tile.accumulate_at %{{.*}}, %{{.*}}[%{{.*}}] by %{{.*}} axis 0 {or_padding} : tensor<8x64xf32>, <add_into, 1x64xf32>, tensor<8xi32>
  tile.accumulate_at %x, %into[%i] by %p axis 0 {or_padding} : tensor<8x64xf32>, <add_into, 1x64xf32>, tensor<8xi32>
  // CHECK: tile.accumulate %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x64xf32>, <add_into, 1x64xf32>
  tile.accumulate %x, %into[%i, %i] : tensor<8x64xf32>, <add_into, 1x64xf32>
  return
}

// CHECK-LABEL: func.func @pairs
func.func @pairs(%table: !tile.view<in, 16x64xf32>, %cube: !tile.view<index, 4x2x8xi32>, %rows: tensor<8x4xi32>, %columns: tensor<8x4xui8>, %i: i64) {
  // CHECK: tile.gather_pairs %{{.*}}[] by %{{.*}}, %{{.*}} axes [0, 1] : <in, 16x64xf32>, tensor<8x4xi32>, tensor<8x4xui8> -> tensor<8x4xf32>
  %x = tile.gather_pairs %table[] by %rows, %columns axes [0, 1] : <in, 16x64xf32>, tensor<8x4xi32>, tensor<8x4xui8> -> tensor<8x4xf32>
  // CHECK: tile.gather_pairs %{{.*}}[%{{.*}}] by %{{.*}}, %{{.*}} axes [0, 2] {or_padding} : <index, 4x2x8xi32>, tensor<8x4xi32>, tensor<8x4xui8> -> tensor<8x2x4xi32>
  %y = tile.gather_pairs %cube[%i] by %rows, %columns axes [0, 2] {or_padding} : <index, 4x2x8xi32>, tensor<8x4xi32>, tensor<8x4xui8> -> tensor<8x2x4xi32>
  return
}

// CHECK-LABEL: func.func @expectations
func.func @expectations(%in: !tile.view<in, 4xf32>, %c: i1) {
  // CHECK: tile.expect %{{.*}}, "at least one tile"
  tile.expect %c, "at least one tile"
  // CHECK: tile.assert %{{.*}}, "inside" {bounds} : i1
  tile.assert %c, "inside" {bounds} : i1
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
  // CHECK: tile.constant dense<5.000000e-01> : tensor<2xf8E8M0FNU>
  %s = tile.constant dense<0.5> : tensor<2xf8E8M0FNU>
  // CHECK: tile.iota axis 1 : tensor<4x8xui32>
  %f = tile.iota axis 1 : tensor<4x8xui32>
  // CHECK: tile.philox %{{.*}}, %{{.*}} : tensor<4xui64> -> tensor<4xui32>
  %r:4 = tile.philox %key, %counter : tensor<4xui64> -> tensor<4xui32>
  return
}

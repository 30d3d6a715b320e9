// Every operation on shapes, or along an axis, prints a form that parses back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<4x8xf32>, %row: tensor<1x8xf32>, %s: f32, %i: i64, %piece: tensor<2x8xf32>) {
  // CHECK: tile.broadcast %{{.*}} : tensor<1x8xf32> -> tensor<16x8xf32>
  %0 = tile.broadcast %row : tensor<1x8xf32> -> tensor<16x8xf32>
  // CHECK: tile.broadcast %{{.*}} : f32 -> tensor<2x4xf32>
  %1 = tile.broadcast %s : f32 -> tensor<2x4xf32>
  // CHECK: tile.reshape %{{.*}} : tensor<4x8xf32> -> tensor<2x16x1xf32>
  %2 = tile.reshape %x : tensor<4x8xf32> -> tensor<2x16x1xf32>
  // CHECK: tile.permute %{{.*}} [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %3 = tile.permute %x [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: tile.concat %{{.*}}, %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x16xf32>
  %4 = tile.concat %x, %x axis 1 : tensor<4x8xf32> -> tensor<4x16xf32>
  // CHECK: tile.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x8xf32> -> tensor<2x4xf32>
  %5 = tile.extract %x[%i, %i] : tensor<4x8xf32> -> tensor<2x4xf32>
  // CHECK: tile.insert %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<2x8xf32> -> tensor<4x8xf32>
  %6 = tile.insert %piece into %x[%i, %i] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<4x8xf32>, %b: tensor<4x8xi1>) {
  // CHECK: tile.reduce sum %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  %0 = tile.reduce sum %x axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  // CHECK: tile.reduce prod %{{.*}} axis 0 : tensor<4x8xf32> -> tensor<1x8xf32>
  %1 = tile.reduce prod %x axis 0 : tensor<4x8xf32> -> tensor<1x8xf32>
  // CHECK: tile.reduce min %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  %2 = tile.reduce min %x axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  // CHECK: tile.reduce max %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  %3 = tile.reduce max %x axis 1 : tensor<4x8xf32> -> tensor<4x1xf32>
  // CHECK: tile.reduce any %{{.*}} axis 1 : tensor<4x8xi1> -> tensor<4x1xi1>
  %4 = tile.reduce any %b axis 1 : tensor<4x8xi1> -> tensor<4x1xi1>
  // CHECK: tile.reduce all %{{.*}} axis 1 : tensor<4x8xi1> -> tensor<4x1xi1>
  %5 = tile.reduce all %b axis 1 : tensor<4x8xi1> -> tensor<4x1xi1>
  // CHECK: tile.arg_reduce max %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x1xi32>
  %6 = tile.arg_reduce max %x axis 1 : tensor<4x8xf32> -> tensor<4x1xi32>
  // CHECK: tile.scan sum %{{.*}} axis 0 : tensor<4x8xf32>
  %7 = tile.scan sum %x axis 0 : tensor<4x8xf32>
  // CHECK: tile.scan max %{{.*}} axis 1 reverse : tensor<4x8xf32>
  %8 = tile.scan max %x axis 1 reverse : tensor<4x8xf32>
  // CHECK: tile.sort %{{.*}} axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi32>
  %9, %10 = tile.sort %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi32>
  // CHECK: tile.sort %{{.*}} axis 1 descending : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x2xi32>
  %11, %12 = tile.sort %x axis 1 descending : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x2xi32>
  return
}

// CHECK-LABEL: func.func @combiners
func.func @combiners(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) {
  // CHECK: tile.reduce_by %{{.*}}, %{{.*}} axis 1 : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4x1xf32>, tensor<4x1xi32>
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  %0:2 = tile.reduce_by %x, %i axis 1 : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4x1xf32>, tensor<4x1xi32> {
  ^bb0(%av: f32, %ai: i32, %bv: f32, %bi: i32):
    %wins = tile.cmp gt, %av, %bv : f32 -> i1
    %v = tile.select %wins, %av, %bv : i1, f32
    %j = tile.select %wins, %ai, %bi : i1, i32
    // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, i32
    tile.yield %v, %j : f32, i32
  }
  // CHECK: tile.scan_by %{{.*}} axis 0 reverse : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tile.scan_by %x axis 0 reverse : tensor<4x8xf32> -> tensor<4x8xf32> {
  ^bb0(%a: f32, %b: f32):
    %p = tile.mul %a, %b : f32
    tile.yield %p : f32
  }
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xf32>, %f: tensor<2x4x4xf32>,
                    %p: tensor<4x4xf8E4M3FN>, %q: tensor<4x4xf8E5M2>, %d: tensor<4x4xf32>, %i: tensor<4x4xui8>, %j: tensor<4x4xi32>) {
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xf32>
  %0 = tile.mma %a, %b, %c : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xf32>
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} tf32 : tensor<2x4x4xf32>, tensor<2x4x4xf32> -> tensor<2x4x4xf32>
  %1 = tile.mma %f, %f, %f tf32 : tensor<2x4x4xf32>, tensor<2x4x4xf32> -> tensor<2x4x4xf32>
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E5M2> -> tensor<4x4xf32>
  %2 = tile.mma %p, %q, %d : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E5M2> -> tensor<4x4xf32>
  // CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x4xui8>, tensor<4x4xui8> -> tensor<4x4xi32>
  %3 = tile.mma %i, %i, %j : tensor<4x4xui8>, tensor<4x4xui8> -> tensor<4x4xi32>
  return
}

// CHECK-LABEL: func.func @messages
func.func @messages(%x: tensor<4xf32>, %c: tensor<4xi1>, %n: i64) {
  // CHECK: tile.print "here"
  tile.print "here"
  // CHECK: tile.print "two", %{{.*}}, %{{.*}} : tensor<4xf32>, i64
  tile.print "two", %x, %n : tensor<4xf32>, i64
  // CHECK: tile.assert %{{.*}}, "bare" : tensor<4xi1>
  tile.assert %c, "bare" : tensor<4xi1>
  // CHECK: tile.assert %{{.*}}, "with values", %{{.*}}, %{{.*}} : tensor<4xf32>, i64 : tensor<4xi1>
  tile.assert %c, "with values", %x, %n : tensor<4xf32>, i64 : tensor<4xi1>
  return
}

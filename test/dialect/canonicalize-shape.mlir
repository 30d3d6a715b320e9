// Shapes: what changes nothing goes, chains become one operation, and constants take any shape.
// RUN: tegula-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @broadcast_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x8xf32>
func.func @broadcast_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = tile.broadcast %x : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshape_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x8xf32>
func.func @reshape_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = tile.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @permute_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x8xf32>
func.func @permute_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = tile.permute %x [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @permute_back(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x8xf32>
func.func @permute_back(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = tile.permute %x [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %r = tile.permute %a [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshape_back(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x8xf32>
func.func @reshape_back(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = tile.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  %r = tile.reshape %a : tensor<32xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reduce_one(
// CHECK-SAME: %[[X:.*]]: tensor<4x1xf32>)
// CHECK-NEXT: return %[[X]] : tensor<4x1xf32>
func.func @reduce_one(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = tile.reduce sum %x axis 1 : tensor<4x1xf32> -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @broadcast_chain(
// CHECK-NEXT: %[[R:.*]] = tile.broadcast %{{.*}} : f32 -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @broadcast_chain(%x: f32) -> tensor<4x8xf32> {
  %a = tile.broadcast %x : f32 -> tensor<1x8xf32>
  %r = tile.broadcast %a : tensor<1x8xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshape_chain(
// CHECK-NEXT: %[[R:.*]] = tile.reshape %{{.*}} : tensor<32xf32> -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @reshape_chain(%x: tensor<32xf32>) -> tensor<4x8xf32> {
  %a = tile.reshape %x : tensor<32xf32> -> tensor<2x16xf32>
  %r = tile.reshape %a : tensor<2x16xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @permute_chain(
// CHECK-NEXT: %[[R:.*]] = tile.permute %{{.*}} [2, 1, 0] : tensor<2x4x8xf32> -> tensor<8x4x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @permute_chain(%x: tensor<2x4x8xf32>) -> tensor<8x4x2xf32> {
  %a = tile.permute %x [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %r = tile.permute %a [1, 0, 2] : tensor<4x8x2xf32> -> tensor<8x4x2xf32>
  return %r : tensor<8x4x2xf32>
}

// CHECK-LABEL: func.func @broadcast_constant(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT: return %[[C]] : tensor<4x8xf32>
func.func @broadcast_constant() -> tensor<4x8xf32> {
  %a = tile.constant 1.0 : f32
  %r = tile.broadcast %a : f32 -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reshape_constant(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT: return %[[C]] : tensor<4x8xf32>
func.func @reshape_constant() -> tensor<4x8xf32> {
  %a = tile.constant dense<1.0> : tensor<32xf32>
  %r = tile.reshape %a : tensor<32xf32> -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @permute_constant(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<1.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: return %[[C]] : tensor<8x4xf32>
func.func @permute_constant() -> tensor<8x4xf32> {
  %a = tile.constant dense<1.0> : tensor<4x8xf32>
  %r = tile.permute %a [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @iota_one(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<0> : tensor<1x4xi32>
// CHECK-NEXT: return %[[C]] : tensor<1x4xi32>
func.func @iota_one() -> tensor<1x4xi32> {
  %r = tile.iota axis 0 : tensor<1x4xi32>
  return %r : tensor<1x4xi32>
}

// CHECK-LABEL: func.func @assert_true(
// CHECK-NEXT: return
func.func @assert_true() {
  %c = tile.constant dense<true> : tensor<4xi1>
  tile.assert %c, "always" : tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @assert_false(
// CHECK: tile.assert %{{.*}}, "never" : i1
func.func @assert_false() {
  %c = tile.constant false
  tile.assert %c, "never" : i1
  return
}

// A message or a possible failure is an effect; an unused value is none.
// CHECK-LABEL: func.func @effects(
// CHECK-NEXT: tile.extract
// CHECK-NEXT: tile.insert
// CHECK-NEXT: tile.print "kept"
// CHECK-NEXT: return
func.func @effects(%x: tensor<4xf32>, %p: tensor<2xf32>, %v: !tile.view<in, 4xf32>, %i: i64) {
  %0 = tile.extract %x[%i] : tensor<4xf32> -> tensor<2xf32>
  %1 = tile.insert %p into %x[%i] : tensor<2xf32> -> tensor<4xf32>
  tile.print "kept"
  %2 = tile.load %v[%i] : <in, 4xf32> -> tensor<4xf32>
  %3 = tile.function exp %x : tensor<4xf32>
  return
}

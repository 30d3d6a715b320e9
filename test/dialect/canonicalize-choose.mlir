// Comparisons, choices and conversions.
// RUN: tegula-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @cmp_eq(
// CHECK-NEXT: %[[C:.*]] = tile.constant false
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_eq() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp eq, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_ne(
// CHECK-NEXT: %[[C:.*]] = tile.constant true
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_ne() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp ne, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_lt(
// CHECK-NEXT: %[[C:.*]] = tile.constant true
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_lt() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp lt, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_le(
// CHECK-NEXT: %[[C:.*]] = tile.constant true
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_le() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp le, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_gt(
// CHECK-NEXT: %[[C:.*]] = tile.constant false
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_gt() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp gt, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_ge(
// CHECK-NEXT: %[[C:.*]] = tile.constant false
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_ge() -> i1 {
  %a = tile.constant -1 : i32
  %b = tile.constant 1 : i32
  %r = tile.cmp ge, %a, %b : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_unsigned(
// CHECK-NEXT: %[[C:.*]] = tile.constant false
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_unsigned() -> i1 {
  %a = tile.constant 255 : ui8
  %b = tile.constant 1 : ui8
  %r = tile.cmp lt, %a, %b : ui8 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_bool(
// CHECK-NEXT: %[[C:.*]] = tile.constant true
// CHECK-NEXT: return %[[C]] : i1
func.func @cmp_bool() -> i1 {
  %a = tile.constant false
  %b = tile.constant true
  %r = tile.cmp lt, %a, %b : i1 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cmp_tiles(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<true> : tensor<4xi1>
// CHECK-NEXT: return %[[C]] : tensor<4xi1>
func.func @cmp_tiles() -> tensor<4xi1> {
  %a = tile.constant dense<1> : tensor<4xi32>
  %r = tile.cmp ge, %a, %a : tensor<4xi32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: func.func @select_same(
// CHECK-SAME: %{{.*}}: i1, %[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]]
func.func @select_same(%c: i1, %x: f32) -> f32 {
  %r = tile.select %c, %x, %x : i1, f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_true(
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NEXT: return %[[X]]
func.func @select_true(%x: f32, %y: f32) -> f32 {
  %c = tile.constant true
  %r = tile.select %c, %x, %y : i1, f32
  return %r : f32
}

// CHECK-LABEL: func.func @select_false(
// CHECK-SAME: %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK-NEXT: return %[[Y]]
func.func @select_false(%x: f32, %y: f32) -> f32 {
  %c = tile.constant false
  %r = tile.select %c, %x, %y : i1, f32
  return %r : f32
}

// CHECK-LABEL: func.func @cast_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @cast_nothing(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.cast %x : tensor<4xi32> -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @bitcast_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @bitcast_nothing(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.bitcast %x : tensor<4xi32> -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @cast_wraps(
// CHECK-NEXT: %[[C:.*]] = tile.constant 44 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @cast_wraps() -> i8 {
  %a = tile.constant 300 : i32
  %r = tile.cast %a : i32 -> i8
  return %r : i8
}

// CHECK-LABEL: func.func @cast_extends_sign(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @cast_extends_sign() -> i32 {
  %a = tile.constant -1 : i8
  %r = tile.cast %a : i8 -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @cast_extends_zero(
// CHECK-NEXT: %[[C:.*]] = tile.constant 255 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @cast_extends_zero() -> i32 {
  %a = tile.constant 255 : ui8
  %r = tile.cast %a : ui8 -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @cast_bool(
// CHECK-NEXT: %[[C:.*]] = tile.constant 1 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @cast_bool() -> i32 {
  %a = tile.constant true
  %r = tile.cast %a : i1 -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @cast_to_bool(
// CHECK-NEXT: %[[C:.*]] = tile.constant true
// CHECK-NEXT: return %[[C]] : i1
func.func @cast_to_bool() -> i1 {
  %a = tile.constant 2 : i32
  %r = tile.cast %a : i32 -> i1
  return %r : i1
}

// CHECK-LABEL: func.func @cast_to_float(
// CHECK-NEXT: %[[C:.*]] = tile.constant -3.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @cast_to_float() -> f32 {
  %a = tile.constant -3 : i32
  %r = tile.cast %a : i32 -> f32
  return %r : f32
}

// CHECK-LABEL: func.func @cast_unsigned_to_float(
// CHECK-NEXT: %[[C:.*]] = tile.constant 2.550000e+02 : f16
// CHECK-NEXT: return %[[C]] : f16
func.func @cast_unsigned_to_float() -> f16 {
  %a = tile.constant 255 : ui8
  %r = tile.cast %a : ui8 -> f16
  return %r : f16
}

// What is not exact is left to the back end.
// CHECK-LABEL: func.func @cast_inexact(
// CHECK: tile.cast
func.func @cast_inexact() -> f32 {
  %a = tile.constant 16777217 : i32
  %r = tile.cast %a : i32 -> f32
  return %r : f32
}

// A negative scale is NaN, which the back end knows.
// CHECK-LABEL: func.func @cast_to_scale(
// CHECK: tile.cast
func.func @cast_to_scale() -> f8E8M0FNU {
  %a = tile.constant -2 : i32
  %r = tile.cast %a : i32 -> f8E8M0FNU
  return %r : f8E8M0FNU
}

// CHECK-LABEL: func.func @cast_saturate(
// CHECK: tile.cast
func.func @cast_saturate() -> i8 {
  %a = tile.constant 300 : i32
  %r = tile.cast %a saturate : i32 -> i8
  return %r : i8
}

// Arithmetic on constants, and with neutral elements. Integers wrap; a division by zero gives zero.
// RUN: tegula-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @add_zero(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @add_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.add %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @sub_zero(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @sub_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.sub %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @mul_one(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @mul_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<1> : tensor<4xi32>
  %r = tile.mul %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @div_one(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @div_one(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<1> : tensor<4xi32>
  %r = tile.div %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @shl_zero(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @shl_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.shl %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @shr_zero(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @shr_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.shr %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @mul_one_float(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]] : f32
func.func @mul_one_float(%x: f32) -> f32 {
  %c = tile.constant 1.0 : f32
  %r = tile.mul %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @div_one_float(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]] : f32
func.func @div_one_float(%x: f32) -> f32 {
  %c = tile.constant 1.0 : f32
  %r = tile.div %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @pow_one_float(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK-NEXT: return %[[X]] : f32
func.func @pow_one_float(%x: f32) -> f32 {
  %c = tile.constant 1.0 : f32
  %r = tile.pow %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @neutral_on_the_left(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @neutral_on_the_left(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.add %c, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @mul_zero(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<0>
// CHECK-NEXT: return %[[C]]
func.func @mul_zero(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c = tile.constant dense<0> : tensor<4xi32>
  %r = tile.mul %x, %c : tensor<4xi32>
  return %r : tensor<4xi32>
}

// A float times zero may be NaN, and -0.0 + 0.0 is not -0.0.
// CHECK-LABEL: func.func @mul_zero_float(
// CHECK: tile.mul
func.func @mul_zero_float(%x: f32) -> f32 {
  %c = tile.constant 0.0 : f32
  %r = tile.mul %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @add_zero_float(
// CHECK: tile.add
func.func @add_zero_float(%x: f32) -> f32 {
  %c = tile.constant 0.0 : f32
  %r = tile.add %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @min_same(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @min_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.min %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @max_same(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @max_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.max %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @and_same(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @and_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.and %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @or_same(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @or_same(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = tile.or %x, %x : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @add_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -128 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @add_i8() -> i8 {
  %a = tile.constant 127 : i8
  %b = tile.constant 1 : i8
  %r = tile.add %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @sub_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 255 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @sub_ui8() -> ui8 {
  %a = tile.constant 0 : ui8
  %b = tile.constant 1 : ui8
  %r = tile.sub %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @mul_i16(
// CHECK-NEXT: %[[C:.*]] = tile.constant 0 : i16
// CHECK-NEXT: return %[[C]] : i16
func.func @mul_i16() -> i16 {
  %a = tile.constant 256 : i16
  %b = tile.constant 256 : i16
  %r = tile.mul %a, %b : i16
  return %r : i16
}

// CHECK-LABEL: func.func @div_i32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -3 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @div_i32() -> i32 {
  %a = tile.constant -7 : i32
  %b = tile.constant 2 : i32
  %r = tile.div %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @div_ui32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 2147483647 : ui32
// CHECK-NEXT: return %[[C]] : ui32
func.func @div_ui32() -> ui32 {
  %a = tile.constant 4294967295 : ui32
  %b = tile.constant 2 : ui32
  %r = tile.div %a, %b : ui32
  return %r : ui32
}

// CHECK-LABEL: func.func @div_overflow(
// CHECK-NEXT: %[[C:.*]] = tile.constant -128 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @div_overflow() -> i8 {
  %a = tile.constant -128 : i8
  %b = tile.constant -1 : i8
  %r = tile.div %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @div_by_zero(
// CHECK-NEXT: %[[C:.*]] = tile.constant 0 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @div_by_zero() -> i32 {
  %a = tile.constant 5 : i32
  %b = tile.constant 0 : i32
  %r = tile.div %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @rem_i32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @rem_i32() -> i32 {
  %a = tile.constant -7 : i32
  %b = tile.constant 2 : i32
  %r = tile.rem %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @rem_by_zero(
// CHECK-NEXT: %[[C:.*]] = tile.constant 5 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @rem_by_zero() -> i32 {
  %a = tile.constant 5 : i32
  %b = tile.constant 0 : i32
  %r = tile.rem %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @rem_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 15 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @rem_ui8() -> ui8 {
  %a = tile.constant 255 : ui8
  %b = tile.constant 16 : ui8
  %r = tile.rem %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @min_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @min_i8() -> i8 {
  %a = tile.constant -1 : i8
  %b = tile.constant 1 : i8
  %r = tile.min %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @min_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 1 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @min_ui8() -> ui8 {
  %a = tile.constant 255 : ui8
  %b = tile.constant 1 : ui8
  %r = tile.min %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @max_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 1 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @max_i8() -> i8 {
  %a = tile.constant -1 : i8
  %b = tile.constant 1 : i8
  %r = tile.max %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @max_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 255 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @max_ui8() -> ui8 {
  %a = tile.constant 255 : ui8
  %b = tile.constant 1 : ui8
  %r = tile.max %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @and_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 8 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @and_i8() -> i8 {
  %a = tile.constant 12 : i8
  %b = tile.constant 10 : i8
  %r = tile.and %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @or_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 14 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @or_i8() -> i8 {
  %a = tile.constant 12 : i8
  %b = tile.constant 10 : i8
  %r = tile.or %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @xor_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 6 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @xor_i8() -> i8 {
  %a = tile.constant 12 : i8
  %b = tile.constant 10 : i8
  %r = tile.xor %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shl_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -128 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @shl_i8() -> i8 {
  %a = tile.constant 1 : i8
  %b = tile.constant 7 : i8
  %r = tile.shl %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shl_by_width(
// CHECK-NEXT: %[[C:.*]] = tile.constant 0 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @shl_by_width() -> i8 {
  %a = tile.constant 1 : i8
  %b = tile.constant 8 : i8
  %r = tile.shl %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shr_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @shr_i8() -> i8 {
  %a = tile.constant -128 : i8
  %b = tile.constant 7 : i8
  %r = tile.shr %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shr_past_width(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @shr_past_width() -> i8 {
  %a = tile.constant -128 : i8
  %b = tile.constant 9 : i8
  %r = tile.shr %a, %b : i8
  return %r : i8
}

// CHECK-LABEL: func.func @shr_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 1 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @shr_ui8() -> ui8 {
  %a = tile.constant 128 : ui8
  %b = tile.constant 7 : ui8
  %r = tile.shr %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @shr_unsigned_by_width(
// CHECK-NEXT: %[[C:.*]] = tile.constant 0 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @shr_unsigned_by_width() -> ui8 {
  %a = tile.constant 128 : ui8
  %b = tile.constant 8 : ui8
  %r = tile.shr %a, %b : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @add_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 3.750000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @add_f32() -> f32 {
  %a = tile.constant 1.5 : f32
  %b = tile.constant 2.25 : f32
  %r = tile.add %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @sub_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -7.500000e-01 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @sub_f32() -> f32 {
  %a = tile.constant 1.5 : f32
  %b = tile.constant 2.25 : f32
  %r = tile.sub %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @mul_f64(
// CHECK-NEXT: %[[C:.*]] = tile.constant 3.000000e+00 : f64
// CHECK-NEXT: return %[[C]] : f64
func.func @mul_f64() -> f64 {
  %a = tile.constant 1.5 : f64
  %b = tile.constant 2.0 : f64
  %r = tile.mul %a, %b : f64
  return %r : f64
}

// CHECK-LABEL: func.func @div_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 2.500000e-01 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @div_f32() -> f32 {
  %a = tile.constant 1.0 : f32
  %b = tile.constant 4.0 : f32
  %r = tile.div %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @min_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -0.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @min_f32() -> f32 {
  %a = tile.constant -0.0 : f32
  %b = tile.constant 0.0 : f32
  %r = tile.min %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @max_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 2.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @max_f32() -> f32 {
  %a = tile.constant 1.0 : f32
  %b = tile.constant 2.0 : f32
  %r = tile.max %a, %b : f32
  return %r : f32
}

// bf16 rounds to nearest even: 256 + 1 has no representation.
// CHECK-LABEL: func.func @add_bf16(
// CHECK-NEXT: %[[C:.*]] = tile.constant 2.560000e+02 : bf16
// CHECK-NEXT: return %[[C]] : bf16
func.func @add_bf16() -> bf16 {
  %a = tile.constant 256.0 : bf16
  %b = tile.constant 1.0 : bf16
  %r = tile.add %a, %b : bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @tiles(
// CHECK-NEXT: %[[C:.*]] = tile.constant dense<12> : tensor<4xi32>
// CHECK-NEXT: return %[[C]] : tensor<4xi32>
func.func @tiles() -> tensor<4xi32> {
  %a = tile.constant dense<3> : tensor<4xi32>
  %b = tile.constant dense<4> : tensor<4xi32>
  %r = tile.mul %a, %b : tensor<4xi32>
  return %r : tensor<4xi32>
}

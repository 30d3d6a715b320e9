// One operand: signs, bits and rounding. Functions that a back end may round differently stay.
// RUN: tegula-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @neg_twice(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @neg_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = tile.neg %x : tensor<4xi32>
  %r = tile.neg %a : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @not_twice(
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>)
// CHECK-NEXT: return %[[X]] : tensor<4xi32>
func.func @not_twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = tile.not %x : tensor<4xi32>
  %r = tile.not %a : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @floor_of_ceil(
// CHECK-NEXT: %[[A:.*]] = tile.ceil
// CHECK-NEXT: return %[[A]]
func.func @floor_of_ceil(%x: f32) -> f32 {
  %a = tile.ceil %x : f32
  %r = tile.floor %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @ceil_of_floor(
// CHECK-NEXT: %[[A:.*]] = tile.floor
// CHECK-NEXT: return %[[A]]
func.func @ceil_of_floor(%x: f32) -> f32 {
  %a = tile.floor %x : f32
  %r = tile.ceil %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @round_of_trunc(
// CHECK-NEXT: %[[A:.*]] = tile.trunc
// CHECK-NEXT: return %[[A]]
func.func @round_of_trunc(%x: f32) -> f32 {
  %a = tile.trunc %x : f32
  %r = tile.round %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @trunc_of_round(
// CHECK-NEXT: %[[A:.*]] = tile.round
// CHECK-NEXT: return %[[A]]
func.func @trunc_of_round(%x: f32) -> f32 {
  %a = tile.round %x : f32
  %r = tile.trunc %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @neg_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -128 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @neg_i8() -> i8 {
  %a = tile.constant -128 : i8
  %r = tile.neg %a : i8
  return %r : i8
}

// CHECK-LABEL: func.func @neg_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 255 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @neg_ui8() -> ui8 {
  %a = tile.constant 1 : ui8
  %r = tile.neg %a : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @neg_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -1.500000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @neg_f32() -> f32 {
  %a = tile.constant 1.5 : f32
  %r = tile.neg %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @not_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -6 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @not_i8() -> i8 {
  %a = tile.constant 5 : i8
  %r = tile.not %a : i8
  return %r : i8
}

// CHECK-LABEL: func.func @abs_i8(
// CHECK-NEXT: %[[C:.*]] = tile.constant -128 : i8
// CHECK-NEXT: return %[[C]] : i8
func.func @abs_i8() -> i8 {
  %a = tile.constant -128 : i8
  %r = tile.abs %a : i8
  return %r : i8
}

// CHECK-LABEL: func.func @abs_i32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 5 : i32
// CHECK-NEXT: return %[[C]] : i32
func.func @abs_i32() -> i32 {
  %a = tile.constant -5 : i32
  %r = tile.abs %a : i32
  return %r : i32
}

// CHECK-LABEL: func.func @abs_ui8(
// CHECK-NEXT: %[[C:.*]] = tile.constant 200 : ui8
// CHECK-NEXT: return %[[C]] : ui8
func.func @abs_ui8() -> ui8 {
  %a = tile.constant 200 : ui8
  %r = tile.abs %a : ui8
  return %r : ui8
}

// CHECK-LABEL: func.func @abs_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant 1.500000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @abs_f32() -> f32 {
  %a = tile.constant -1.5 : f32
  %r = tile.abs %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @not_i1(
// CHECK-NEXT: %[[C:.*]] = tile.constant false
// CHECK-NEXT: return %[[C]] : i1
func.func @not_i1() -> i1 {
  %a = tile.constant true
  %r = tile.not %a : i1
  return %r : i1
}

// CHECK-LABEL: func.func @floor_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -3.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @floor_f32() -> f32 {
  %a = tile.constant -2.5 : f32
  %r = tile.floor %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @ceil_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -2.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @ceil_f32() -> f32 {
  %a = tile.constant -2.5 : f32
  %r = tile.ceil %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @round_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -2.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @round_f32() -> f32 {
  %a = tile.constant -2.5 : f32
  %r = tile.round %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @trunc_f32(
// CHECK-NEXT: %[[C:.*]] = tile.constant -2.000000e+00 : f32
// CHECK-NEXT: return %[[C]] : f32
func.func @trunc_f32() -> f32 {
  %a = tile.constant -2.5 : f32
  %r = tile.trunc %a : f32
  return %r : f32
}

// Functions are not folded: no two back ends round all of them alike.
// CHECK-LABEL: func.func @functions(
// CHECK: tile.constant
// CHECK-NEXT: %[[EXP:.*]] = tile.function exp
// CHECK-NEXT: %[[SQRT:.*]] = tile.function sqrt
// CHECK-NEXT: %[[SIGMOID:.*]] = tile.function sigmoid
// CHECK-NEXT: return %[[EXP]], %[[SQRT]], %[[SIGMOID]]
func.func @functions() -> (f32, f32, f32) {
  %c = tile.constant 1.0 : f32
  %e = tile.function exp %c : f32
  %r = tile.function sqrt %c : f32
  %s = tile.function sigmoid %c : f32
  return %e, %r, %s : f32, f32, f32
}

// CHECK-LABEL: func.func @atan2(
// CHECK: tile.atan2
func.func @atan2() -> f32 {
  %c = tile.constant 1.0 : f32
  %r = tile.atan2 %c, %c : f32
  return %r : f32
}

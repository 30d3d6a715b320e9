// What the verifiers of element-wise operations refuse.
// RUN: tegula-opt %s -verify-diagnostics -split-input-file

func.func @extent(%x: tensor<3xf32>) {
  // expected-error @below {{must be a tile or scalar of numbers}}
  %0 = tile.neg %x : tensor<3xf32>
  return
}

// -----
func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error @below {{must be a tile or scalar of numbers}}
  %0 = tile.neg %x : tensor<?xf32>
  return
}

// -----
func.func @fp8_arithmetic(%x: tensor<4xf8E4M3FN>) {
  // expected-error @below {{must be a tile or scalar of numbers (fp8 and bool have no arithmetic: cast first)}}
  %0 = tile.add %x, %x : tensor<4xf8E4M3FN>
  return
}

// -----
func.func @bool_arithmetic(%x: i1) {
  // expected-error @below {{must be a tile or scalar of numbers (fp8 and bool have no arithmetic: cast first)}}
  %0 = tile.mul %x, %x : i1
  return
}

// -----
func.func @integer_exp(%x: i32) {
  // expected-error @below {{must be a tile or scalar of f64, f32, f16 or bf16}}
  %0 = tile.function exp %x : i32
  return
}

// -----
func.func @unknown_function(%x: f32) {
  // expected-error @below {{not a function of one float: 'gamma'}}
  %0 = tile.function gamma %x : f32
  return
}

// -----
func.func @numbered_function(%x: f32) {
  // expected-error @below {{failed to satisfy constraint: a function of one float}}
  %0 = "tile.function"(%x) {function = 1000 : i64} : (f32) -> f32
  return
}

// -----
func.func @float_bits(%x: f32) {
  // expected-error @below {{must be a tile or scalar of integers or bool}}
  %0 = tile.and %x, %x : f32
  return
}

// -----
func.func @cmp(%x: tensor<4xf32>) {
  // expected-error @below {{result must have the operands' shape}}
  %0 = tile.cmp lt, %x, %x : tensor<4xf32> -> i1
  return
}

// -----
func.func @select(%c: i1, %x: tensor<4xf32>) {
  // expected-error @below {{condition must have the result's shape}}
  %0 = tile.select %c, %x, %x : i1, tensor<4xf32>
  return
}

// -----
func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the shape}}
  %0 = tile.cast %x : tensor<4xf32> -> tensor<8xf16>
  return
}

// -----
func.func @cast_rounding(%x: tensor<4xi32>) {
  // expected-error @below {{between integers there is nothing to round}}
  %0 = tile.cast %x round up : tensor<4xi32> -> tensor<4xi16>
  return
}

// -----
func.func @bitcast_shape(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the shape}}
  %0 = tile.bitcast %x : tensor<4xf32> -> tensor<2x2xi32>
  return
}

// -----
func.func @bitcast_width(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the width: 'f32' and 'i16' differ}}
  %0 = tile.bitcast %x : tensor<4xf32> -> tensor<4xi16>
  return
}

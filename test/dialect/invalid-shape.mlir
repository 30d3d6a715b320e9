// What the verifiers of operations on shapes, or along an axis, refuse.
// RUN: tegula-opt %s -verify-diagnostics -split-input-file

func.func @broadcast_element(%x: f32) {
  // expected-error @below {{keeps the element type}}
  %0 = tile.broadcast %x : f32 -> tensor<4xf64>
  return
}

// -----
func.func @broadcast_rank(%x: tensor<1x4xf32>) {
  // expected-error @below {{cannot lower the rank}}
  %0 = tile.broadcast %x : tensor<1x4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @broadcast_extent(%x: tensor<4x2xf32>) {
  // expected-error @below {{cannot repeat an axis of extent 2 to 8}}
  %0 = tile.broadcast %x : tensor<4x2xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @reshape_element(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the element type}}
  %0 = tile.reshape %x : tensor<4xf32> -> tensor<2x2xi32>
  return
}

// -----
func.func @reshape_size(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the number of elements: 4 and 8 differ}}
  %0 = tile.reshape %x : tensor<4xf32> -> tensor<2x4xf32>
  return
}

// -----
func.func @permute_repeated(%x: tensor<4x8xf32>) {
  // expected-error @below {{names every axis once}}
  %0 = tile.permute %x [1, 1] : tensor<4x8xf32> -> tensor<8x8xf32>
  return
}

// -----
func.func @permute_short(%x: tensor<4x8xf32>) {
  // expected-error @below {{names every axis once}}
  %0 = tile.permute %x [0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @permute_shape(%x: tensor<4x8xf32>) {
  // expected-error @below {{result must have the permuted shape}}
  %0 = tile.permute %x [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----
func.func @concat_axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis 1 is outside a shape of rank 1}}
  %0 = tile.concat %x, %x axis 1 : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----
func.func @concat_shape(%x: tensor<4xf32>) {
  // expected-error @below {{result must be twice as long along the axis}}
  %0 = tile.concat %x, %x axis 0 : tensor<4xf32> -> tensor<16xf32>
  return
}

// -----
func.func @extract_element(%x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{keeps the element type}}
  %0 = tile.extract %x[%i] : tensor<4xf32> -> tensor<2xf64>
  return
}

// -----
func.func @extract_rank(%x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{keeps the rank}}
  %0 = tile.extract %x[%i] : tensor<4xf32> -> f32
  return
}

// -----
func.func @extract_larger(%x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{the sub-tile is larger than the tile}}
  %0 = tile.extract %x[%i] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----
func.func @extract_indices(%x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{takes one index per axis: 1, not 2}}
  %0 = tile.extract %x[%i, %i] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----
func.func @insert(%x: tensor<4xf32>, %p: tensor<8xf32>, %i: i64) {
  // expected-error @below {{the sub-tile is larger than the tile}}
  %0 = tile.insert %p into %x[%i] : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----
func.func @reduce_any(%x: tensor<4xf32>) {
  // expected-error @below {{'any' and 'all' combine bool; the others numbers}}
  %0 = tile.reduce any %x axis 0 : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----
func.func @reduce_bool(%x: tensor<4xi1>) {
  // expected-error @below {{'any' and 'all' combine bool; the others numbers}}
  %0 = tile.reduce sum %x axis 0 : tensor<4xi1> -> tensor<1xi1>
  return
}

// -----
func.func @reduce_fp8(%x: tensor<4xf8E5M2>) {
  // expected-error @below {{'any' and 'all' combine bool; the others numbers}}
  %0 = tile.reduce max %x axis 0 : tensor<4xf8E5M2> -> tensor<1xf8E5M2>
  return
}

// -----
func.func @reduce_axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis 3 is outside a shape of rank 1}}
  %0 = tile.reduce sum %x axis 3 : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----
func.func @reduce_result(%x: tensor<4x8xf32>) {
  // expected-error @below {{result must be 'tensor<4x1xf32>', not 'tensor<4xf32>'}}
  %0 = tile.reduce sum %x axis 1 : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----
func.func @scan_combiner(%x: tensor<4xf32>) {
  // expected-error @below {{'any' and 'all' combine bool; the others numbers}}
  %0 = tile.scan all %x axis 0 : tensor<4xf32>
  return
}

// -----
func.func @scan_axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis 1 is outside a shape of rank 1}}
  %0 = tile.scan sum %x axis 1 : tensor<4xf32>
  return
}

// -----
func.func @arg_reduce_combiner(%x: tensor<4xf32>) {
  // expected-error @below {{finds the 'max' or the 'min'}}
  %0 = tile.arg_reduce sum %x axis 0 : tensor<4xf32> -> tensor<1xi32>
  return
}

// -----
func.func @arg_reduce_bool(%x: tensor<4xi1>) {
  // expected-error @below {{compares numbers}}
  %0 = tile.arg_reduce max %x axis 0 : tensor<4xi1> -> tensor<1xi32>
  return
}

// -----
func.func @arg_reduce_result(%x: tensor<4xf32>) {
  // expected-error @below {{result must be 'tensor<1xi32>', not 'tensor<1xi64>'}}
  %0 = tile.arg_reduce max %x axis 0 : tensor<4xf32> -> tensor<1xi64>
  return
}

// -----
func.func @sort_axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis 1 is outside a shape of rank 1}}
  %0, %1 = tile.sort %x axis 1 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----
func.func @sort_bool(%x: tensor<4xi1>) {
  // expected-error @below {{orders numbers}}
  %0, %1 = tile.sort %x axis 0 : tensor<4xi1> -> tensor<4xi1>, tensor<4xi32>
  return
}

// -----
func.func @sort_longer(%x: tensor<4xf32>) {
  // expected-error @below {{results must have the operand's shape, perhaps shorter along the axis; indices are i32}}
  %0, %1 = tile.sort %x axis 0 : tensor<4xf32> -> tensor<8xf32>, tensor<8xi32>
  return
}

// -----
func.func @sort_indices(%x: tensor<4xf32>) {
  // expected-error @below {{results must have the operand's shape, perhaps shorter along the axis; indices are i32}}
  %0, %1 = tile.sort %x axis 0 : tensor<4xf32> -> tensor<4xf32>, tensor<4xi64>
  return
}

// -----
func.func @reduce_by_results(%x: tensor<4xf32>) {
  // expected-error @below {{has as many results as operands, at least one}}
  %0:2 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<1xf32>, tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @reduce_by_arguments(%x: tensor<4xf32>) {
  // expected-error @below {{the region takes two scalars per operand}}
  %0 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<1xf32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @reduce_by_yield(%x: tensor<4xf32>) {
  // expected-error @below {{the region yields one scalar per operand}}
  %0 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----
func.func @reduce_by_shapes(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  // expected-error @below {{operands must have one shape}}
  %0:2 = tile.reduce_by %x, %y axis 0 : tensor<4xf32>, tensor<8xf32> -> tensor<1xf32>, tensor<1xf32> {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.yield %a, %b : f32, f32
  }
  return
}

// -----
func.func @reduce_by_element(%x: tensor<4xf32>) {
  // expected-error @below {{the region works on scalars of the operands' element types}}
  %0 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<1xf32> {
  ^bb0(%a: f64, %b: f64):
    tile.yield %a : f64
  }
  return
}

// -----
func.func @reduce_by_type(%x: tensor<4xf32>) {
  // expected-error @below {{result must be 'tensor<1xf32>', not 'tensor<4xf32>'}}
  %0 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @scan_by_type(%x: tensor<4xf32>) {
  // expected-error @below {{keeps the types}}
  %0 = tile.scan_by %x axis 0 : tensor<4xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @scan_by_axis(%x: tensor<4xf32>) {
  // expected-error @below {{axis 1 is outside a shape of rank 1}}
  %0 = tile.scan_by %x axis 1 : tensor<4xf32> -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// -----
func.func @reduce_by_captures(%x: tensor<4xf32>, %outer: f32) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = tile.reduce_by %x axis 0 : tensor<4xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    // expected-error @below {{using value defined outside the region}}
    %c = tile.add %a, %outer : f32
    tile.yield %c : f32
  }
  return
}

// -----
func.func @mma_k(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) {
  // expected-error @below {{shapes must be [..., M, K], [..., K, N] and [..., M, N]}}
  %0 = tile.mma %a, %b, %c : tensor<4x8xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----
func.func @mma_batch(%a: tensor<2x4x4xf32>, %b: tensor<4x4x4xf32>, %c: tensor<2x4x4xf32>) {
  // expected-error @below {{shapes must be [..., M, K], [..., K, N] and [..., M, N]}}
  %0 = tile.mma %a, %b, %c : tensor<2x4x4xf32>, tensor<4x4x4xf32> -> tensor<2x4x4xf32>
  return
}

// -----
func.func @mma_rank(%a: tensor<4xf32>) {
  // expected-error @below {{shapes must be [..., M, K], [..., K, N] and [..., M, N]}}
  %0 = tile.mma %a, %a, %a : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @mma_types(%a: tensor<4x4xf16>, %b: tensor<4x4xbf16>, %c: tensor<4x4xf32>) {
  // expected-error @below {{no product of 'f16' and 'bf16' into 'f32'}}
  %0 = tile.mma %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16> -> tensor<4x4xf32>
  return
}

// -----
func.func @mma_accumulator(%a: tensor<4x4xf16>) {
  // expected-error @below {{no product of 'f16' and 'f16' into 'f16'}}
  %0 = tile.mma %a, %a, %a : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  return
}

// -----
func.func @mma_tf32(%a: tensor<4x4xf64>) {
  // expected-error @below {{tf32 is a mode of f32 operands}}
  %0 = tile.mma %a, %a, %a tf32 : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  return
}

// Composite operations become simple ones: sigmoid in f32 at least, philox in ten rounds of 32-bit multiplications, a segment by
// halving the range that it is in.
// RUN: tegula-opt %s --tile-expand | FileCheck %s

// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[ONE:.*]] = tile.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[NEG:.*]] = tile.neg %[[X]]
// CHECK: %[[EXP:.*]] = tile.function exp %[[NEG]]
// CHECK: %[[SUM:.*]] = tile.add %[[ONE]], %[[EXP]]
// CHECK: %[[R:.*]] = tile.div %[[ONE]], %[[SUM]] : tensor<8xf32>
// CHECK-NEXT: return %[[R]]
func.func @sigmoid(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = tile.function sigmoid %x : tensor<8xf32>
  return %r : tensor<8xf32>
}

// Half precision is widened once and rounded once, not at every step.
// CHECK-LABEL: func.func @sigmoid_half(
// CHECK: tile.cast %{{.*}} : bf16 -> f32
// CHECK-NOT: bf16
// CHECK: tile.neg %{{.*}} : f32
// CHECK: tile.function exp %{{.*}} : f32
// CHECK: tile.add %{{.*}} : f32
// CHECK: tile.div %{{.*}} : f32
// CHECK: tile.cast %{{.*}} : f32 -> bf16
func.func @sigmoid_half(%x: bf16) -> bf16 {
  %r = tile.function sigmoid %x : bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @sigmoid_double(
// CHECK-NOT: tile.cast
// CHECK: tile.function exp %{{.*}} : f64
// CHECK: return
func.func @sigmoid_double(%x: f64) -> f64 {
  %r = tile.function sigmoid %x : f64
  return %r : f64
}

// In the region of a reduction too.
// CHECK-LABEL: func.func @sigmoid_in_region(
// CHECK: tile.reduce_by
// CHECK-NOT: tile.function sigmoid
// CHECK: tile.div
// CHECK: tile.yield
func.func @sigmoid_in_region(%x: tensor<8xf32>) -> tensor<1xf32> {
  %r = tile.reduce_by %x axis 0 : tensor<8xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    %s = tile.function sigmoid %a : f32
    %t = tile.add %s, %b : f32
    tile.yield %t : f32
  }
  return %r : tensor<1xf32>
}

// CHECK-LABEL: func.func @philox(
// CHECK-SAME: %[[KEY:.*]]: ui64, %[[COUNTER:.*]]: tensor<4xui64>)
// CHECK-NOT: tile.philox
// CHECK: tile.broadcast %[[KEY]] : ui64 -> tensor<4xui64>
// CHECK-COUNT-20: tile.mul %{{.*}}, %{{.*}} : tensor<4xui64>
// CHECK-NOT: tile.mul
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xui32>
func.func @philox(%key: ui64, %counter: tensor<4xui64>) -> (tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>) {
  %r:4 = tile.philox %key, %counter : tensor<4xui64> -> tensor<4xui32>
  return %r#0, %r#1, %r#2, %r#3 : tensor<4xui32>, tensor<4xui32>, tensor<4xui32>, tensor<4xui32>
}

// One number: the key needs no repeating.
// CHECK-LABEL: func.func @philox_scalar(
// CHECK-NOT: tile.broadcast
// CHECK-DAG: tile.constant 3528531795 : ui64
// CHECK-DAG: tile.constant 3449720151 : ui64
// CHECK-DAG: tile.constant 2654435769 : ui32
// CHECK-DAG: tile.constant 3144134277 : ui32
// CHECK: return
func.func @philox_scalar(%key: ui64, %counter: ui64) -> ui32 {
  %r:4 = tile.philox %key, %counter : ui64 -> ui32
  return %r#0 : ui32
}

// Between the first offset and the last: what is read is inside.
// CHECK-LABEL: func.func @segment(
// CHECK-SAME: %[[V:.*]]: !tile.view<offsets, 1xi32>, %[[P:.*]]: i64)
// CHECK: %[[N:.*]] = tile.dim %[[V]] axis 0
// CHECK: %[[LAST:.*]] = tile.sub %[[N]], %
// CHECK: %[[R:.*]]:2 = scf.while (%[[LOW:.*]] = %{{.*}}, %[[HIGH:.*]] = %[[LAST]])
// CHECK: %[[LEFT:.*]] = tile.sub %[[HIGH]], %[[LOW]]
// CHECK: %[[GOES_ON:.*]] = tile.cmp gt, %[[LEFT]], %
// CHECK: scf.condition(%[[GOES_ON]]) %[[LOW]], %[[HIGH]]
// CHECK: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64):
// CHECK: %[[SUM:.*]] = tile.add %[[A]], %[[B]]
// CHECK: %[[MIDDLE:.*]] = tile.div %[[SUM]], %
// CHECK: tile.load %[[V]][%[[MIDDLE]]] {inside}
// CHECK: %[[OFFSET:.*]] = tile.cast %{{.*}} : i32 -> i64
// CHECK: %[[BELOW:.*]] = tile.cmp le, %[[OFFSET]], %[[P]]
// CHECK-DAG: %[[NEW_LOW:.*]] = tile.select %[[BELOW]], %[[MIDDLE]], %[[A]]
// CHECK-DAG: %[[NEW_HIGH:.*]] = tile.select %[[BELOW]], %[[B]], %[[MIDDLE]]
// CHECK: scf.yield %[[NEW_LOW]], %[[NEW_HIGH]]
// CHECK: return %[[R]]#0
func.func @segment(%v: !tile.view<offsets, 1xi32>, %p: i64) -> i64 {
  %r = tile.segment %p in %v : <offsets, 1xi32>
  return %r : i64
}

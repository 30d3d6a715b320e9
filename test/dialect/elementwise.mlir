// Every element-wise operation prints a form that parses back.
// RUN: tegula-opt %s | tegula-opt | FileCheck %s
// RUN: tegula-opt --mlir-print-op-generic %s | tegula-opt | FileCheck %s

// CHECK-LABEL: func.func @unary_float
func.func @unary_float(%x: tensor<4x8xf32>) {
  // CHECK: tile.function exp %{{.*}} : tensor<4x8xf32>
  %0 = tile.function exp %x : tensor<4x8xf32>
  // CHECK: tile.function exp2 %{{.*}} : tensor<4x8xf32>
  %1 = tile.function exp2 %x : tensor<4x8xf32>
  // CHECK: tile.function expm1 %{{.*}} : tensor<4x8xf32>
  %2 = tile.function expm1 %x : tensor<4x8xf32>
  // CHECK: tile.function log %{{.*}} : tensor<4x8xf32>
  %3 = tile.function log %x : tensor<4x8xf32>
  // CHECK: tile.function log2 %{{.*}} : tensor<4x8xf32>
  %4 = tile.function log2 %x : tensor<4x8xf32>
  // CHECK: tile.function log1p %{{.*}} : tensor<4x8xf32>
  %5 = tile.function log1p %x : tensor<4x8xf32>
  // CHECK: tile.function sqrt %{{.*}} : tensor<4x8xf32>
  %6 = tile.function sqrt %x : tensor<4x8xf32>
  // CHECK: tile.function rsqrt %{{.*}} : tensor<4x8xf32>
  %7 = tile.function rsqrt %x : tensor<4x8xf32>
  // CHECK: tile.function sin %{{.*}} : tensor<4x8xf32>
  %8 = tile.function sin %x : tensor<4x8xf32>
  // CHECK: tile.function cos %{{.*}} : tensor<4x8xf32>
  %9 = tile.function cos %x : tensor<4x8xf32>
  // CHECK: tile.function tan %{{.*}} : tensor<4x8xf32>
  %10 = tile.function tan %x : tensor<4x8xf32>
  // CHECK: tile.function tanh %{{.*}} : tensor<4x8xf32>
  %11 = tile.function tanh %x : tensor<4x8xf32>
  // CHECK: tile.function erf %{{.*}} : tensor<4x8xf32>
  %12 = tile.function erf %x : tensor<4x8xf32>
  // CHECK: tile.function sigmoid %{{.*}} : tensor<4x8xf32>
  %13 = tile.function sigmoid %x : tensor<4x8xf32>
  // CHECK: tile.floor %{{.*}} : tensor<4x8xf32>
  %14 = tile.floor %x : tensor<4x8xf32>
  // CHECK: tile.ceil %{{.*}} : tensor<4x8xf32>
  %15 = tile.ceil %x : tensor<4x8xf32>
  // CHECK: tile.round %{{.*}} : tensor<4x8xf32>
  %16 = tile.round %x : tensor<4x8xf32>
  // CHECK: tile.trunc %{{.*}} : tensor<4x8xf32>
  %17 = tile.trunc %x : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @unary
func.func @unary(%h: f16, %i: tensor<8xi8>, %b: i1) {
  // CHECK: tile.neg %{{.*}} : f16
  %0 = tile.neg %h : f16
  // CHECK: tile.neg %{{.*}} : tensor<8xi8>
  %1 = tile.neg %i : tensor<8xi8>
  // CHECK: tile.abs %{{.*}} : f16
  %2 = tile.abs %h : f16
  // CHECK: tile.abs %{{.*}} : tensor<8xi8>
  %3 = tile.abs %i : tensor<8xi8>
  // CHECK: tile.not %{{.*}} : tensor<8xi8>
  %4 = tile.not %i : tensor<8xi8>
  // CHECK: tile.not %{{.*}} : i1
  %5 = tile.not %b : i1
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%f: tensor<4xbf16>, %u: ui64) {
  // CHECK: tile.add %{{.*}}, %{{.*}} : tensor<4xbf16>
  %0 = tile.add %f, %f : tensor<4xbf16>
  // CHECK: tile.add %{{.*}}, %{{.*}} : ui64
  %1 = tile.add %u, %u : ui64
  // CHECK: tile.sub %{{.*}}, %{{.*}} : tensor<4xbf16>
  %2 = tile.sub %f, %f : tensor<4xbf16>
  // CHECK: tile.sub %{{.*}}, %{{.*}} : ui64
  %3 = tile.sub %u, %u : ui64
  // CHECK: tile.mul %{{.*}}, %{{.*}} : tensor<4xbf16>
  %4 = tile.mul %f, %f : tensor<4xbf16>
  // CHECK: tile.mul %{{.*}}, %{{.*}} : ui64
  %5 = tile.mul %u, %u : ui64
  // CHECK: tile.div %{{.*}}, %{{.*}} : tensor<4xbf16>
  %6 = tile.div %f, %f : tensor<4xbf16>
  // CHECK: tile.div %{{.*}}, %{{.*}} : ui64
  %7 = tile.div %u, %u : ui64
  // CHECK: tile.rem %{{.*}}, %{{.*}} : tensor<4xbf16>
  %8 = tile.rem %f, %f : tensor<4xbf16>
  // CHECK: tile.rem %{{.*}}, %{{.*}} : ui64
  %9 = tile.rem %u, %u : ui64
  // CHECK: tile.min %{{.*}}, %{{.*}} : tensor<4xbf16>
  %10 = tile.min %f, %f : tensor<4xbf16>
  // CHECK: tile.min %{{.*}}, %{{.*}} : ui64
  %11 = tile.min %u, %u : ui64
  // CHECK: tile.max %{{.*}}, %{{.*}} : tensor<4xbf16>
  %12 = tile.max %f, %f : tensor<4xbf16>
  // CHECK: tile.max %{{.*}}, %{{.*}} : ui64
  %13 = tile.max %u, %u : ui64
  // CHECK: tile.pow %{{.*}}, %{{.*}} : tensor<4xbf16>
  %14 = tile.pow %f, %f : tensor<4xbf16>
  // CHECK: tile.atan2 %{{.*}}, %{{.*}} : tensor<4xbf16>
  %15 = tile.atan2 %f, %f : tensor<4xbf16>
  // CHECK: tile.and %{{.*}}, %{{.*}} : ui64
  %16 = tile.and %u, %u : ui64
  // CHECK: tile.or %{{.*}}, %{{.*}} : ui64
  %17 = tile.or %u, %u : ui64
  // CHECK: tile.xor %{{.*}}, %{{.*}} : ui64
  %18 = tile.xor %u, %u : ui64
  // CHECK: tile.shl %{{.*}}, %{{.*}} : ui64
  %19 = tile.shl %u, %u : ui64
  // CHECK: tile.shr %{{.*}}, %{{.*}} : ui64
  %20 = tile.shr %u, %u : ui64
  return
}

// CHECK-LABEL: func.func @choose
func.func @choose(%d: tensor<4xf64>, %c: tensor<4xi1>, %q: f8E4M3FN) {
  // CHECK: tile.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf64>
  %0 = tile.fma %d, %d, %d : tensor<4xf64>
  // CHECK: tile.cmp eq, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %1 = tile.cmp eq, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp ne, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %2 = tile.cmp ne, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp lt, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %3 = tile.cmp lt, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp le, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %4 = tile.cmp le, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp gt, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %5 = tile.cmp gt, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp ge, %{{.*}}, %{{.*}} : tensor<4xf64> -> tensor<4xi1>
  %6 = tile.cmp ge, %d, %d : tensor<4xf64> -> tensor<4xi1>
  // CHECK: tile.cmp eq, %{{.*}}, %{{.*}} : f8E4M3FN -> i1
  %7 = tile.cmp eq, %q, %q : f8E4M3FN -> i1
  // CHECK: tile.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf64>
  %8 = tile.select %c, %d, %d : tensor<4xi1>, tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @convert
func.func @convert(%x: tensor<4xf32>, %i: i64) {
  // CHECK: tile.cast %{{.*}} : tensor<4xf32> -> tensor<4xbf16>
  %0 = tile.cast %x : tensor<4xf32> -> tensor<4xbf16>
  // CHECK: tile.cast %{{.*}} round toward_zero : tensor<4xf32> -> tensor<4xi32>
  %1 = tile.cast %x round toward_zero : tensor<4xf32> -> tensor<4xi32>
  // CHECK: tile.cast %{{.*}} round down : tensor<4xf32> -> tensor<4xf16>
  %2 = tile.cast %x round down : tensor<4xf32> -> tensor<4xf16>
  // CHECK: tile.cast %{{.*}} round up saturate : tensor<4xf32> -> tensor<4xf8E4M3FN>
  %3 = tile.cast %x round up saturate : tensor<4xf32> -> tensor<4xf8E4M3FN>
  // CHECK: tile.cast %{{.*}} saturate : tensor<4xf32> -> tensor<4xf8E5M2>
  %4 = tile.cast %x saturate : tensor<4xf32> -> tensor<4xf8E5M2>
  // CHECK: tile.cast %{{.*}} round up : tensor<4xf32> -> tensor<4xf8E8M0FNU>
  %scale = tile.cast %x round up : tensor<4xf32> -> tensor<4xf8E8M0FNU>
  // CHECK: tile.cast %{{.*}} saturate : i64 -> ui8
  %5 = tile.cast %i saturate : i64 -> ui8
  // CHECK: tile.cast %{{.*}} : i64 -> i1
  %6 = tile.cast %i : i64 -> i1
  // CHECK: tile.bitcast %{{.*}} : tensor<4xf32> -> tensor<4xui32>
  %7 = tile.bitcast %x : tensor<4xf32> -> tensor<4xui32>
  // CHECK: tile.bitcast %{{.*}} : i64 -> f64
  %8 = tile.bitcast %i : i64 -> f64
  return
}

// Arithmetic on registers.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --cse | FileCheck %s --check-prefixes=CHECK,V4
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v3 --tile-cpu-place --tile-cpu-lower --cse | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64 --tile-cpu-place --tile-cpu-lower --cse | FileCheck %s --check-prefixes=CHECK,V1

// glibc's vector functions, in the variant for the registers of the machine. They touch no memory and do not throw.
// V4: llvm.func @_ZGVeN16v_tanhf(vector<16xf32>) -> vector<16xf32> attributes {memory_effects = #llvm.memory_effects<{{.*}}>, passthrough = ["nounwind", "willreturn"]}
// V4: llvm.call @_ZGVeN16v_tanhf
// V3: llvm.call @_ZGVdN8v_tanhf
// V1: llvm.call @_ZGVbN4v_tanhf
func.func @tanh(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.function tanh %x : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// The exponential of f32 is a polynomial in line, where the machine has fused multiply-add.
// V4-LABEL: func.func @tegula_program_exp(
// V4-COUNT-9: math.fma %{{.*}} : vector<16xf32>
// V3-LABEL: func.func @tegula_program_exp(
// V3-COUNT-9: math.fma %{{.*}} : vector<8xf32>
// V1: llvm.call @_ZGVbN4v_expf
func.func @exp(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.function exp %x : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// V4: llvm.call @_ZGVeN8vv_pow(
// V3: llvm.call @_ZGVdN4vv_pow(
// V1: llvm.call @_ZGVbN2vv_pow(
func.func @power(%in: !tile.view<in, 64xf64> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 64xf64> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf64> -> tensor<64xf64>
  %r = tile.pow %x, %x : tensor<64xf64>
  tile.store %r, %out[%i] : tensor<64xf64>, <out, 64xf64>
  return
}

// -----

// Fewer lanes than any register has, and scalars: the plain function.
// CHECK-LABEL: func.func @tegula_program_few(
// CHECK-COUNT-2: llvm.call @tanhf(
// CHECK: return
func.func @few(%in: !tile.view<in, 2xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 2xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 2xf32> -> tensor<2xf32>
  %r = tile.function tanh %x : tensor<2xf32>
  tile.store %r, %out[%i] : tensor<2xf32>, <out, 2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @tegula_program_scalar(
// CHECK: llvm.call @erf(%{{.*}}) : (f64) -> f64
func.func @scalar(%x: f64, %out: !tile.view<out, f64>) {
  %r = tile.function erf %x : f64
  tile.store %r, %out[] : f64, <out, f64>
  return
}

// -----

// Half precision is computed in f32, and converted by integer arithmetic where the machine has no instruction for it.
// CHECK-LABEL: func.func @tegula_program_half(
// V4: arith.extf %{{.*}} : f16 to f32
// V3: arith.extf %{{.*}} : f16 to f32
// V1-NOT: arith.extf
// CHECK: %[[R:.*]] = arith.mulf %{{.*}} : f32
// V4: arith.truncf %[[R]] : f32 to f16
// V3: arith.truncf %[[R]] : f32 to f16
// V1-NOT: arith.truncf
// CHECK: return
func.func @half(%x: f16, %y: f16, %out: !tile.view<out, f16>) {
  %r = tile.mul %x, %y : f16
  tile.store %r, %out[] : f16, <out, f16>
  return
}

// -----

// A vector of half precision is two registers wide as f32: two calls, each of the variant for the machine's registers.
// CHECK-LABEL: func.func @tegula_program_log_half(
// V4-COUNT-2: llvm.call @_ZGVeN16v_logf
// V3-COUNT-2: llvm.call @_ZGVdN8v_logf
// V1-COUNT-2: llvm.call @_ZGVbN4v_logf
// CHECK: } else {
func.func @log_half(%in: !tile.view<in, 64xbf16> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 64xbf16> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xbf16> -> tensor<64xbf16>
  %r = tile.function log %x : tensor<64xbf16>
  tile.store %r, %out[%i] : tensor<64xbf16>, <out, 64xbf16>
  return
}

// -----

// A fused product in half precision is rounded once: in f64, where the product is exact, with the error of the sum made sticky.
// CHECK-LABEL: func.func @tegula_program_fma_half(
// CHECK-NOT: math.fma
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}} : f64
// CHECK: %[[SUM:.*]] = arith.addf %[[PRODUCT]], %{{.*}} : f64
// CHECK: arith.bitcast %[[SUM]] : f64 to i64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @fma_half(%x: bf16, %y: bf16, %z: bf16, %out: !tile.view<out, bf16>) {
  %r = tile.fma %x, %y, %z : bf16
  tile.store %r, %out[] : bf16, <out, bf16>
  return
}

// -----

// No divisor of 0 or -1 that could trap reaches the instruction: by 0 the quotient is 0.
// CHECK-LABEL: func.func @tegula_program_divide(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[BY_ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %[[ZERO]] : i32
// CHECK: %[[SMALLEST:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[OVERFLOWS:.*]] = arith.andi
// CHECK: %[[UNFIT:.*]] = arith.ori %[[BY_ZERO]], %[[OVERFLOWS]]
// CHECK: %[[SAFE:.*]] = arith.select %[[UNFIT]], %{{.*}}, %[[Y]] : i32
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %[[SAFE]] : i32
// CHECK: arith.select %[[BY_ZERO]], %[[ZERO]], %[[Q]] : i32
func.func @divide(%x: i32, %y: i32, %out: !tile.view<out, i32>) {
  %r = tile.div %x, %y : i32
  tile.store %r, %out[] : i32, <out, i32>
  return
}

// -----

// Unsigned: only 0 is unfit, and the remainder by 0 is the number itself.
// CHECK-LABEL: func.func @tegula_program_remainder(
// CHECK: %[[BY_ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %{{.*}} : i32
// CHECK-NOT: arith.ori
// CHECK: %[[SAFE:.*]] = arith.select %[[BY_ZERO]], %{{.*}}, %[[Y]] : i32
// CHECK: %[[R:.*]] = arith.remui %[[X:.*]], %[[SAFE]] : i32
// CHECK: arith.select %[[BY_ZERO]], %[[X]], %[[R]] : i32
func.func @remainder(%x: ui32, %y: ui32, %out: !tile.view<out, ui32>) {
  %r = tile.rem %x, %y : ui32
  tile.store %r, %out[] : ui32, <out, ui32>
  return
}

// -----

// Shifts by the width and more: 0, or the sign.
// CHECK-LABEL: func.func @tegula_program_shifts(
// CHECK: %[[FAR:.*]] = arith.cmpi uge, %{{.*}} : i16
// CHECK: %[[MOST:.*]] = arith.minui %{{.*}} : i16
// CHECK: %[[LEFT:.*]] = arith.shli %{{.*}}, %[[MOST]] : i16
// CHECK: arith.select %[[FAR]], %{{.*}}, %[[LEFT]] : i16
// CHECK: arith.shrsi %{{.*}}, %[[MOST]] : i16
func.func @shifts(%x: i16, %y: i16, %a: !tile.view<out, i16>, %b: !tile.view<out, i16>) {
  %l = tile.shl %x, %y : i16
  %r = tile.shr %x, %y : i16
  tile.store %l, %a[] : i16, <out, i16>
  tile.store %r, %b[] : i16, <out, i16>
  return
}

// -----

// The order of unsigned numbers and of bool is their own, and NaN is unequal to all.
// CHECK-LABEL: func.func @tegula_program_order(
// CHECK: arith.cmpi ult, %{{.*}} : i8
// CHECK: arith.cmpi slt, %{{.*}} : i32
// CHECK: arith.cmpf une, %{{.*}} : f32
// CHECK: arith.cmpi ult, %{{.*}} : i1
// CHECK: arith.minui
// CHECK: arith.maximumf
func.func @order(%u: ui8, %s: i32, %f: f32, %b: i1, %o: !tile.view<out, i1>, %p: !tile.view<out, ui8>, %q: !tile.view<out, f32>) {
  %0 = tile.cmp lt, %u, %u : ui8 -> i1
  %1 = tile.cmp lt, %s, %s : i32 -> i1
  %2 = tile.cmp ne, %f, %f : f32 -> i1
  %3 = tile.cmp lt, %b, %0 : i1 -> i1
  %4 = tile.or %1, %2 : i1
  %5 = tile.or %3, %4 : i1
  %6 = tile.min %u, %u : ui8
  %7 = tile.max %f, %f : f32
  tile.store %5, %o[] : i1, <out, i1>
  tile.store %6, %p[] : ui8, <out, ui8>
  tile.store %7, %q[] : f32, <out, f32>
  return
}

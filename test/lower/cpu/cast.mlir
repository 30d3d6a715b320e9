// Conversions: each rounds once.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// To bf16 by integer arithmetic, halves to even: the instruction of the machine would flush denormals. A NaN stays one.
// CHECK-LABEL: func.func @tegula_program_to_bf16(
// CHECK-DAG: %[[HALF:.*]] = arith.constant 32767 : i32
// CHECK-DAG: %[[QUIET:.*]] = arith.constant 4194304 : i32
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant 16 : i32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NOT: arith.truncf
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X:.*]] : f32 to i32
// CHECK: %[[SHIFTED:.*]] = arith.shrui %[[BITS]], %[[SIXTEEN]]
// CHECK: %[[ODD:.*]] = arith.andi %[[SHIFTED]], %[[ONE]]
// CHECK: %[[BIAS:.*]] = arith.addi %[[ODD]], %[[HALF]]
// CHECK: %[[ROUNDED:.*]] = arith.addi %[[BITS]], %[[BIAS]]
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK: %[[KEPT:.*]] = arith.ori %[[BITS]], %[[QUIET]]
// CHECK: arith.select %[[NAN]], %[[KEPT]], %[[ROUNDED]]
func.func @to_bf16(%x: f32, %out: !tile.view<out, bf16>) {
  %r = tile.cast %x : f32 -> bf16
  tile.store %r, %out[] : bf16, <out, bf16>
  return
}

// -----

// From bf16: the upper half of an f32.
// CHECK-LABEL: func.func @tegula_program_from_bf16(
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i16 to i32
// CHECK: %[[UP:.*]] = arith.shli %[[WIDE]], %{{.*}} : i32
// CHECK: arith.bitcast %[[UP]] : i32 to f32
func.func @from_bf16(%x: bf16, %out: !tile.view<out, f32>) {
  %r = tile.cast %x : bf16 -> f32
  tile.store %r, %out[] : f32, <out, f32>
  return
}

// -----

// f64 to half precision goes by way of an f32 with a sticky last bit, so that it is not rounded twice.
// CHECK-LABEL: func.func @tegula_program_f64_to_f16(
// CHECK: %[[NEAR:.*]] = arith.truncf %[[X:.*]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
// CHECK: %[[INEXACT:.*]] = arith.cmpf one, %[[BACK]], %[[X]] : f64
// CHECK: %[[STICKY:.*]] = arith.ori
// CHECK: %[[ODD:.*]] = arith.select %[[INEXACT]], %[[STICKY]], %{{.*}} : i32
// CHECK: %[[FLOAT:.*]] = arith.bitcast %[[ODD]] : i32 to f32
// CHECK: arith.truncf %[[FLOAT]] : f32 to f16
func.func @f64_to_f16(%x: f64, %out: !tile.view<out, f16>) {
  %r = tile.cast %x : f64 -> f16
  tile.store %r, %out[] : f16, <out, f16>
  return
}

// -----

// From 64 bits to bf16 by way of f64: what f64 cannot hold is made odd first.
// CHECK-LABEL: func.func @tegula_program_i64_to_bf16(
// CHECK-DAG: %[[LOW:.*]] = arith.constant 2047 : i64
// CHECK-DAG: %[[STICKY:.*]] = arith.constant 2048 : i64
// CHECK: arith.andi %{{.*}}, %[[LOW]] : i64
// CHECK: arith.ori %{{.*}}, %[[STICKY]] : i64
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @i64_to_bf16(%x: i64, %out: !tile.view<out, bf16>) {
  %r = tile.cast %x : i64 -> bf16
  tile.store %r, %out[] : bf16, <out, bf16>
  return
}

// -----

// e4m3 has no infinity: beyond 448 there is NaN (127), with `saturate` 448.
// CHECK-LABEL: func.func @tegula_program_to_e4m3(
// CHECK-DAG: %[[NAN:.*]] = arith.constant 127 : i32
// CHECK-DAG: %[[LARGEST:.*]] = arith.constant 126 : i32
// CHECK-NOT: 4.480000e+02
// CHECK: %[[BEYOND:.*]] = arith.cmpi ugt, %[[RESULT:.*]], %[[LARGEST]] : i32
// CHECK: %[[OVER:.*]] = arith.ori %[[BEYOND]], %{{.*}} : i1
// CHECK: arith.select %{{.*}}, %[[NAN]], %{{.*}} : i32
// CHECK: arith.trunci %{{.*}} : i32 to i8
func.func @to_e4m3(%x: f32, %out: !tile.view<out, f8E4M3FN>) {
  %r = tile.cast %x : f32 -> f8E4M3FN
  tile.store %r, %out[] : f8E4M3FN, <out, f8E4M3FN>
  return
}

// -----

// CHECK-LABEL: func.func @tegula_program_to_e4m3_saturated(
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 4.480000e+02 : f32
// CHECK-DAG: %[[LOW:.*]] = arith.constant -4.480000e+02 : f32
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %{{.*}}, %[[HIGH]]
// CHECK: arith.select %[[ABOVE]], %[[HIGH]]
// CHECK: arith.cmpf olt, %{{.*}}, %[[LOW]]
func.func @to_e4m3_saturated(%x: f32, %out: !tile.view<out, f8E4M3FN>) {
  %r = tile.cast %x saturate : f32 -> f8E4M3FN
  tile.store %r, %out[] : f8E4M3FN, <out, f8E4M3FN>
  return
}

// -----

// From e5m2: exponent and mantissa in place, times the difference of the biases (2^112); infinity and NaN on their own.
// CHECK-LABEL: func.func @tegula_program_from_e5m2(
// CHECK-DAG: %[[INFINITY:.*]] = arith.constant 2139095040 : i32
// CHECK-DAG: %[[BIAS:.*]] = arith.constant 5.19229686E+33 : f32
// CHECK: arith.shli
// CHECK: arith.mulf %{{.*}}, %[[BIAS]] : f32
// CHECK: arith.select %{{.*}}, %[[INFINITY]], %{{.*}} : i32
func.func @from_e5m2(%x: f8E5M2, %out: !tile.view<out, f32>) {
  %r = tile.cast %x : f8E5M2 -> f32
  tile.store %r, %out[] : f32, <out, f32>
  return
}

// -----

// From e8m0: the exponent in place; 2^-127 is a denormal, and there is one NaN.
// CHECK-LABEL: func.func @tegula_program_from_e8m0(
// CHECK-DAG: %[[NAN:.*]] = arith.constant 2143289344 : i32
// CHECK-DAG: %[[DENORMAL:.*]] = arith.constant 4194304 : i32
// CHECK: %[[UP:.*]] = arith.shli
// CHECK: %[[KNOWN:.*]] = arith.select %{{.*}}, %[[DENORMAL]], %[[UP]] : i32
// CHECK: arith.select %{{.*}}, %[[NAN]], %[[KNOWN]] : i32
func.func @from_e8m0(%x: f8E8M0FNU, %out: !tile.view<out, f32>) {
  %r = tile.cast %x : f8E8M0FNU -> f32
  tile.store %r, %out[] : f32, <out, f32>
  return
}

// -----

// To e8m0: half is added to the bits, and the exponent taken. Its largest is 254.
// CHECK-LABEL: func.func @tegula_program_to_e8m0(
// CHECK-DAG: %[[HALF:.*]] = arith.constant 4194304 : i32
// CHECK-DAG: %[[LARGEST:.*]] = arith.constant 254 : i32
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[HALF]] : i32
// CHECK: arith.shrui %[[SUM]]
// CHECK: arith.minui %{{.*}}, %[[LARGEST]] : i32
func.func @to_e8m0(%x: f32, %out: !tile.view<out, f8E8M0FNU>) {
  %r = tile.cast %x : f32 -> f8E8M0FNU
  tile.store %r, %out[] : f8E8M0FNU, <out, f8E8M0FNU>
  return
}

// -----

// Integers of 16 bits or fewer: f32 holds them, too.
// CHECK-LABEL: func.func @tegula_program_byte_to_bf16(
// CHECK-NOT: f64
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK-NOT: f64
func.func @byte_to_bf16(%x: i8, %out: !tile.view<out, bf16>) {
  %r = tile.cast %x : i8 -> bf16
  tile.store %r, %out[] : bf16, <out, bf16>
  return
}

// -----

// To integers: rounded as said, then saturated.
// CHECK-LABEL: func.func @tegula_program_to_integer(
// CHECK: %[[EVEN:.*]] = math.roundeven %[[X:.*]] : f32
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%[[EVEN]]) : (f32) -> i32
// CHECK: llvm.call_intrinsic "llvm.fptoui.sat"(%[[X]]) : (f32) -> i8
// CHECK: %[[DOWN:.*]] = math.floor %[[X]] : f32
// CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%[[DOWN]]) : (f32) -> i64
func.func @to_integer(%x: f32, %a: !tile.view<out, i32>, %b: !tile.view<out, ui8>, %c: !tile.view<out, i64>) {
  %0 = tile.cast %x : f32 -> i32
  %1 = tile.cast %x round toward_zero : f32 -> ui8
  %2 = tile.cast %x round down : f32 -> i64
  tile.store %0, %a[] : i32, <out, i32>
  tile.store %1, %b[] : ui8, <out, ui8>
  tile.store %2, %c[] : i64, <out, i64>
  return
}

// -----

// Between integers: wraps, or is held in the range that both have.
// CHECK-LABEL: func.func @tegula_program_integers(
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 255 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: arith.trunci %[[X:.*]] : i32 to i8
// CHECK: %[[BELOW:.*]] = arith.minsi %[[X]], %[[HIGH]] : i32
// CHECK: %[[BOTH:.*]] = arith.maxsi %[[BELOW]], %[[ZERO]] : i32
// CHECK: arith.trunci %[[BOTH]] : i32 to i8
// CHECK: arith.extsi %[[X]] : i32 to i64
func.func @integers(%x: i32, %a: !tile.view<out, ui8>, %b: !tile.view<out, ui8>, %c: !tile.view<out, ui64>) {
  %0 = tile.cast %x : i32 -> ui8
  %1 = tile.cast %x saturate : i32 -> ui8
  %2 = tile.cast %x : i32 -> ui64
  tile.store %0, %a[] : ui8, <out, ui8>
  tile.store %1, %b[] : ui8, <out, ui8>
  tile.store %2, %c[] : ui64, <out, ui64>
  return
}

// -----

// To bool: not 0, and NaN is not 0.
// CHECK-LABEL: func.func @tegula_program_to_bool(
// CHECK: arith.cmpf une, %{{.*}}, %{{.*}} : f32
func.func @to_bool(%x: f32, %out: !tile.view<out, i1>) {
  %r = tile.cast %x : f32 -> i1
  tile.store %r, %out[] : i1, <out, i1>
  return
}

// -----

// Toward zero: where the nearest is farther out, the neighbour is right.
// CHECK-LABEL: func.func @tegula_program_toward_zero(
// CHECK: %[[BACK:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[FARTHER:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %[[FARTHER]], %{{.*}}, %{{.*}} : i16
func.func @toward_zero(%x: f32, %out: !tile.view<out, f16>) {
  %r = tile.cast %x round toward_zero : f32 -> f16
  tile.store %r, %out[] : f16, <out, f16>
  return
}

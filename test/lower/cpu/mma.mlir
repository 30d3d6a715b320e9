// Matrix products by what the machine has: fused multiply-add, multiply and add, dot products of pairs, or tile registers.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,V4
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v3 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,V1
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=cooperlake --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,DOT
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=sapphirerapids --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,AMX

// Sums stay in registers over K: 6 rows of 4 registers with AVX-512, 6 of 2 with AVX2 and SSE.
// CHECK-LABEL: func.func @tegula_program_f32(
// V4: scf.for {{.*}} iter_args
// V4-COUNT-24: math.fma %{{.*}} : vector<16xf32>
// V4: scf.yield
// V3: scf.for {{.*}} iter_args
// V3-COUNT-12: math.fma %{{.*}} : vector<8xf32>
// V3: scf.yield
// No fused instruction there: fma would be a call of the C library.
// V1-NOT: math.fma
// V1: arith.mulf %{{.*}} : vector<4xf32>
// V1: arith.addf %{{.*}} : vector<4xf32>
// V1-NOT: math.fma
// CHECK: return
func.func @f32(%a: !tile.view<in, 32x64xf32> {cpu.strides = array<i64: -1, 1>},
               %b: !tile.view<in, 64x64xf32> {cpu.strides = array<i64: -1, 1>},
               %out: !tile.view<out, 32x64xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 32x64xf32> -> tensor<32x64xf32>
  %y = tile.load %b[%i, %i] : <in, 64x64xf32> -> tensor<64x64xf32>
  %zero = tile.constant dense<0.0> : tensor<32x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  tile.store %r, %out[%i, %i] : tensor<32x64xf32>, <out, 32x64xf32>
  return
}

// -----

// bf16: pairs along K in one instruction where there is one, tile registers where there are, f32 otherwise.
// CHECK-LABEL: func.func @tegula_program_bf16(
// V4-NOT: dpbf16
// V4: math.fma %{{.*}} : vector<16xf32>
// DOT: vector.interleave %{{.*}} : vector<16xi16> -> vector<32xi16>
// DOT: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// Two by two tile registers of sums.
// AMX: scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// AMX-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// AMX-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// AMX: scf.yield
// AMX-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64.internal"
// CHECK: return
func.func @bf16(%a: !tile.view<in, 32x64xbf16> {cpu.strides = array<i64: -1, 1>},
                %b: !tile.view<in, 64x64xbf16> {cpu.strides = array<i64: -1, 1>},
                %out: !tile.view<out, 32x64xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %y = tile.load %b[%i, %i] : <in, 64x64xbf16> -> tensor<64x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<32x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xf32>
  tile.store %r, %out[%i, %i] : tensor<32x64xf32>, <out, 32x64xf32>
  return
}

// -----

// Too small for a tile register: the dot product of pairs, there too.
// CHECK-LABEL: func.func @tegula_program_small_bf16(
// AMX-NOT: tileloadd64
// AMX: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// CHECK: return
func.func @small_bf16(%a: !tile.view<in, 8x32xbf16> {cpu.strides = array<i64: -1, 1>},
                      %b: !tile.view<in, 32x16xbf16> {cpu.strides = array<i64: -1, 1>},
                      %out: !tile.view<out, 8x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 8x32xbf16> -> tensor<8x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x16xbf16> -> tensor<32x16xbf16>
  %zero = tile.constant dense<0.0> : tensor<8x16xf32>
  %r = tile.mma %x, %y, %zero : tensor<8x32xbf16>, tensor<32x16xbf16> -> tensor<8x16xf32>
  tile.store %r, %out[%i, %i] : tensor<8x16xf32>, <out, 8x16xf32>
  return
}

// -----

// Bytes: signed as signed, widened to 16 bits for pairs.
// CHECK-LABEL: func.func @tegula_program_i8(
// V4: arith.muli %{{.*}} : vector<16xi32>
// DOT: arith.extsi %{{.*}} to vector<{{.*}}xi16>
// DOT: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// AMX: llvm.call_intrinsic "llvm.x86.tdpbssd.internal"
// CHECK: return
func.func @i8(%a: !tile.view<in, 16x64xi8> {cpu.strides = array<i64: -1, 1>},
              %b: !tile.view<in, 64x16xi8> {cpu.strides = array<i64: -1, 1>},
              %out: !tile.view<out, 16x16xi32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 16x64xi8> -> tensor<16x64xi8>
  %y = tile.load %b[%i, %i] : <in, 64x16xi8> -> tensor<64x16xi8>
  %zero = tile.constant dense<0> : tensor<16x16xi32>
  %r = tile.mma %x, %y, %zero : tensor<16x64xi8>, tensor<64x16xi8> -> tensor<16x16xi32>
  tile.store %r, %out[%i, %i] : tensor<16x16xi32>, <out, 16x16xi32>
  return
}

// -----

// CHECK-LABEL: func.func @tegula_program_ui8(
// DOT-NOT: arith.extsi
// DOT: arith.extui %{{.*}} to vector<{{.*}}xi16>
// DOT: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// AMX: llvm.call_intrinsic "llvm.x86.tdpbuud.internal"
// CHECK: return
func.func @ui8(%a: !tile.view<in, 16x64xui8> {cpu.strides = array<i64: -1, 1>},
               %b: !tile.view<in, 64x16xui8> {cpu.strides = array<i64: -1, 1>},
               %out: !tile.view<out, 16x16xi32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 16x64xui8> -> tensor<16x64xui8>
  %y = tile.load %b[%i, %i] : <in, 64x16xui8> -> tensor<64x16xui8>
  %zero = tile.constant dense<0> : tensor<16x16xi32>
  %r = tile.mma %x, %y, %zero : tensor<16x64xui8>, tensor<64x16xui8> -> tensor<16x16xi32>
  tile.store %r, %out[%i, %i] : tensor<16x16xi32>, <out, 16x16xi32>
  return
}

// -----

// B is packed once, in panels: 4 registers of columns, row after row. A keeps its rows.
// The scratch memory holds A, the panels and the sums; the carried sum is updated where it is, without a copy.
// CHECK-LABEL: func.func @tegula_program_accumulate(
// V4-SAME: cpu.scratch_bytes = 24640 : i64
// V4: scf.for
// V4: llvm.load %{{.*}} -> vector<16xf32>
// V4: llvm.store %{{.*}} : vector<16xf32>
// V4: math.fma
// CHECK: return
func.func @accumulate(%a: !tile.view<in, 16x64xf32> {cpu.strides = array<i64: -1, 1>},
                      %b: !tile.view<in, 64x64xf32> {cpu.strides = array<i64: -1, 1>},
                      %out: !tile.view<out, 16x64xf32> {cpu.strides = array<i64: -1, 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %init = tile.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<16x64xf32>) : i64 {
    %x = tile.load %a[%zero, %k] : <in, 16x64xf32> -> tensor<16x64xf32>
    %y = tile.load %b[%k, %zero] : <in, 64x64xf32> -> tensor<64x64xf32>
    %next = tile.mma %x, %y, %sum : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  tile.store %r, %out[%zero, %zero] : tensor<16x64xf32>, <out, 16x64xf32>
  return
}

// -----

// A sum that is scaled first is scaled in place too.
// CHECK-LABEL: func.func @tegula_program_scaled(
// V4-SAME: cpu.scratch_bytes = 24640 : i64
func.func @scaled(%a: !tile.view<in, 16x64xf32> {cpu.strides = array<i64: -1, 1>},
                  %b: !tile.view<in, 64x64xf32> {cpu.strides = array<i64: -1, 1>},
                  %out: !tile.view<out, 16x64xf32> {cpu.strides = array<i64: -1, 1>}, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %half = tile.constant dense<0.5> : tensor<16x64xf32>
  %init = tile.constant dense<0.0> : tensor<16x64xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<16x64xf32>) : i64 {
    %x = tile.load %a[%zero, %k] : <in, 16x64xf32> -> tensor<16x64xf32>
    %y = tile.load %b[%k, %zero] : <in, 64x64xf32> -> tensor<64x64xf32>
    %scaled = tile.mul %sum, %half : tensor<16x64xf32>
    %next = tile.mma %x, %y, %scaled : tensor<16x64xf32>, tensor<64x64xf32> -> tensor<16x64xf32>
    scf.yield %next : tensor<16x64xf32>
  }
  tile.store %r, %out[%zero, %zero] : tensor<16x64xf32>, <out, 16x64xf32>
  return
}

// -----

// A transposed B is read along K and turned by shuffles, not gathered.
// CHECK-LABEL: func.func @tegula_program_transposed(
// V4-NOT: gather
// V4-COUNT-64: vector.shuffle
// V4-NOT: gather
// CHECK: return
func.func @transposed(%a: !tile.view<in, 16x16xf32> {cpu.strides = array<i64: -1, 1>},
                      %b: !tile.view<in, 16x16xf32> {cpu.strides = array<i64: 1, -1>},
                      %out: !tile.view<out, 16x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 16x16xf32> -> tensor<16x16xf32>
  %y = tile.load %b[%i, %i] : <in, 16x16xf32> -> tensor<16x16xf32>
  %zero = tile.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.mma %x, %y, %zero : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %r, %out[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

// -----

// tf32 rounds the operands to 10 bits of mantissa.
// CHECK-LABEL: func.func @tegula_program_tf32(
// V4: arith.constant dense<-8192> : vector<16xi32>
// V4: math.fma
func.func @tf32(%a: !tile.view<in, 16x16xf32> {cpu.strides = array<i64: -1, 1>},
                %b: !tile.view<in, 16x16xf32> {cpu.strides = array<i64: -1, 1>},
                %out: !tile.view<out, 16x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 16x16xf32> -> tensor<16x16xf32>
  %y = tile.load %b[%i, %i] : <in, 16x16xf32> -> tensor<16x16xf32>
  %zero = tile.constant dense<0.0> : tensor<16x16xf32>
  %r = tile.mma %x, %y, %zero tf32 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  tile.store %r, %out[%i, %i] : tensor<16x16xf32>, <out, 16x16xf32>
  return
}

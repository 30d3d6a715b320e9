// Loops, vectors and arithmetic become the LLVM dialect.
// RUN: tegula-opt %s --tile-to-llvm | FileCheck %s

// CHECK-LABEL: llvm.func @sum(
// CHECK-NOT: scf.
// CHECK-NOT: arith.
// CHECK-NOT: vector.
// CHECK: llvm.cond_br
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.fadd %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: llvm.return
func.func @sum(%from: !llvm.ptr, %to: !llvm.ptr, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant dense<0.0> : vector<8xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (vector<8xf32>) : i64 {
    %at = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, vector<8xf32>
    %x = llvm.load %at : !llvm.ptr -> vector<8xf32>
    %next = arith.addf %acc, %x : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  llvm.store %sum, %to : vector<8xf32>, !llvm.ptr
  return
}

// Structured control flow becomes branches; the values that it carries are arguments of blocks.
// CHECK-LABEL: llvm.func @choose(
// CHECK: llvm.cond_br %{{.*}}, ^[[THEN:bb[0-9]+]], ^[[ELSE:bb[0-9]+]]
// CHECK: ^[[THEN]]:
// CHECK: llvm.br ^[[END:bb[0-9]+]](%{{.*}} : f32)
// CHECK: ^[[ELSE]]:
// CHECK: llvm.br ^[[END]](%{{.*}} : f32)
// CHECK: ^[[END]](%[[R:.*]]: f32):
// CHECK: llvm.intr.fma(%[[R]]
func.func @choose(%c: i1, %a: f32, %b: f32, %to: !llvm.ptr) {
  %r = scf.if %c -> f32 {
    %s = arith.addf %a, %b : f32
    scf.yield %s : f32
  } else {
    %d = arith.subf %a, %b : f32
    scf.yield %d : f32
  }
  %f = math.fma %r, %a, %b : f32
  llvm.store %f, %to : f32, !llvm.ptr
  return
}

// A loop that carries tile registers.
// CHECK-LABEL: llvm.func @tiles(
// CHECK: ^bb1(%{{.*}}: i64, %[[SUM:.*]]: !llvm.x86_amx):
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%{{.*}}, %{{.*}}, %{{.*}}, %[[SUM]]
func.func @tiles(%from: !llvm.ptr, %n: i64) {
  %rows = arith.constant 16 : i16
  %bytes = arith.constant 64 : i16
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %from, %one) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (!llvm.x86_amx) : i64 {
    %x = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(%rows, %bytes, %from, %i) : (i16, i16, !llvm.ptr, i64) -> !llvm.x86_amx
    %next = llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%rows, %bytes, %bytes, %acc, %x, %x) : (i16, i16, i16, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx) -> !llvm.x86_amx
    scf.yield %next : !llvm.x86_amx
  }
  llvm.call_intrinsic "llvm.x86.tilestored64.internal"(%rows, %bytes, %from, %one, %sum) : (i16, i16, !llvm.ptr, i64, !llvm.x86_amx) -> ()
  return
}

// Vectors: what rows of B are interleaved and transposed with.
// CHECK-LABEL: llvm.func @vectors(
// CHECK-NOT: vector.
// CHECK: llvm.shufflevector
// CHECK: llvm.intr.vector.reduce.and
// CHECK: llvm.return
func.func @vectors(%from: !llvm.ptr, %to: !llvm.ptr) {
  %x = llvm.load %from : !llvm.ptr -> vector<8xi16>
  %pairs = vector.interleave %x, %x : vector<8xi16> -> vector<16xi16>
  %words = vector.bitcast %pairs : vector<16xi16> to vector<8xi32>
  %turned = vector.shuffle %words, %words [0, 8, 1, 9, 2, 10, 3, 11] : vector<8xi32>, vector<8xi32>
  llvm.store %turned, %to : vector<8xi32>, !llvm.ptr
  %zero = arith.constant dense<0> : vector<8xi16>
  %bits = arith.cmpi ne, %x, %zero : vector<8xi16>
  %all = vector.reduction <and>, %bits : vector<8xi1> into i1
  llvm.store %all, %to : i1, !llvm.ptr
  return
}

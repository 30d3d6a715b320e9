// Loops, vectors and arithmetic become the LLVM dialect.
// RUN: tegula-opt %s --tile-cpu-to-llvm | FileCheck %s

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

// Tile programs become loops over vectors, as wide as the target's registers.
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-cpu-place),tile-cpu-lower{cpu=x86-64-v4})' | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-cpu-place),tile-cpu-lower{cpu=x86-64-v3})' | FileCheck %s --check-prefixes=CHECK,HALF
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-cpu-place),tile-cpu-lower{cpu=x86-64})' | FileCheck %s --check-prefixes=CHECK,BASE

// One function per kernel: arguments, program, programs, context, scratch. No tile is left.
// CHECK-LABEL: func.func @tegula_program_add(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-NOT: tile.
// WIDE: arith.addf %{{.*}}, %{{.*}} : vector<16xf32>
// HALF: arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// BASE: arith.addf %{{.*}}, %{{.*}} : vector<4xf32>
func.func @add(%c: !tile.view<out, 1024xf32> {cpu.strides = array<i64: 1>}, %a: !tile.view<in, 1024xf32> {cpu.strides = array<i64: 1>},
               %b: !tile.view<in, 1024xf32> {cpu.strides = array<i64: 1>}) {
  %p = tile.program_index %c axis 0 : <out, 1024xf32>
  %x = tile.load %a[%p] : <in, 1024xf32> -> tensor<1024xf32>
  %y = tile.load %b[%p] : <in, 1024xf32> -> tensor<1024xf32>
  %s = tile.add %x, %y : tensor<1024xf32>
  tile.store %s, %c[%p] : tensor<1024xf32>, <out, 1024xf32>
  return
}

// A product keeps its sums in registers.
// CHECK-LABEL: func.func @tegula_program_product(
// CHECK-NOT: tile.
// WIDE: math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<16xf32>
// HALF: math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<8xf32>
func.func @product(%c: !tile.view<out, 64x64xf32> {cpu.strides = array<i64: -1, 1>},
                   %a: !tile.view<in, 64x64xf32> {cpu.strides = array<i64: -1, 1>},
                   %b: !tile.view<in, 64x64xf32> {cpu.strides = array<i64: -1, 1>}) {
  %i = tile.program_index %c axis 0 : <out, 64x64xf32>
  %j = tile.program_index %c axis 1 : <out, 64x64xf32>
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %n = tile.num_tiles %a axis 1 : <in, 64x64xf32>
  %start = tile.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %start) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%i, %k] : <in, 64x64xf32> -> tensor<64x64xf32>
    %y = tile.load %b[%k, %j] : <in, 64x64xf32> -> tensor<64x64xf32>
    %next = tile.mma %x, %y, %acc : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store %sum, %c[%i, %j] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// Prints and assertions call the host, and leave their texts with the module.
// CHECK-LABEL: func.func @tegula_program_messages(
// CHECK: tegula_cpu_assert_failed
// CHECK: tegula_cpu_print
func.func @messages(%x: i64) {
  %zero = tile.constant 0 : i64
  %c = tile.cmp gt, %x, %zero : i64 -> i1
  tile.assert %c, "positive", %x : i64 : i1
  tile.print "value", %x : i64
  return
}

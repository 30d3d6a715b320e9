// Which tiles are computed where they are used, and which are kept in memory.
// RUN: tegula-opt %s --tile-cpu-place | FileCheck %s

// A chain with one reader is one loop.
// CHECK-LABEL: func.func @chain(
// CHECK: tile.load {{.*}}cpu.place = "inline"
// CHECK: tile.function exp {{.*}}cpu.place = "inline"
// CHECK: tile.add {{.*}}cpu.place = "inline"
// CHECK: tile.store
func.func @chain(%in: !tile.view<in, 64xf32>, %out: !tile.view<out, 64xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %e = tile.function exp %x : tensor<64xf32>
  %r = tile.add %e, %x : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// What is expensive is computed once for two readers; what is cheap is computed again.
// CHECK-LABEL: func.func @two_readers(
// CHECK: tile.load {{.*}}cpu.place = "inline"
// CHECK: tile.function exp {{.*}}cpu.place = "memory"
// CHECK: tile.neg {{.*}}cpu.place = "inline"
func.func @two_readers(%in: !tile.view<in, 64xf32>, %a: !tile.view<out, 64xf32>, %b: !tile.view<out, 64xf32>,
                       %c: !tile.view<out, 64xf32>, %d: !tile.view<out, 64xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %e = tile.function exp %x : tensor<64xf32>
  tile.store %e, %a[%i] : tensor<64xf32>, <out, 64xf32>
  tile.store %e, %b[%i] : tensor<64xf32>, <out, 64xf32>
  %n = tile.neg %x : tensor<64xf32>
  tile.store %n, %c[%i] : tensor<64xf32>, <out, 64xf32>
  tile.store %n, %d[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// A value that a broadcast repeats is computed once for each element it has, not once for each of the result.
// CHECK-LABEL: func.func @repeated(
// CHECK: tile.function exp {{.*}}cpu.place = "memory"
// CHECK: tile.broadcast {{.*}}cpu.place = "inline"
func.func @repeated(%in: !tile.view<in, 1x64xf32>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 1x64xf32> -> tensor<1x64xf32>
  %e = tile.function exp %x : tensor<1x64xf32>
  %r = tile.broadcast %e : tensor<1x64xf32> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

// A reshape that moves elements to other axes reads from memory; one that adds an axis does not.
// CHECK-LABEL: func.func @reshapes(
// CHECK: tile.load %{{.*}}[%{{.*}}] {cpu.place = "memory"} : <in, 64xf32>
// CHECK: tile.load %{{.*}}[%{{.*}}] {cpu.place = "inline"} : <in, 64xf32>
func.func @reshapes(%in: !tile.view<in, 64xf32>, %a: !tile.view<out, 8x8xf32>, %b: !tile.view<out, 1x64xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %square = tile.reshape %x : tensor<64xf32> -> tensor<8x8xf32>
  tile.store %square, %a[%i, %i] : tensor<8x8xf32>, <out, 8x8xf32>
  %y = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %row = tile.reshape %y : tensor<64xf32> -> tensor<1x64xf32>
  tile.store %row, %b[%i, %i] : tensor<1x64xf32>, <out, 1x64xf32>
  return
}

// A loop does not compute again what is known before it, and its next value has a place of its own.
// CHECK-LABEL: func.func @loop(
// CHECK: tile.load {{.*}}cpu.place = "memory"
// CHECK: scf.for
// CHECK: tile.add {{.*}}cpu.place = "memory"
func.func @loop(%in: !tile.view<in, 64xf32>, %out: !tile.view<out, 64xf32>, %i: i64, %n: i64) {
  %zero = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %init = tile.constant dense<0.0> : tensor<64xf32>
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<64xf32>) : i64 {
    %next = tile.add %sum, %x : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// Whatever is not element by element has its own loops.
// CHECK-LABEL: func.func @others(
// CHECK: tile.reduce {{.*}}cpu.place = "memory"
// CHECK: tile.scan {{.*}}cpu.place = "memory"
// CHECK: tile.sort {{.*}}cpu.place = "memory"
// CHECK: tile.concat {{.*}}cpu.place = "memory"
// CHECK: tile.mma {{.*}}cpu.place = "memory"
func.func @others(%x: tensor<8x8xf32>) {
  %0 = tile.reduce sum %x axis 0 : tensor<8x8xf32> -> tensor<1x8xf32>
  %1 = tile.scan sum %x axis 0 : tensor<8x8xf32>
  %2, %3 = tile.sort %x axis 0 : tensor<8x8xf32> -> tensor<8x8xf32>, tensor<8x8xi32>
  %4 = tile.concat %x, %x axis 0 : tensor<8x8xf32> -> tensor<16x8xf32>
  %5 = tile.mma %x, %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// What a program may overwrite is read at once, however little it costs to read it again.
// CHECK-LABEL: func.func @read_back(
// CHECK: tile.load {{.*}}cpu.place = "memory"
// CHECK: tile.permute {{.*}}cpu.place = "inline"
func.func @read_back(%state: !tile.view<inout, 8x8xf32>, %i: i64) {
  %x = tile.load %state[%i, %i] : <inout, 8x8xf32> -> tensor<8x8xf32>
  %t = tile.permute %x [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
  tile.store %t, %state[%i, %i] : tensor<8x8xf32>, <inout, 8x8xf32>
  return
}

// A gather is read where it is used, like a load.
// CHECK-LABEL: func.func @gathered(
// CHECK: tile.gather {{.*}}cpu.place = "inline"
func.func @gathered(%in: !tile.view<in, 8x8xf32>, %out: !tile.view<out, 8x8xf32>, %p: tensor<8xi32>, %i: i64) {
  %x = tile.gather %in[%i] by %p axis 0 : <in, 8x8xf32>, tensor<8xi32> -> tensor<8x8xf32>
  tile.store %x, %out[%i, %i] : tensor<8x8xf32>, <out, 8x8xf32>
  return
}

// Scalars live in registers: nothing to decide.
// CHECK-LABEL: func.func @scalars(
// CHECK-NOT: cpu.place
// CHECK: return
func.func @scalars(%x: f32) -> f32 {
  %r = tile.function exp %x : f32
  return %r : f32
}

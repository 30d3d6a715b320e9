// A kernel becomes the function of one thread: arguments as words, then the first program's number, how many there are, messages, and what is read for nothing.
// RUN: tegula-opt %s --split-input-file --tile-simt-target=warps=2 --tile-simt-layouts --tile-simt-lower --canonicalize --cse | FileCheck %s
// RUN: not tegula-opt %s --split-input-file --tile-simt-target --tile-simt-lower 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: tegula-opt %s --split-input-file --tile-simt-target --tile-simt-layouts --tile-simt-lower | FileCheck %s --check-prefix=CHOSEN

// EARLY: error: 'func.func' op has no layouts: run tile-simt-layouts first

// A view: pointer, extents, strides. A scalar: the low bytes of its word.
// CHECK-LABEL: llvm.func @tegula_parameters(
// CHECK-SAME: %[[FLAG:[^ ]*]]: i64, %{{[^ ]*}}: !llvm.ptr<1>, %{{[^ ]*}}: i64, %[[COLUMNS:[^ ]*]]: i64, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64, %[[HALF:[^ ]*]]: i64,
// CHECK-SAME: %[[A:[^ ]*]]: !llvm.ptr<1>, %[[B:[^ ]*]]: !llvm.ptr<1>, %{{[^ ]*}}: i64, %{{[^ ]*}}: i64, %{{[^ ]*}}: !llvm.ptr<1>, %{{[^ ]*}}: !llvm.ptr<1>)
// CHECK-SAME: nvvm.kernel, nvvm.maxntid = array<i32: 64>
// CHECK-SAME: simt.claimed = array<i64>{{.*}} simt.shared_bytes = 0 : i64, simt.sites = []
// CHECK-DAG: %[[BYTE:.*]] = arith.trunci %[[FLAG]] : i64 to i8
// CHECK-DAG: arith.cmpi ne, %[[BYTE]]
// CHECK-DAG: arith.select %{{.*}}, %[[COLUMNS]], %{{.*}} : i64
// CHECK-DAG: arith.trunci %[[HALF]] : i64 to i16
// CHECK-NOT: tile.
// CHECK: llvm.return
func.func @parameters(%flag: i1, %in: !tile.view<in, 4x8xf32>, %half: f16, %a: !tile.view<out, i64>, %b: !tile.view<out, f16>) {
  %d = tile.dim %in axis 1 : <in, 4x8xf32>
  %zero = tile.constant 0 : i64
  %r = tile.select %flag, %d, %zero : i1, i64
  tile.store %r, %a[] : i64, <out, i64>
  tile.store %half, %b[] : f16, <out, f16>
  return
}

// -----

// One block runs one program. A scalar is stored by one thread.
// CHECK-LABEL: llvm.func @tegula_programs(
// CHECK-SAME: %[[A:[^ ]*]]: !llvm.ptr<1>, %[[B:[^ ]*]]: !llvm.ptr<1>, %[[FIRST:[^ ]*]]: i64, %[[PROGRAMS:[^ ]*]]: i64
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[WIDE:.*]] = arith.extui %[[BLOCK]] : i32 to i64
// CHECK: %[[PROGRAM:.*]] = arith.addi %[[FIRST]], %[[WIDE]] : i64
// CHECK: scf.if
// CHECK-NEXT: llvm.store %[[PROGRAM]], %[[A]]
// CHECK: scf.if
// CHECK-NEXT: llvm.store %[[PROGRAMS]], %[[B]]
func.func @programs(%a: !tile.view<out, i64>, %b: !tile.view<out, i64>) {
  %p = tile.program_id : i64
  %n = tile.num_programs : i64
  tile.store %p, %a[] : i64, <out, i64>
  tile.store %n, %b[] : i64, <out, i64>
  return
}

// -----

// How many warps: one for 256 elements of the largest tile, at most 32; with products one for 1024 elements, at most 8.
// CHOSEN-LABEL: llvm.func @tegula_many(
// CHOSEN-SAME: nvvm.maxntid = array<i32: 1024>
func.func @many(%in: !tile.view<in, 32768xf32>, %out: !tile.view<out, 32768xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 32768xf32> -> tensor<32768xf32>
  tile.store %x, %out[%i] : tensor<32768xf32>, <out, 32768xf32>
  return
}

// -----

// What came before it in a graph may still run: every thread waits before the first access.
// CHOSEN-LABEL: llvm.func @tegula_few(
// CHOSEN-SAME: nvvm.maxntid = array<i32: 32>
// CHOSEN-NOT: llvm.load
// CHOSEN: llvm.inline_asm has_side_effects "griddepcontrol.launch_dependents;", "~{memory}"
// CHOSEN-NEXT: llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}"
func.func @few(%in: !tile.view<in, 128xf32>, %out: !tile.view<out, 128xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 128xf32> -> tensor<128xf32>
  tile.store %x, %out[%i] : tensor<128xf32>, <out, 128xf32>
  return
}

// -----

// CHOSEN-LABEL: llvm.func @tegula_product(
// CHOSEN-SAME: nvvm.maxntid = array<i32: 128>
func.func @product(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>, %i: i64) {
  %x = tile.load %a[%i, %i] : <in, 64x32xbf16> -> tensor<64x32xbf16>
  %y = tile.load %b[%i, %i] : <in, 32x64xbf16> -> tensor<32x64xbf16>
  %zero = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = tile.mma %x, %y, %zero : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
  tile.store %r, %out[%i, %i] : tensor<64x64xf32>, <out, 64x64xf32>
  return
}

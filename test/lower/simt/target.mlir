// What a kernel is compiled for stands in its module and on it.
// RUN: tegula-opt %s --tile-simt-target="gpu=sm_80 warps=1 stages=2" | FileCheck %s --check-prefix=ASKED
// RUN: tegula-opt %s --tile-simt-target | FileCheck %s --check-prefix=CHOSEN
// RUN: not tegula-opt %s --tile-simt-target=gpu=sm_12 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// ASKED: module attributes {simt.target = "sm_80"}
// ASKED: func.func @sum({{.*}} attributes {simt.stages = 2 : i64, simt.warps = 1 : i64}
// CHOSEN: module attributes {simt.target = "sm_90a"}
// CHOSEN: func.func @sum({{.*}} attributes {simt.warps = 4 : i64}
// UNKNOWN: error: no code can be generated for 'sm_12'; known are sm_80,

// No pass guesses.
// RUN: not tegula-opt %s --tile-simt-stage 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tegula-opt %s --tile-simt-keep 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tegula-opt %s --tile-simt-layouts 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tegula-opt %s --tile-simt-lower 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the module names no GPU: run tile-simt-target first
func.func @sum(%x: !tile.view<in, 1024xf32>, %y: !tile.view<out, 1024xf32>) {
  %i = tile.program_id : i64
  %a = tile.load %x[%i] : <in, 1024xf32> -> tensor<1024xf32>
  %b = tile.add %a, %a : tensor<1024xf32>
  tile.store %b, %y[%i] : tensor<1024xf32>, <out, 1024xf32>
  return
}

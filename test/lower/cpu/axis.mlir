// Along an axis: lanes are folded by shuffles when they lie along it, and work side by side when they do not.
// RUN: tegula-opt %s --split-input-file --tile-cpu-target=cpu=x86-64-v4 --tile-cpu-place --tile-cpu-lower --canonicalize --cse | FileCheck %s

// Across the lanes: four chains of sums, then one vector, then one number. The start is -0, which leaves every number as it is.
// CHECK-LABEL: func.func @tegula_program_sum(
// CHECK: %[[START:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
// CHECK: %[[CHAINS:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]], %{{.*}} = %[[START]], %{{.*}} = %[[START]], %{{.*}} = %[[START]])
// CHECK-COUNT-4: arith.addf %{{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK-COUNT-3: arith.addf %{{.*}} : vector<16xf32>
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: arith.addf %{{.*}} : vector<4xf32>
// CHECK: arith.addf %{{.*}} : vector<2xf32>
// CHECK: arith.addf %{{.*}} : {{(f32|vector<1xf32>)}}
// CHECK: llvm.store %{{.*}} : f32
func.func @sum(%in: !tile.view<in, 256xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 1xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 256xf32> -> tensor<256xf32>
  %r = tile.reduce sum %x axis 0 : tensor<256xf32> -> tensor<1xf32>
  tile.store %r, %out[%i] : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// Along another axis: a vector of sums, no shuffles.
// CHECK-LABEL: func.func @tegula_program_columns(
// CHECK-NOT: vector.shuffle
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>)
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @columns(%in: !tile.view<in, 8x16xf32> {cpu.strides = array<i64: -1, 1>},
                   %out: !tile.view<out, 1x16xf32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 8x16xf32> -> tensor<8x16xf32>
  %r = tile.reduce max %x axis 0 : tensor<8x16xf32> -> tensor<1x16xf32>
  tile.store %r, %out[%i, %i] : tensor<1x16xf32>, <out, 1x16xf32>
  return
}

// -----

// Half precision is summed in f32.
// CHECK-LABEL: func.func @tegula_program_half(
// CHECK-NOT: arith.addf %{{.*}}f16
// CHECK: arith.addf %{{.*}} : vector<{{[0-9]+}}xf32>
// CHECK-NOT: arith.addf %{{.*}}f16
// CHECK: return
func.func @half(%in: !tile.view<in, 64xf16> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 1xf16>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf16> -> tensor<64xf16>
  %r = tile.reduce sum %x axis 0 : tensor<64xf16> -> tensor<1xf16>
  tile.store %r, %out[%i] : tensor<1xf16>, <out, 1xf16>
  return
}

// -----

// A combiner of its own need not commute: neighbours are combined, the earlier one first, and each vector before the next.
// CHECK-LABEL: func.func @tegula_program_ordered(
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[X]], %[[X]] [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK: %[[ODD:.*]] = vector.shuffle %[[X]], %[[X]] [1, 3, 5, 7, 9, 11, 13, 15]
// CHECK: arith.subf %[[EVEN]], %[[ODD]] : vector<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32)
// CHECK: arith.subf %[[BEFORE]], %{{.*}} : f32
func.func @ordered(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 1xf32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.reduce_by %x axis 0 : tensor<64xf32> -> tensor<1xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = tile.sub %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %r, %out[%i] : tensor<1xf32>, <out, 1xf32>
  return
}

// -----

// The index of the best: NaN beats all, the first of equals wins.
// CHECK-LABEL: func.func @tegula_program_arg_max(
// CHECK: arith.cmpf uno
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpf oeq
// CHECK: arith.select %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: llvm.store %{{.*}} : i32
func.func @arg_max(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>}, %out: !tile.view<out, 1xi32>, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.arg_reduce max %x axis 0 : tensor<64xf32> -> tensor<1xi32>
  tile.store %r, %out[%i] : tensor<1xi32>, <out, 1xi32>
  return
}

// -----

// A scan across lanes: log2(16) steps within a vector; the last lane goes on to the next one.
// CHECK-LABEL: func.func @tegula_program_scan(
// CHECK-COUNT-4: vector.shuffle
// CHECK: %[[LAST:.*]] = vector.extract %{{.*}}[15] : f32 from vector<16xf32>
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[LAST]]) -> (f32)
// CHECK: vector.broadcast %[[BEFORE]] : f32 to vector<16xf32>
// CHECK: %[[NEXT:.*]] = vector.extract %{{.*}}[15]
// CHECK: scf.yield %[[NEXT]] : f32
func.func @scan(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.scan sum %x axis 0 : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// In reverse the first lane goes on.
// CHECK-LABEL: func.func @tegula_program_scan_reverse(
// CHECK: %[[LAST:.*]] = vector.extract %{{.*}}[0] : f32 from vector<16xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[LAST]]) -> (f32)
// CHECK: arith.subi %{{.*}}, %{{.*}} : i64
func.func @scan_reverse(%in: !tile.view<in, 64xf32> {cpu.strides = array<i64: 1>},
                        %out: !tile.view<out, 64xf32> {cpu.strides = array<i64: 1>}, %i: i64) {
  %x = tile.load %in[%i] : <in, 64xf32> -> tensor<64xf32>
  %r = tile.scan sum %x axis 0 reverse : tensor<64xf32>
  tile.store %r, %out[%i] : tensor<64xf32>, <out, 64xf32>
  return
}

// -----

// Along another axis each lane scans for itself.
// CHECK-LABEL: func.func @tegula_program_scan_columns(
// CHECK-NOT: vector.shuffle
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xf32>, vector<16xi32>)
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @scan_columns(%in: !tile.view<in, 8x16xf32> {cpu.strides = array<i64: -1, 1>},
                        %out: !tile.view<out, 8x16xi32> {cpu.strides = array<i64: -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i] : <in, 8x16xf32> -> tensor<8x16xf32>
  %n = tile.iota axis 0 : tensor<8x16xi32>
  %r:2 = tile.scan_by %x, %n axis 0 : tensor<8x16xf32>, tensor<8x16xi32> -> tensor<8x16xf32>, tensor<8x16xi32> {
  ^bb0(%av: f32, %ai: i32, %bv: f32, %bi: i32):
    %wins = tile.cmp ge, %av, %bv : f32 -> i1
    %v = tile.select %wins, %av, %bv : i1, f32
    %j = tile.select %wins, %ai, %bi : i1, i32
    tile.yield %v, %j : f32, i32
  }
  tile.store %r#1, %out[%i, %i] : tensor<8x16xi32>, <out, 8x16xi32>
  return
}

// -----

// Sorting is a call: element type, outer, extent, inner, kept, descending.
// CHECK: llvm.func @tegula_cpu_sort(i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK-LABEL: func.func @tegula_program_sort(
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK-DAG: %[[OUTER:.*]] = arith.constant 2 : i64
// CHECK-DAG: %[[EXTENT:.*]] = arith.constant 32 : i64
// CHECK-DAG: %[[INNER:.*]] = arith.constant 16 : i64
// CHECK-DAG: %[[KEPT:.*]] = arith.constant 4 : i64
// CHECK: llvm.call @tegula_cpu_sort(%{{[^,]*}}, %[[OUTER]], %[[EXTENT]], %[[INNER]], %[[KEPT]], %[[ONE]], %{{.*}})
func.func @sort(%in: !tile.view<in, 2x32x16xf32> {cpu.strides = array<i64: -1, -1, 1>},
                %out: !tile.view<out, 2x4x16xi32> {cpu.strides = array<i64: -1, -1, 1>}, %i: i64) {
  %x = tile.load %in[%i, %i, %i] : <in, 2x32x16xf32> -> tensor<2x32x16xf32>
  %v, %n = tile.sort %x axis 1 descending : tensor<2x32x16xf32> -> tensor<2x4x16xf32>, tensor<2x4x16xi32>
  tile.store %n, %out[%i, %i, %i] : tensor<2x4x16xi32>, <out, 2x4x16xi32>
  return
}

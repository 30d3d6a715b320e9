// Kernels of one operation each: those that make threads work together.
#include "lib/compile/CompileModule.h"
#include "test/faults/Subject.h"

#include <algorithm>
#include <stdexcept>

namespace tegula::test {
namespace {

struct View {
  DType dtype;
  Shape extents;
  Contents contents = Contents::numbers;
};

struct Row {
  const char* name;
  std::vector<View> views;
  int warps;
  std::int64_t programs;
  const char* text;
};

/// Tensors are ragged: each kernel's tile ends outside in the last program.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"reduce_across_warps", {{DType::f32, {2, 500}}, {DType::f32, {2, 1}, Contents::poison}}, 4, 2, R"(
func.func @kernel(%in: !tile.view<in, 1x512xf32>, %out: !tile.view<out, 1x1xf32>) {
  %i = tile.program_index %out axis 0 : <out, 1x1xf32>
  %z = tile.constant 0 : i64
  %x = tile.load %in[%i, %z] : <in, 1x512xf32> -> tensor<1x512xf32>
  %s = tile.reduce sum %x axis 1 : tensor<1x512xf32> -> tensor<1x1xf32>
  tile.store %s, %out[%i, %z] : tensor<1x1xf32>, <out, 1x1xf32>
  return
})"},
      {"reduce_in_a_loop", {{DType::f32, {4, 1500}}, {DType::f32, {4, 1}, Contents::poison}}, 4, 4, R"(
func.func @kernel(%in: !tile.view<in, 1x512xf32>, %out: !tile.view<out, 1x1xf32>) {
  %i = tile.program_index %out axis 0 : <out, 1x1xf32>
  %z = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %three = tile.constant 3 : i64
  %init = tile.constant dense<0.0> : tensor<1x1xf32>
  %r = scf.for %k = %z to %three step %one iter_args(%acc = %init) -> (tensor<1x1xf32>) : i64 {
    %x = tile.load %in[%i, %k] : <in, 1x512xf32> -> tensor<1x512xf32>
    %s = tile.reduce max %x axis 1 : tensor<1x512xf32> -> tensor<1x1xf32>
    %n = tile.add %acc, %s : tensor<1x1xf32>
    scf.yield %n : tensor<1x1xf32>
  }
  tile.store %r, %out[%i, %z] : tensor<1x1xf32>, <out, 1x1xf32>
  return
})"},
      {"arg_reduce", {{DType::f32, {28, 60}}, {DType::i32, {1, 60}, Contents::poison}}, 4, 1, R"(
func.func @kernel(%in: !tile.view<in, 32x64xf32>, %out: !tile.view<out, 1x64xi32>) {
  %z = tile.constant 0 : i64
  %x = tile.load %in[%z, %z] : <in, 32x64xf32> -> tensor<32x64xf32>
  %s = tile.arg_reduce max %x axis 0 : tensor<32x64xf32> -> tensor<1x64xi32>
  tile.store %s, %out[%z, %z] : tensor<1x64xi32>, <out, 1x64xi32>
  return
})"},
      {"scan", {{DType::f32, {1000}}, {DType::f32, {1000}, Contents::poison}}, 4, 2, R"(
func.func @kernel(%in: !tile.view<in, 512xf32>, %out: !tile.view<out, 512xf32>) {
  %i = tile.program_index %out axis 0 : <out, 512xf32>
  %x = tile.load %in[%i] : <in, 512xf32> -> tensor<512xf32>
  %s = tile.scan sum %x axis 0 : tensor<512xf32>
  tile.store %s, %out[%i] : tensor<512xf32>, <out, 512xf32>
  return
})"},
      {"sort", {{DType::f32, {200}}, {DType::f32, {200}, Contents::poison}, {DType::i32, {200}, Contents::poison}}, 4, 1, R"(
func.func @kernel(%in: !tile.view<in, 256xf32>, %out: !tile.view<out, 256xf32>, %places: !tile.view<out, 256xi32>) {
  %z = tile.constant 0 : i64
  %x = tile.load %in[%z] : <in, 256xf32> -> tensor<256xf32>
  %v, %n = tile.sort %x axis 0 descending : tensor<256xf32> -> tensor<256xf32>, tensor<256xi32>
  tile.store %v, %out[%z] : tensor<256xf32>, <out, 256xf32>
  tile.store %n, %places[%z] : tensor<256xi32>, <out, 256xi32>
  return
})"},
      {"transpose_one_warp", {{DType::f32, {16, 28}}, {DType::f32, {28, 16}, Contents::poison}}, 1, 1, R"(
func.func @kernel(%in: !tile.view<in, 16x32xf32>, %out: !tile.view<out, 32x16xf32>) {
  %z = tile.constant 0 : i64
  %x = tile.load %in[%z, %z] : <in, 16x32xf32> -> tensor<16x32xf32>
  %y = tile.permute %x [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
  tile.store %y, %out[%z, %z] : tensor<32x16xf32>, <out, 32x16xf32>
  return
})"},
      {"extract", {{DType::f32, {500}}, {DType::f32, {120}, Contents::poison}}, 4, 1, R"(
func.func @kernel(%in: !tile.view<in, 512xf32>, %out: !tile.view<out, 128xf32>) {
  %z = tile.constant 0 : i64
  %k = tile.num_programs : i64
  %x = tile.load %in[%z] : <in, 512xf32> -> tensor<512xf32>
  %y = tile.extract %x[%k] : tensor<512xf32> -> tensor<128xf32>
  tile.store %y, %out[%z] : tensor<128xf32>, <out, 128xf32>
  return
})"},
      {"product_bf16", {{DType::bf16, {56, 120}}, {DType::bf16, {120, 56}}, {DType::f32, {56, 56}, Contents::poison}}, 4, 1, R"(
func.func @kernel(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>) {
  %z = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %four = tile.constant 4 : i64
  %init = tile.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %z to %four step %one iter_args(%acc = %init) -> (tensor<64x64xf32>) : i64 {
    %x = tile.load %a[%z, %k] : <in, 64x32xbf16> -> tensor<64x32xbf16>
    %y = tile.load %b[%k, %z] : <in, 32x64xbf16> -> tensor<32x64xbf16>
    %n = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
    scf.yield %n : tensor<64x64xf32>
  }
  tile.store %r, %out[%z, %z] : tensor<64x64xf32>, <out, 64x64xf32>
  return
})"},
      {"two_products_stored_transposed",
       {{DType::bf16, {56, 120}}, {DType::bf16, {120, 120}}, {DType::f32, {120, 56}, Contents::poison}},
       4,
       1,
       R"(
func.func @kernel(%a: !tile.view<in, 64x32xbf16>, %b: !tile.view<in, 32x64xbf16>, %out: !tile.view<out, 64x64xf32>) {
  %z = tile.constant 0 : i64
  %one = tile.constant 1 : i64
  %two = tile.constant 2 : i64
  %four = tile.constant 4 : i64
  %init = tile.constant dense<0.0> : tensor<64x64xf32>
  scf.for %j = %z to %two step %one : i64 {
    %r = scf.for %k = %z to %four step %one iter_args(%acc = %init) -> (tensor<64x64xf32>) : i64 {
      %x = tile.load %a[%z, %k] : <in, 64x32xbf16> -> tensor<64x32xbf16>
      %y = tile.load %b[%k, %j] : <in, 32x64xbf16> -> tensor<32x64xbf16>
      %n = tile.mma %x, %y, %acc : tensor<64x32xbf16>, tensor<32x64xbf16> -> tensor<64x64xf32>
      scf.yield %n : tensor<64x64xf32>
    }
    %t = tile.permute %r [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
    tile.store %t, %out[%j, %z] : tensor<64x64xf32>, <out, 64x64xf32>
  }
  return
})"},
      {"product_f32", {{DType::f32, {28, 28}}, {DType::f32, {28, 28}}, {DType::f32, {28, 28}, Contents::poison}}, 2, 1, R"(
func.func @kernel(%a: !tile.view<in, 32x32xf32>, %b: !tile.view<in, 32x32xf32>, %out: !tile.view<out, 32x32xf32>) {
  %z = tile.constant 0 : i64
  %init = tile.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load %a[%z, %z] : <in, 32x32xf32> -> tensor<32x32xf32>
  %y = tile.load %b[%z, %z] : <in, 32x32xf32> -> tensor<32x32xf32>
  %r = tile.mma %x, %y, %init : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  tile.store %r, %out[%z, %z] : tensor<32x32xf32>, <out, 32x32xf32>
  return
})"},
      {"scatter", {{DType::f32, {100}}, {DType::i32, {100}, Contents::positions}, {DType::f32, {60}}}, 2, 1, R"(
func.func @kernel(%in: !tile.view<in, 128xf32>, %p: !tile.view<index, 128xi32>, %out: !tile.view<patch, 1xf32>) {
  %z = tile.constant 0 : i64
  %outside = tile.constant -1 : i32
  %x = tile.load %in[%z] : <in, 128xf32> -> tensor<128xf32>
  %positions = tile.load %p[%z] pad %outside : i32 : <index, 128xi32> -> tensor<128xi32>
  tile.scatter %x, %out[] by %positions axis 0 : tensor<128xf32>, <patch, 1xf32>, tensor<128xi32>
  return
})"},
      {"writes_in_turn",
       {{DType::f32, {100}},
        {DType::i32, {100}, Contents::different_positions},
        {DType::i32, {100}, Contents::different_positions},
        {DType::f32, {120}}},
       2,
       1,
       R"(
func.func @kernel(%in: !tile.view<in, 128xf32>, %p: !tile.view<distinct, 128xi32>, %q: !tile.view<distinct, 128xi32>, %out: !tile.view<patch, 128xf32>) {
  %z = tile.constant 0 : i64
  %outside = tile.constant -1 : i32
  %x = tile.load %in[%z] : <in, 128xf32> -> tensor<128xf32>
  %first = tile.load %p[%z] pad %outside : i32 : <distinct, 128xi32> -> tensor<128xi32>
  %second = tile.load %q[%z] pad %outside : i32 : <distinct, 128xi32> -> tensor<128xi32>
  %y = tile.neg %x : tensor<128xf32>
  tile.store %y, %out[%z] : tensor<128xf32>, <patch, 128xf32>
  tile.scatter %x, %out[] by %first axis 0 : tensor<128xf32>, <patch, 128xf32>, tensor<128xi32>
  tile.scatter %y, %out[] by %second axis 0 : tensor<128xf32>, <patch, 128xf32>, tensor<128xi32>
  return
})"},
      {"messages", {{DType::f32, {300}}}, 4, 2, R"(
func.func @kernel(%in: !tile.view<in, 256xf32>) {
  %i = tile.program_id : i64
  %x = tile.load %in[%i] : <in, 256xf32> -> tensor<256xf32>
  tile.print "x", %i, %x : i64, tensor<256xf32>
  %most = tile.constant dense<3.9> : tensor<256xf32>
  %c = tile.cmp lt, %x, %most : tensor<256xf32> -> tensor<256xi1>
  tile.assert %c, "not too large", %x : tensor<256xf32> : tensor<256xi1>
  return
})"},
      {"in_place", {{DType::f32, {500}}}, 4, 1, R"(
func.func @kernel(%v: !tile.view<inout, 512xf32>) {
  %z = tile.constant 0 : i64
  %x = tile.load %v[%z] : <inout, 512xf32> -> tensor<512xf32>
  %w = tile.add %x, %x : tensor<512xf32>
  %s = tile.scan sum %w axis 0 reverse : tensor<512xf32>
  tile.store %s, %v[%z] : tensor<512xf32>, <inout, 512xf32>
  return
})"},
  };
  return table;
}

} // namespace

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const Row& row : rows())
    names.emplace_back(row.name);
  return names;
}

Subject operation_subject(const std::string& name, const std::string& target) {
  const auto row = std::ranges::find(rows(), name, &Row::name);
  if (row == rows().end())
    throw std::runtime_error("no kernel is called " + name);
  Subject subject{name, {}, {}, {}, {}, row->programs, 24};
  Specialisation facts;
  for (const View& view : row->views) {
    Tensor& tensor = *subject.tensors.emplace_back(std::make_unique<Tensor>(view.dtype, view.extents));
    if (view.contents == Contents::positions)
      tensor.bound = 60;
    if (view.contents == Contents::different_positions)
      tensor.bound = 120;
    subject.contents.push_back(view.contents);
    ViewFacts& known = facts.emplace_back();
    for (const std::int64_t stride : tensor.strides)
      known.strides.push_back(stride == 1 ? Stride::one : Stride::any);
    known.aligned = tensor.extents.back() * size_of(tensor.dtype) % 16 == 0;
    subject.arguments.emplace_back(&tensor);
  }
  subject.code = compile_for_gpu(*parse_kernel(row->text), facts, {.target = target, .warps = row->warps});
  return subject;
}

} // namespace tegula::test

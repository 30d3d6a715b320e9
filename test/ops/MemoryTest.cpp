// Loads and stores: edges, padding, sub-tiles, strides, indices outside; and what a kernel may ask of a view.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class Memory : public OnExecutor {};
TEGULA_ON_EXECUTORS(Memory);

namespace {

Tensor counting(DType dtype, Shape extents, std::optional<Shape> strides = {}) {
  Tensor result = strides ? Tensor(dtype, extents, *strides) : Tensor(dtype, extents);
  std::int64_t next = 0;
  for_each_index(extents,
                 [&](const Shape& index) { result.set(index, encode_number(dtype, static_cast<Real>(next++ % 100 + 1))); });
  return result;
}

/// One program per tile: out tile i = in tile (i + shift), with a pad.
std::string shifted_copy(DType dtype, const Shape& tile, std::int64_t shift, std::optional<std::string> pad) {
  KernelText kernel;
  ViewParameter out = kernel.out(dtype, tile), in = kernel.in(dtype, tile);
  Values index = kernel.program_index(out), moved;
  for (const Value& i : index)
    moved.push_back(kernel.same("add", {i, kernel.integer(shift)}));
  std::optional<Value> padding;
  if (pad)
    padding = kernel.constant(*pad, dtype);
  kernel.store(kernel.load(in, moved, padding), out, index);
  return kernel.str();
}

/// What shifted_copy leaves in `out`.
void expect_shifted(const Tensor& out, const Tensor& in, const Shape& tile, std::int64_t shift, std::uint64_t pad) {
  for_each_index(out.extents, [&](const Shape& index) {
    Shape from = index;
    for (std::size_t axis = 0; axis < tile.size(); ++axis)
      from[axis] += shift * tile[axis];
    ASSERT_EQ(out.get(index), in.contains(from) ? in.get(from) : pad);
  });
}

} // namespace

TEST_P(Memory, every_tile_of_a_ragged_tensor) {
  struct Case {
    Shape tile, extents;
  };
  for (const auto& [tile, extents] : {Case{{16}, {61}}, Case{{4, 8}, {11, 29}}, Case{{8, 4}, {8, 4}}, Case{{2, 4, 8}, {5, 7, 17}},
                                      Case{{2, 2, 2, 4}, {3, 1, 5, 6}}, Case{{1, 2, 1, 2, 2, 4}, {2, 3, 1, 3, 2, 5}},
                                      Case{{64, 64}, {1, 1}}, Case{{16, 16}, {3, 0}}})
    for (DType dtype : {DType::f32, DType::i8, DType::f64, DType::bf16, DType::boolean}) {
      Tensor in = counting(dtype, extents), out(dtype, extents);
      run(shifted_copy(dtype, tile, 0, {}), {&out, &in}, tile_count(out, tile));
      EXPECT_EQ(out.bits(), in.bits()) << spell(dtype, tile);
    }
}

TEST_P(Memory, outside_reads_as_the_pad) {
  for (DType dtype : all_dtypes) {
    const bool is_scale = dtype == DType::f8e8m0; // has no sign
    const std::string pad = dtype == DType::boolean ? "true" : is_scale ? "4.0" : is_float(dtype) ? "-1.5" : "7";
    const std::uint64_t bits = dtype == DType::boolean ? 1 : encode_number(dtype, is_scale ? 4.0L : is_float(dtype) ? -1.5L : 7.0L);
    for (std::int64_t shift : {0, 1, -1, 5, -5}) {
      Tensor in = counting(dtype, {11, 13}), out(dtype, {17, 16});
      run(shifted_copy(dtype, {4, 8}, shift, pad), {&out, &in}, tile_count(out, {4, 8}));
      expect_shifted(out, in, {4, 8}, shift, bits);
    }
  }
}

TEST_P(Memory, infinite_pad) {
  Tensor in = counting(DType::f32, {5}), out(DType::f32, {16});
  run(shifted_copy(DType::f32, {8}, 0, "0xFF800000"), {&out, &in}, 2);
  expect_shifted(out, in, {8}, 0, 0xFF800000);
}

TEST_P(Memory, indices_far_outside) {
  for (std::int64_t shift : {std::int64_t{1} << 40, -(std::int64_t{1} << 40), std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
    Tensor in = counting(DType::f32, {32}), out(DType::f32, {32});
    run(shifted_copy(DType::f32, {16}, shift, {}), {&out, &in}, 2);
    EXPECT_EQ(out.bits(), std::vector<std::uint64_t>(32, 0)) << "tile " << shift;
  }
}

TEST_P(Memory, stores_outside_are_dropped) {
  KernelText kernel;
  ViewParameter out = kernel.view("outs", DType::i32, {4, 4});
  Value program = kernel.emit("tile.program_id : i64", DType::i64), far = kernel.integer(100), before = kernel.integer(-1);
  Value zero = kernel.integer(0), tile = kernel.integer(5, DType::i32, {4, 4});
  for (const Values& index : {Values{far, zero}, {zero, far}, {before, zero}, {zero, before}, {program, zero}})
    kernel.store(tile, out, index);
  Tensor tensor = counting(DType::i32, {7, 6});
  Tensor before_run = tensor;
  run(kernel.str(), {&tensor}, 2);
  for_each_index(tensor.extents,
                 [&](const Shape& index) { EXPECT_EQ(tensor.get(index), index[1] < 4 ? 5u : before_run.get(index)); });
}

TEST_P(Memory, permuted_and_repeated_views) {
  struct Case {
    Shape tile, extents, strides;
  };
  for (const auto& [tile, extents, strides] :
       {Case{{8, 8}, {19, 13}, {1, 19}}, Case{{8, 8}, {19, 13}, {0, 1}}, Case{{8, 8}, {19, 13}, {1, 0}},
        Case{{8, 8}, {19, 13}, {0, 0}}, Case{{8, 8}, {19, 13}, {40, 3}}, Case{{16}, {37}, {0}}, Case{{16}, {37}, {5}},
        Case{{2, 4, 8}, {5, 6, 7}, {1, 35, 5}}})
    for (DType dtype : {DType::f32, DType::f16, DType::i64, DType::u8, DType::boolean}) {
      Tensor in = counting(dtype, extents, strides), out(dtype, extents);
      run(shifted_copy(dtype, tile, 0, {}), {&out, &in}, tile_count(out, tile));
      EXPECT_EQ(out.bits(), in.bits()) << spell(dtype, tile);
    }
}

TEST_P(Memory, output_with_strides) {
  for (const Shape& strides : {Shape{1, 19}, Shape{40, 3}}) {
    Tensor in = counting(DType::f32, {19, 13}), out(DType::f32, {19, 13}, strides), untouched(DType::f32, {19, 13}, strides);
    run(shifted_copy(DType::f32, {8, 4}, 0, {}), {&out, &in}, tile_count(out, {8, 4}));
    EXPECT_EQ(out.bits(), in.bits());
    for_each_index(out.extents, [&](const Shape& index) { untouched.set(index, out.get(index)); });
    EXPECT_TRUE(std::equal(out.bytes.data(), out.bytes.data() + out.bytes.size(), untouched.bytes.data()))
        << "wrote between elements";
  }
}

TEST_P(Memory, sub_tiles_count_in_their_own_shape) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::f32, {8, 8}), in = kernel.in(DType::f32, {8, 8});
  Values index = kernel.program_index(out);
  Value two = kernel.integer(2);
  for (std::int64_t half : {0, 1}) {
    Value row = kernel.same("add", {kernel.same("mul", {index[0], two}), kernel.integer(half)});
    kernel.store(kernel.load(in, {row, index[1]}, {}, Shape{4, 8}), out, {row, index[1]});
  }
  Tensor source = counting(DType::f32, {21, 15}), result(DType::f32, {21, 15});
  run(kernel.str(), {&result, &source}, tile_count(result, {8, 8}));
  EXPECT_EQ(result.bits(), source.bits());
}

TEST_P(Memory, extents_and_tiles_of_a_view) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::i64, {1}), in = kernel.in(DType::f32, {8, 16});
  Values found, zero = {kernel.integer(0)};
  for (const char* query : {"dim", "num_tiles"})
    for (int axis : {0, 1})
      found.push_back(kernel.emit(
          std::string("tile.") + query + " " + in.name + " axis " + std::to_string(axis) + " : " + in.type(), DType::i64));
  for (std::size_t i = 0; i < found.size(); ++i) {
    Value piece = kernel.broadcast(found[i], {1});
    kernel.store(piece, out, {kernel.integer(static_cast<std::int64_t>(i))});
  }
  for (const auto& [extents, expected] : std::vector<std::pair<Shape, std::vector<std::int64_t>>>{
           {{20, 16}, {20, 16, 3, 1}}, {{0, 17}, {0, 17, 0, 2}}, {{8, 1}, {8, 1, 1, 1}}}) {
    Tensor source(DType::f32, extents), result(DType::i64, {4});
    run(kernel.str(), {&result, &source}, 1);
    EXPECT_EQ(to_integers(result), expected);
  }
}

TEST_P(Memory, programs_know_their_number_and_piece) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::i64, {2, 4, 2}), grid = kernel.in(DType::f32, {4, 2});
  Values index = kernel.program_index(out);
  Value program = kernel.emit("tile.program_id : i64", DType::i64), count = kernel.emit("tile.num_programs : i64", DType::i64);
  Value row{kernel.fresh(), DType::i64, {}}, column{kernel.fresh(), DType::i64, {}};
  kernel.line(names({row, column}) + " = tile.unflatten " + program.name + " in " + grid.name + " : " + grid.type() +
              " -> i64, i64");
  Value number = kernel.integer(0); // the digits of all of these
  for (const Value& digit : {program, count, index[0], index[1], index[2], row, column})
    number = kernel.same("add", {kernel.same("mul", {number, kernel.integer(100)}), digit});
  kernel.store(kernel.broadcast(number, {2, 4, 2}), out, index);
  Tensor result(DType::i64, {3, 7, 5}), covered(DType::f32, {13, 5});
  run(kernel.str(), {&result, &covered}, 12);
  for_each_index(result.extents, [&](const Shape& at) {
    std::int64_t i = at[0] / 2, j = at[1] / 4, k = at[2] / 2, p = (i * 2 + j) * 3 + k, expected = 0;
    for (std::int64_t digit : {p, std::int64_t{12}, i, j, k, p / 3, p % 3})
      expected = expected * 100 + digit;
    ASSERT_EQ(static_cast<std::int64_t>(result.get(at)), expected);
  });
}

TEST_P(Memory, scalar_parameters_of_every_type) {
  for (DType dtype : all_dtypes) {
    KernelText kernel;
    ViewParameter out = kernel.out(dtype, {4});
    Value scalar = kernel.scalar(dtype);
    kernel.store(kernel.broadcast(scalar, {4}), out, kernel.program_index(out));
    Random random(3);
    for (std::uint64_t bits : random_bits(dtype, random, 5)) {
      Tensor result(dtype, {6});
      run(kernel.str(), {&result, Scalar{bits}}, 2);
      EXPECT_EQ(result.bits(), std::vector<std::uint64_t>(6, bits)) << tegula::name(dtype);
    }
  }
}

TEST_P(Memory, one_element_without_axes) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::f32, {}), in = kernel.in(DType::f32, {});
  Value x = kernel.load(in, {});
  kernel.store(kernel.same("add", {x, x}), out, {});
  Tensor source(DType::f32, {}, Bits{encode(DType::f32, 1.25L)}), result(DType::f32, Shape{});
  run(kernel.str(), {&result, &source}, 1);
  EXPECT_EQ(result.get({}), encode(DType::f32, 2.5L));
}

} // namespace tegula::test

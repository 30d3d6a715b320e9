// Loads at element offsets: tiles that start before the tensor, end after it, or both; strides, pads, far outside.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class ElementOffset : public OnExecutor {};
TEGULA_ON_EXECUTORS(ElementOffset);

namespace {

Tensor counting(DType dtype, const Shape& extents, std::optional<Shape> strides = {}) {
  Tensor result = strides ? Tensor(dtype, extents, *strides) : Tensor(dtype, extents);
  std::int64_t next = 0;
  for_each_index(extents,
                 [&](const Shape& index) { result.set(index, encode_number(dtype, static_cast<Real>(next++ % 100 + 1))); });
  return result;
}

/// One program per tile: an element of the output is that of the input so many further along each axis, or the pad.
std::string shifted_copy(DType dtype, const Shape& tile, const Shape& shift, std::optional<std::string> pad) {
  KernelText kernel;
  ViewParameter out = kernel.out(dtype, tile), in = kernel.in(dtype, tile);
  Values index = kernel.program_index(out), first;
  for (std::size_t axis = 0; axis < tile.size(); ++axis)
    first.push_back(
        kernel.same("add", {kernel.same("mul", {index[axis], kernel.integer(tile[axis])}), kernel.integer(shift[axis])}));
  std::optional<Value> padding;
  if (pad)
    padding = kernel.constant(*pad, dtype);
  kernel.store(kernel.load_at_element(in, first, padding), out, index);
  return kernel.str();
}

void expect_shifted(const Tensor& out, const Tensor& in, const Shape& shift, std::uint64_t pad) {
  for_each_index(out.extents, [&](const Shape& index) {
    Shape from = index;
    for (std::size_t axis = 0; axis < shift.size(); ++axis)
      from[axis] += shift[axis];
    ASSERT_EQ(out.get(index), in.contains(from) ? in.get(from) : pad);
  });
}

} // namespace

TEST_P(ElementOffset, neighbours_near_and_far) {
  struct Case {
    Shape tile, extents, shift;
  };
  for (const auto& [tile, extents, shift] :
       {Case{{16}, {61}, {-1}}, Case{{16}, {61}, {1}}, Case{{16}, {61}, {-15}}, Case{{16}, {61}, {23}}, Case{{16}, {3}, {-7}},
        Case{{1024}, {1500}, {-3}}, Case{{4, 8}, {11, 29}, {-1, 1}}, Case{{64, 64}, {70, 130}, {1, -1}},
        Case{{32, 64}, {33, 65}, {-31, 63}}, Case{{64, 64}, {5, 3}, {-2, -1}}, Case{{2, 4, 8}, {5, 7, 17}, {1, -2, 3}},
        Case{{1, 2, 1, 2, 2, 4}, {2, 3, 1, 3, 2, 5}, {0, 1, 0, -1, 1, -3}}, Case{{64, 64}, {128, 256}, {-4, -8}},
        Case{{16, 16}, {3, 0}, {-1, -1}}})
    for (DType dtype : {DType::f32, DType::i8, DType::f64, DType::bf16, DType::boolean}) {
      Tensor in = counting(dtype, extents), out(dtype, extents);
      run(shifted_copy(dtype, tile, shift, {}), {&out, &in}, tile_count(out, tile));
      expect_shifted(out, in, shift, 0);
    }
}

TEST_P(ElementOffset, outside_reads_as_the_pad) {
  for (DType dtype : all_dtypes) {
    const bool is_scale = dtype == DType::f8e8m0; // has no sign
    const std::string pad = dtype == DType::boolean ? "true" : is_scale ? "4.0" : is_float(dtype) ? "-1.5" : "7";
    const std::uint64_t bits = dtype == DType::boolean ? 1 : encode_number(dtype, is_scale ? 4.0L : is_float(dtype) ? -1.5L : 7.0L);
    for (std::int64_t shift : {0, 2, -3, 9, -9}) {
      Tensor in = counting(dtype, {11, 13}), out(dtype, {17, 16});
      run(shifted_copy(dtype, {4, 8}, {shift, -shift}, pad), {&out, &in}, tile_count(out, {4, 8}));
      expect_shifted(out, in, {shift, -shift}, bits);
    }
  }
}

TEST_P(ElementOffset, permuted_and_repeated_views) {
  struct Case {
    Shape tile, extents, strides;
  };
  for (const auto& [tile, extents, strides] :
       {Case{{8, 8}, {19, 13}, {1, 19}}, Case{{8, 8}, {19, 13}, {0, 1}}, Case{{8, 8}, {19, 13}, {1, 0}},
        Case{{8, 8}, {19, 13}, {0, 0}}, Case{{8, 8}, {19, 13}, {40, 3}}, Case{{8, 8}, {19, 1}, {1, 19}}, Case{{16}, {37}, {0}},
        Case{{16}, {37}, {5}}, Case{{2, 4, 8}, {5, 6, 7}, {1, 35, 5}}})
    for (DType dtype : {DType::f32, DType::f16, DType::i64, DType::u8, DType::boolean})
      for (std::int64_t shift : {-3, 5}) {
        Shape shifts(tile.size(), shift);
        Tensor in = counting(dtype, extents, strides), out(dtype, extents);
        run(shifted_copy(dtype, tile, shifts, {}), {&out, &in}, tile_count(out, tile));
        expect_shifted(out, in, shifts, 0);
      }
}

TEST_P(ElementOffset, far_outside) {
  for (std::int64_t shift : {std::int64_t{1} << 40, -(std::int64_t{1} << 40), std::int64_t{1} << 62, -(std::int64_t{1} << 62),
                             INT64_MAX - 32, INT64_MIN, std::int64_t{1} << 32, -(std::int64_t{1} << 32)}) {
    Tensor in = counting(DType::f32, {32}), out(DType::f32, {32});
    run(shifted_copy(DType::f32, {16}, {shift}, {}), {&out, &in}, 2);
    EXPECT_EQ(out.bits(), std::vector<std::uint64_t>(32, 0)) << "element " << shift;
  }
}

TEST_P(ElementOffset, sub_tiles_may_start_anywhere) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::f32, {4, 8}), in = kernel.in(DType::f32, {16, 16});
  Values index = kernel.program_index(out);
  Value row = kernel.same("sub", {kernel.same("mul", {index[0], kernel.integer(4)}), kernel.integer(2)});
  Value column = kernel.same("add", {kernel.same("mul", {index[1], kernel.integer(8)}), kernel.integer(1)});
  kernel.store(kernel.load_at_element(in, {row, column}, {}, Shape{4, 8}), out, index);
  Tensor source = counting(DType::f32, {32, 16}), result(DType::f32, {32, 16});
  run(kernel.str(), {&result, &source}, tile_count(result, {4, 8}));
  expect_shifted(result, source, {-2, 1}, 0);
}

} // namespace tegula::test

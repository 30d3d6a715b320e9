// Accumulate-only outputs: every kind of operation on every type it has, at the edges, and from many threads at once.
#include "lib/compile/CompileModule.h"
#include "test/ops/ExecutorTest.h"
#include "test/support/Expect.h"

#include <algorithm>
#include <limits>
#include <new>
#include <thread>

namespace tegula::test {

namespace {

enum class Kind { add, min, max, bit_and, bit_or };
constexpr Kind all_kinds[] = {Kind::add, Kind::min, Kind::max, Kind::bit_and, Kind::bit_or};

const char* access_of(Kind kind) {
  constexpr const char* names[] = {"add_into", "min_into", "max_into", "and_into", "or_into"};
  return names[static_cast<int>(kind)];
}

std::vector<DType> dtypes_of(Kind kind) {
  std::vector<DType> result{DType::i32, DType::u32, DType::i64, DType::u64};
  if (kind == Kind::add)
    result.insert(result.end(), {DType::f64, DType::f32, DType::f16, DType::bf16});
  return result;
}

std::uint64_t add_floats(DType dtype, std::uint64_t a, std::uint64_t b) {
  if (dtype == DType::f64) // which a Real would round twice
    return encode(dtype, static_cast<double>(decode(dtype, a)) + static_cast<double>(decode(dtype, b)));
  return encode(dtype, decode(dtype, a) + decode(dtype, b));
}

std::uint64_t combine(Kind kind, DType dtype, std::uint64_t a, std::uint64_t b) {
  const Whole x = is_float(dtype) ? 0 : decode_integer(dtype, a), y = is_float(dtype) ? 0 : decode_integer(dtype, b);
  switch (kind) {
  case Kind::add:
    return is_float(dtype) ? add_floats(dtype, a, b) : encode_integer(dtype, x + y);
  case Kind::min:
    return encode_integer(dtype, std::min(x, y));
  case Kind::max:
    return encode_integer(dtype, std::max(x, y));
  case Kind::bit_and:
    return a & b;
  case Kind::bit_or:
    return a | b;
  }
  return 0;
}

Bits some_values(DType dtype, Random& random, std::int64_t count) {
  Bits values = is_float(dtype) ? random_values(dtype, random, count) : random_bits(dtype, random, count);
  const Bits specials = special_values(dtype);
  for (std::uint64_t& value : values)
    if (random.chance(10))
      value = random.pick(specials);
  return values;
}

void expect_equal(const Tensor& actual, const Tensor& expected) {
  for_each_index(actual.extents, [&](const Shape& at) {
    ASSERT_TRUE(matches(actual.dtype, actual.get(at), Expected::of_bits(expected.get(at))))
        << show(actual.dtype, actual.get(at)) << ", not " << show(actual.dtype, expected.get(at));
  });
}

void accumulate(KernelText& kernel, const Value& tile, const ViewParameter& view, const Values& index) {
  kernel.line("tile.accumulate " + tile.name + ", " + view.name + "[" + names(index) + "] : " + tile.type() + ", " + view.type());
}

void accumulate_at(KernelText& kernel, const Value& tile, const ViewParameter& view, const Values& index, const Value& positions,
                   int axis) {
  kernel.line("tile.accumulate_at " + tile.name + ", " + view.name + "[" + names(index) + "] by " + positions.name + " axis " +
              std::to_string(axis) + " : " + tile.type() + ", " + view.type() + ", " + positions.type());
}

class Accumulate : public OnExecutor {};
TEGULA_ON_EXECUTORS(Accumulate);

} // namespace

TEST_P(Accumulate, every_kind_and_type) {
  const Shape tile{4, 8}, extents{7, 13};
  for (Kind kind : all_kinds)
    for (DType dtype : dtypes_of(kind)) {
      SCOPED_TRACE(std::string(access_of(kind)) + " " + tegula::name(dtype));
      KernelText kernel;
      ViewParameter into = kernel.view(access_of(kind), dtype, tile), from = kernel.in(dtype, tile);
      Value program = kernel.emit("tile.program_id : i64", DType::i64), zero = kernel.integer(0), one = kernel.integer(1);
      Value row = kernel.same("rem", {program, kernel.integer(2)}), far = kernel.integer(-1),
            x = kernel.load(from, {program, zero});
      for (const Values& index : {Values{row, zero}, {row, one}, {kernel.integer(2), zero}, {far, zero}, {zero, far}})
        accumulate(kernel, x, into, index);

      Random random("accumulate");
      constexpr std::int64_t programs = 5;
      Tensor source(dtype, {4 * programs, 8}, some_values(dtype, random, 4 * programs * 8)),
          result(dtype, extents, some_values(dtype, random, size_of(extents))), expected = result;
      run(kernel.str(), {&result, &source}, programs);
      for (std::int64_t p = 0; p < programs; ++p)
        for_each_index({4, 16}, [&](const Shape& at) {
          const Shape target{p % 2 * 4 + at[0], at[1]};
          if (expected.contains(target))
            expected.set(target, combine(kind, dtype, expected.get(target), source.get({p * 4 + at[0], at[1] % 8})));
        });
      expect_equal(result, expected);
    }
}

TEST_P(Accumulate, at_positions_of_every_kind_and_type) {
  const std::int64_t positions[] = {3, 3, -1, 0, 6, 7, std::numeric_limits<std::int32_t>::min(), 3};
  for (int axis : {0, 1})
    for (Kind kind : all_kinds)
      for (DType dtype : dtypes_of(kind)) {
        SCOPED_TRACE(std::string(access_of(kind)) + " " + tegula::name(dtype));
        const auto along = static_cast<std::size_t>(axis), other = 1 - along;
        Shape tile{4, 4}, moving{4, 4}, extents{11, 11};
        moving[along] = 8;
        extents[along] = 7;
        KernelText kernel;
        ViewParameter into = kernel.view(access_of(kind), dtype, tile), from = kernel.in(dtype, moving),
                      where = kernel.in(DType::i32, {8});
        Value program = kernel.emit("tile.program_id : i64", DType::i64), zero = kernel.integer(0);
        Values index{zero, zero};
        index[other] = program;
        Value x = kernel.load(from, index), p = kernel.load(where, {zero});
        accumulate_at(kernel, x, into, {program}, p, axis);

        Random random("accumulate_at");
        Shape given = extents;
        given[along] = 8;
        Tensor source(dtype, given, some_values(dtype, random, size_of(given))), held(DType::i32, {8}),
            result(dtype, extents, some_values(dtype, random, size_of(extents))), expected = result;
        for (std::int64_t i = 0; i < 8; ++i)
          held.set({i}, encode_integer(DType::i32, positions[i]));
        run(kernel.str(), {&result, &source, &held}, 3);
        for_each_index(given, [&](const Shape& at) {
          Shape target = at;
          target[along] = positions[at[along]];
          if (expected.contains(target))
            expected.set(target, combine(kind, dtype, expected.get(target), source.get(at)));
        });
        expect_equal(result, expected);
      }
}

TEST_P(Accumulate, into_transposed_and_empty_tensors) {
  KernelText kernel;
  ViewParameter into = kernel.view("add_into", DType::i32, {4, 4});
  Value zero = kernel.integer(0), one = kernel.integer(1);
  accumulate(kernel, kernel.integer(5, DType::i32, {4, 4}), into, {zero, one});
  Tensor empty(DType::i32, {0, 9}), tensor(DType::i32, {3, 6}, Shape{2, 7});
  for_each_index(tensor.extents, [&](const Shape& at) { tensor.set(at, 100); });
  run(kernel.str(), {&empty}, 2);
  run(kernel.str(), {&tensor}, 2);
  for_each_index(tensor.extents, [&](const Shape& at) { EXPECT_EQ(tensor.get(at), at[1] < 4 ? 100u : 110u); });
}

TEST_P(Accumulate, one_element_without_axes) {
  KernelText kernel;
  ViewParameter into = kernel.view("add_into", DType::f16, {});
  accumulate(kernel, kernel.constant("1.5", DType::f16), into, {});
  Tensor result(DType::f16, Shape{});
  result.set({}, 0);
  run(kernel.str(), {&result}, 7);
  EXPECT_EQ(decode(DType::f16, result.get({})), 10.5L);
}

namespace {

/// Runs programs on several threads at once, each with scratch memory of its own.
void run_threaded(const CpuKernel& kernel, const std::vector<std::int64_t>& words, std::int64_t programs) {
  constexpr std::int64_t threads = 4;
  std::vector<std::thread> pool;
  for (std::int64_t thread = 0; thread < threads; ++thread)
    pool.emplace_back([&, thread] {
      void* scratch = ::operator new(kernel.scratch_bytes, std::align_val_t{64});
      for (std::int64_t program = thread; program < programs; program += threads)
        kernel.entry(words.data(), program, programs, nullptr, scratch);
      ::operator delete(scratch, std::align_val_t{64});
    });
  for (std::thread& thread : pool)
    thread.join();
}

} // namespace

/// Nothing is lost when threads meet: the sums are exact in every type.
TEST(AccumulateThreads, many_programs_into_few_elements) {
  for (Kind kind : all_kinds)
    for (DType dtype : dtypes_of(kind)) {
      SCOPED_TRACE(std::string(access_of(kind)) + " " + tegula::name(dtype));
      KernelText text;
      ViewParameter into = text.view(access_of(kind), dtype, {8}), from = text.in(dtype, {8});
      Value program = text.emit("tile.program_id : i64", DType::i64), zero = text.integer(0);
      accumulate(text, text.load(from, {program}), into, {zero});
      const auto kernel = compile_for_cpu(*parse_kernel(text.str()), {{{Stride::one}}, {{Stride::one}}});
      const std::int64_t programs = dtype == DType::bf16 ? 200 : dtype == DType::f16 ? 2000 : 20000;
      Random random("threads");
      Tensor source(dtype, {programs * 8}), result(dtype, {3});
      for (std::int64_t i = 0; i < programs * 8; ++i)
        source.set({i}, is_float(dtype) ? encode_number(dtype, 1) : encode_integer(dtype, static_cast<Whole>(random.next())));
      Tensor expected = result;
      for (std::int64_t i = 0; i < 3; ++i) {
        expected.set({i}, kind == Kind::bit_and ? encode_integer(dtype, -1) : 0);
        result.set({i}, expected.get({i}));
        for (std::int64_t p = 0; p < programs; ++p)
          expected.set({i}, combine(kind, dtype, expected.get({i}), source.get({p * 8 + i})));
      }
      const auto address = [](Tensor& tensor) {
        return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(tensor.bytes.data()));
      };
      run_threaded(*kernel, {address(result), 3, 1, address(source), programs * 8, 1}, programs);
      expect_equal(result, expected);
    }
}

} // namespace tegula::test

// Outputs that a program reads back: every load sees the stores before it and none after.
#include "test/ops/ExecutorTest.h"

namespace tegula::test {

class InOut : public OnExecutor {};
TEGULA_ON_EXECUTORS(InOut);

namespace {

Tensor squares(const Shape& extents) {
  Tensor result(DType::f32, extents);
  for_each_index(extents, [&](const Shape& at) {
    const std::int64_t i = flatten(extents, at);
    result.set(at, encode(DType::f32, static_cast<Real>(i * i % 97)));
  });
  return result;
}

} // namespace

TEST_P(InOut, a_load_keeps_what_was_there) {
  KernelText kernel;
  ViewParameter state = kernel.view("inout", DType::f32, {8}), before = kernel.view("outs", DType::f32, {8}),
                after = kernel.view("outs", DType::f32, {8});
  Values piece = kernel.program_index(state);
  Value old = kernel.load(state, piece);
  kernel.store(kernel.same("add", {old, kernel.constant("1.0", DType::f32, {8})}), state, piece);
  Value changed = kernel.load(state, piece);
  kernel.store(kernel.constant("-1.0", DType::f32, {8}), state, piece);
  kernel.store(old, before, piece);
  kernel.store(changed, after, piece);
  Tensor tensor = squares({21}), original = tensor, first(DType::f32, {21}), second(DType::f32, {21});
  run(kernel.str(), {&tensor, &first, &second}, 3);
  for (std::int64_t i = 0; i < 21; ++i) {
    EXPECT_EQ(decode(DType::f32, tensor.get({i})), -1);
    EXPECT_EQ(first.get({i}), original.get({i}));
    EXPECT_EQ(decode(DType::f32, second.get({i})), decode(DType::f32, original.get({i})) + 1);
  }
}

TEST_P(InOut, a_piece_is_transposed_in_place) {
  KernelText kernel;
  ViewParameter state = kernel.view("inout", DType::f32, {16, 16});
  Values piece = kernel.program_index(state);
  Value x = kernel.load(state, piece);
  kernel.store(kernel.emit("tile.permute " + x.name + " [1, 0] : " + x.type() + " -> " + x.type(), DType::f32, {16, 16}), state,
               piece);
  Tensor tensor = squares({32, 16}), original = tensor;
  run(kernel.str(), {&tensor}, 2);
  for_each_index(tensor.extents, [&](const Shape& at) {
    const std::int64_t base = at[0] / 16 * 16;
    ASSERT_EQ(tensor.get(at), original.get({base + at[1], at[0] - base}));
  });
}

TEST_P(InOut, halves_of_a_piece_change_places) {
  KernelText kernel;
  ViewParameter state = kernel.view("inout", DType::f32, {16});
  Value low = kernel.same("mul", {kernel.program_index(state)[0], kernel.integer(2)}),
        high = kernel.same("add", {low, kernel.integer(1)});
  Value a = kernel.load(state, {low}, {}, Shape{8}), b = kernel.load(state, {high}, {}, Shape{8});
  kernel.store(b, state, {low});
  kernel.store(a, state, {high});
  Tensor tensor = squares({32}), original = tensor;
  run(kernel.str(), {&tensor}, 2);
  for (std::int64_t i = 0; i < 32; ++i)
    EXPECT_EQ(tensor.get({i}), original.get({i ^ 8}));
}

TEST_P(InOut, a_loop_reads_what_it_wrote) {
  for (const Shape& tile : {Shape{8}, Shape{}}) {
    KernelText kernel;
    ViewParameter state = kernel.view("inout", DType::f32, tile);
    Value n = kernel.scalar(DType::i64), zero = kernel.integer(0), one = kernel.integer(1);
    Values piece = kernel.program_index(state);
    kernel.open("scf.for %k = " + zero.name + " to " + n.name + " step " + one.name + " : i64 {");
    Value x = kernel.load(state, piece);
    kernel.store(kernel.same("add", {x, x}), state, piece);
    kernel.close();
    Tensor tensor = squares(tile.empty() ? Shape{} : Shape{13}), original = tensor;
    run(kernel.str(), {&tensor, Scalar{5}}, tile.empty() ? 1 : 2);
    for_each_index(tensor.extents, [&](const Shape& at) {
      EXPECT_EQ(decode(DType::f32, tensor.get(at)), 32 * decode(DType::f32, original.get(at)));
    });
  }
}

TEST_P(InOut, equal_loads_on_both_sides_of_a_store_differ) {
  for (bool is_nested : {false, true}) {
    KernelText kernel;
    ViewParameter state = kernel.view("inout", DType::f32, {8}), sum = kernel.out(DType::f32, {8});
    Values piece = kernel.program_index(state);
    Value first = kernel.load(state, piece), two = kernel.constant("2.0", DType::f32, {8});
    Value always = kernel.emit("tile.cmp ge, " + names({piece[0], kernel.integer(0)}) + " : i64 -> i1", DType::boolean);
    if (is_nested)
      kernel.open("scf.if " + always.name + " {");
    kernel.store(kernel.same("mul", {first, two}), state, piece);
    if (is_nested)
      kernel.close();
    Value second = kernel.load(state, piece);
    kernel.store(kernel.same("sub", {second, first}), sum, piece);
    Tensor tensor = squares({16}), original = tensor, result(DType::f32, {16});
    run(kernel.str(), {&tensor, &result}, 2);
    EXPECT_EQ(result.bits(), original.bits()) << (is_nested ? "in a branch" : "");
  }
}

} // namespace tegula::test

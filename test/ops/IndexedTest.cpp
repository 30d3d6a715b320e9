// Gather and scatter: slices along one axis, each at an element position of its own.
#include "test/ops/ExecutorTest.h"

#include <algorithm>

namespace tegula::test {

class Indexed : public OnExecutor {};
TEGULA_ON_EXECUTORS(Indexed);

namespace {

/// A view's tile with `n` slices along `axis`, which positions address.
struct Case {
  Shape tile, extents, strides;
  std::size_t axis;
  std::int64_t n, count; // positions a program takes, and all of them
  Shape sliced(const Shape& shape, std::int64_t slices) const {
    Shape result = shape;
    result[axis] = slices;
    return result;
  }
};

const Case cases[] = {{{16}, {61}, {1}, 0, 8, 37},
                      {{16}, {61}, {3}, 0, 1, 3},
                      {{1, 64}, {50, 100}, {100, 1}, 0, 16, 21},
                      {{4, 8}, {11, 29}, {29, 1}, 0, 16, 33},
                      {{4, 8}, {11, 29}, {29, 1}, 1, 4, 9},
                      {{4, 16}, {11, 29}, {1, 11}, 1, 16, 20},
                      {{4, 16}, {11, 29}, {1, 11}, 0, 8, 8},
                      {{8, 8}, {19, 13}, {0, 1}, 0, 8, 12},
                      {{8, 8}, {19, 13}, {1, 0}, 0, 8, 12},
                      {{8, 8}, {19, 13}, {40, 3}, 1, 16, 16},
                      {{2, 4, 8}, {5, 7, 9}, {63, 9, 1}, 0, 4, 6},
                      {{2, 4, 8}, {5, 7, 9}, {63, 9, 1}, 1, 2, 5},
                      {{2, 4, 8}, {5, 7, 9}, {63, 9, 1}, 2, 32, 40},
                      {{1, 16}, {9, 21}, {21, 1}, 0, 8, 16},
                      {{4, 4}, {0, 5}, {5, 1}, 0, 4, 7},
                      {{4, 4}, {5, 0}, {1, 1}, 0, 4, 7},
                      {{4, 4}, {5, 6}, {6, 1}, 0, 4, 0}};

/// Some inside, some outside by one, some as far outside as the type goes.
Tensor some_positions(DType dtype, std::int64_t count, std::int64_t extent, Random& random) {
  Tensor result(dtype, {count});
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t edges[] = {-1, extent, static_cast<std::int64_t>(lowest(dtype)), static_cast<std::int64_t>(highest(dtype))};
    const std::int64_t position = random.chance(30) || extent == 0 ? random.pick(edges) : random.below(extent);
    result.set({i}, encode_integer(dtype, position));
  }
  return result;
}

/// The element of a tensor that element `at` of an access by positions stands for.
Shape moved(Shape at, std::size_t axis, const Tensor& positions) {
  const Whole position = decode_integer(positions.dtype, positions.get({at[axis]}));
  at[axis] = position < 0 || position > highest(DType::i32) ? -1 : static_cast<std::int64_t>(position);
  return at;
}

Tensor numbered(DType dtype, const Shape& extents, const Shape& strides) {
  Tensor result(dtype, extents, strides);
  std::int64_t next = 0;
  for_each_index(extents, [&](const Shape& at) { result.set(at, encode_number(dtype, static_cast<Real>(next++ % 100 + 1))); });
  return result;
}

Value gather(KernelText& kernel, const ViewParameter& view, const Values& index, const Value& positions, std::size_t axis) {
  Shape shape = view.tile;
  shape[axis] = positions.shape[0];
  return kernel.emit("tile.gather " + view.name + "[" + names(index) + "] by " + positions.name + " axis " + std::to_string(axis) +
                         " : " + view.type() + ", " + positions.type() + " -> " + spell(view.dtype, shape),
                     view.dtype, shape);
}

void scatter(KernelText& kernel, const Value& tile, const ViewParameter& view, const Values& index, const Value& positions,
             std::size_t axis, const std::string& attributes = "") {
  kernel.line("tile.scatter " + tile.name + ", " + view.name + "[" + names(index) + "] by " + positions.name + " axis " +
              std::to_string(axis) + attributes + " : " + tile.type() + ", " + view.type() + ", " + positions.type());
}

Values without(Values values, std::size_t axis) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(axis));
  return values;
}

std::string gathering(const Case& test, DType dtype, DType index) {
  KernelText kernel;
  ViewParameter out = kernel.out(dtype, test.sliced(test.tile, test.n)), in = kernel.in(dtype, test.tile),
                where = kernel.in(index, {test.n});
  Values piece = kernel.program_index(out);
  Value positions = kernel.load(where, {piece[test.axis]});
  kernel.store(gather(kernel, in, without(piece, test.axis), positions, test.axis), out, piece);
  return kernel.str();
}

/// Into an output that ends with the tensor, or one of whole tiles that goes on after it.
void check_gather(Executable& kernel, const Case& test, DType dtype, DType index, bool goes_on = false) {
  Random random("gather");
  Shape extents = test.sliced(test.extents, test.count);
  for (std::size_t axis = 0; goes_on && axis < extents.size(); ++axis)
    if (axis != test.axis)
      extents[axis] = (extents[axis] / test.tile[axis] + 2) * test.tile[axis];
  Tensor in = numbered(dtype, test.extents, test.strides),
         positions = some_positions(index, test.count, test.extents[test.axis], random), out(dtype, extents);
  Outcome outcome = kernel.run({&out, &in, &positions}, tile_count(out, test.sliced(test.tile, test.n)));
  ASSERT_FALSE(outcome.failure) << *outcome.failure;
  ASSERT_TRUE(out.bytes.is_intact());
  for_each_index(out.extents, [&](const Shape& at) {
    const Shape from = moved(at, test.axis, positions);
    ASSERT_EQ(out.get(at), in.contains(from) ? in.get(from) : 0) << "position " << from[test.axis];
  });
}

} // namespace

TEST_P(Indexed, gather_along_every_axis) {
  for (const Case& test : cases) {
    SCOPED_TRACE(spell(DType::f32, test.tile) + " axis " + std::to_string(test.axis));
    const auto kernel = prepare(GetParam(), gathering(test, DType::f32, DType::i32));
    check_gather(*kernel, test, DType::f32, DType::i32);
    check_gather(*kernel, test, DType::f32, DType::i32, /*goes_on=*/true);
  }
}

TEST_P(Indexed, gather_of_every_type) {
  for (DType dtype : all_dtypes)
    for (std::size_t number : {0, 3, 4}) {
      SCOPED_TRACE(tegula::name(dtype));
      check_gather(*prepare(GetParam(), gathering(cases[number], dtype, DType::i64)), cases[number], dtype, DType::i64);
    }
}

TEST_P(Indexed, gather_by_every_type) {
  for (DType index : {DType::i64, DType::i32, DType::i16, DType::i8, DType::u64, DType::u32, DType::u16, DType::u8})
    for (std::size_t number : {0, 3, 4}) {
      SCOPED_TRACE(tegula::name(index));
      check_gather(*prepare(GetParam(), gathering(cases[number], DType::f32, index)), cases[number], DType::f32, index);
    }
}

TEST_P(Indexed, gather_pairs_along_every_two_axes) {
  struct PairCase {
    Shape tile, extents, strides;
    std::size_t first, second;
    Shape n; // pairs a program takes
  };
  const PairCase pair_cases[] = {{{4, 8}, {11, 29}, {29, 1}, 0, 1, {8, 4}},
                                 {{4, 8}, {11, 29}, {1, 11}, 0, 1, {16, 1}},
                                 {{1, 1}, {7, 5}, {40, 3}, 0, 1, {1, 32}},
                                 {{8, 8}, {6, 9}, {0, 1}, 0, 1, {2, 64}},
                                 {{2, 4, 8}, {5, 7, 9}, {63, 9, 1}, 0, 1, {4, 8}},
                                 {{2, 4, 8}, {5, 7, 9}, {63, 9, 1}, 0, 2, {8, 4}},
                                 {{2, 4, 8}, {5, 7, 19}, {1, 95, 5}, 1, 2, {4, 8}},
                                 {{1, 1, 16}, {5, 7, 19}, {133, 19, 1}, 0, 1, {16, 1}},
                                 {{4, 4}, {0, 5}, {5, 1}, 0, 1, {4, 4}}};
  for (const PairCase& test : pair_cases)
    for (auto [dtype, index, other] : {std::tuple{DType::f32, DType::i32, DType::i64}, {DType::i8, DType::u8, DType::i16}}) {
      SCOPED_TRACE(spell(dtype, test.tile) + " axes " + std::to_string(test.first) + " and " + std::to_string(test.second));
      Shape shape = test.tile, extents = test.extents;
      shape[test.first] = test.n[0];
      shape[test.second] = test.n[1];
      extents[test.first] = test.n[0] * 2 - 1;
      extents[test.second] = test.n[1] + 1;
      KernelText kernel;
      ViewParameter out = kernel.out(dtype, shape), in = kernel.in(dtype, test.tile), p = kernel.in(index, test.n),
                    q = kernel.in(other, test.n);
      Values piece = kernel.program_index(out);
      const Values pair{piece[test.first], piece[test.second]};
      Value rows = kernel.load(p, pair), columns = kernel.load(q, pair);
      kernel.store(kernel.emit("tile.gather_pairs " + in.name + "[" + names(without(without(piece, test.second), test.first)) +
                                   "] by " + rows.name + ", " + columns.name + " axes [" + std::to_string(test.first) + ", " +
                                   std::to_string(test.second) + "] : " + in.type() + ", " + rows.type() + ", " + columns.type() +
                                   " -> " + spell(dtype, shape),
                               dtype, shape),
                   out, piece);
      Random random("pairs");
      const Shape pairs{extents[test.first], extents[test.second]};
      Tensor source = numbered(dtype, test.extents, test.strides), result(dtype, extents), held_rows(index, pairs),
             held_columns(other, pairs);
      for_each_index(pairs, [&](const Shape& at) { // most inside, some -1 or beyond the end
        held_rows.set(at, encode_integer(index, static_cast<std::int64_t>(random.below(test.extents[test.first] + 3)) - 1));
        held_columns.set(at, encode_integer(other, static_cast<std::int64_t>(random.below(test.extents[test.second] + 3)) - 1));
      });
      run(kernel.str(), {&result, &source, &held_rows, &held_columns}, tile_count(result, shape));
      for_each_index(extents, [&](const Shape& at) {
        const Shape slice{at[test.first], at[test.second]};
        const Whole row = decode_integer(index, held_rows.get(slice)), column = decode_integer(other, held_columns.get(slice));
        Shape from = at;
        from[test.first] = static_cast<std::int64_t>(row);
        from[test.second] = static_cast<std::int64_t>(column);
        ASSERT_EQ(result.get(at), source.contains(from) ? source.get(from) : 0)
            << "positions " << from[test.first] << " and " << from[test.second];
      });
    }
}

TEST_P(Indexed, gather_by_computed_positions_inside_an_expression) {
  KernelText kernel;
  ViewParameter out = kernel.out(DType::f32, {8, 16}), table = kernel.in(DType::f32, {4, 8});
  Values piece = kernel.program_index(out);
  Value numbers = kernel.emit("tile.iota axis 0 : " + spell(DType::i64, {16}), DType::i64, {16});
  Value start = kernel.broadcast(kernel.same("mul", {piece[1], kernel.integer(16)}), {16});
  Value positions = kernel.same("mul", {kernel.same("add", {numbers, start}), kernel.integer(3, DType::i64, {16})});
  Value rows = gather(kernel, table, {piece[0]}, positions, 0);
  Value twice = kernel.same("add", {rows, rows});
  kernel.store(kernel.emit("tile.permute " + twice.name + " [1, 0] : " + twice.type() + " -> " + spell(DType::f32, {8, 16}),
                           DType::f32, {8, 16}),
               out, piece);
  Tensor source = numbered(DType::f32, {40, 13}, {13, 1}), result(DType::f32, {13, 20});
  run(kernel.str(), {&result, &source}, tile_count(result, {8, 16}));
  for_each_index(result.extents, [&](const Shape& at) {
    const Shape from{at[1] * 3, at[0]};
    const Real expected = source.contains(from) ? 2 * decode(DType::f32, source.get(from)) : 0;
    ASSERT_EQ(decode(DType::f32, result.get(at)), expected) << at[0] << ", " << at[1];
  });
}

TEST_P(Indexed, positions_that_a_loop_carries) {
  // Follows links: at = next[at], n times; the position before the last one is read once more after it was replaced.
  const std::string text = R"(
    func.func @kernel(%out: !tile.view<out, 8xi32>, %next: !tile.view<in, 8xi32>, %n: i64) {
      %p = tile.program_index %out axis 0 : <out, 8xi32>
      %zero = tile.constant 0 : i64
      %one = tile.constant 1 : i64
      %eight = tile.constant 8 : i64
      %b = tile.mul %p, %eight : i64
      %b32 = tile.cast %b : i64 -> i32
      %start = tile.broadcast %b32 : i32 -> tensor<8xi32>
      %i = tile.iota axis 0 : tensor<8xi32>
      %first = tile.add %i, %start : tensor<8xi32>
      %none = tile.constant dense<0> : tensor<8xi32>
      %at, %sum = scf.for %k = %zero to %n step %one iter_args(%a = %first, %s = %none) -> (tensor<8xi32>, tensor<8xi32>) : i64 {
        %g = tile.gather %next[] by %a axis 0 : <in, 8xi32>, tensor<8xi32> -> tensor<8xi32>
        %t = tile.add %s, %a : tensor<8xi32>
        scf.yield %g, %t : tensor<8xi32>, tensor<8xi32>
      }
      %r = tile.add %at, %sum : tensor<8xi32>
      tile.store %r, %out[%p] : tensor<8xi32>, <out, 8xi32>
      func.return
    })";
  Tensor next(DType::i32, {21}), result(DType::i32, {21});
  for (std::int64_t i = 0; i < 21; ++i)
    next.set({i}, static_cast<std::uint64_t>(i * 5 % 21));
  for (std::int64_t n : {0, 1, 2, 7}) {
    run(text, {&result, &next, Scalar{static_cast<std::uint64_t>(n)}}, 3);
    for (std::int64_t i = 0; i < 21; ++i) {
      std::int64_t at = i, sum = 0;
      for (std::int64_t k = 0; k < n; ++k) {
        sum += at;
        at = at * 5 % 21;
      }
      EXPECT_EQ(static_cast<std::int64_t>(result.get({i})), at + sum) << i << " after " << n;
    }
  }
}

TEST_P(Indexed, bound_of_certified_positions) {
  for (const char* kind : {"index", "distinct", "index_or_none", "distinct_or_none"}) {
    KernelText kernel;
    ViewParameter out = kernel.out(DType::i64, {4}), where = kernel.view(kind, DType::i32, {4}), in = kernel.in(DType::i64, {4});
    Values piece = kernel.program_index(out);
    Value positions = kernel.load(where, piece);
    Value bound = kernel.emit("tile.bound " + where.name + " : " + where.type(), DType::i64);
    kernel.store(kernel.same("mul", {gather(kernel, in, {}, positions, 0), kernel.broadcast(bound, {4})}), out, piece);
    Tensor result(DType::i64, {6}), positions_held(DType::i32, {6}, Bits{5, 4, 3, 2, 1, 0}),
        source = integers({6}, {1, 2, 3, 4, 5, 6});
    positions_held.bound = 1000000007;
    run(kernel.str(), {&result, &positions_held, &source}, 2);
    for (std::int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(to_integers(result)[static_cast<std::size_t>(i)], (6 - i) * 1000000007) << kind;
  }
}

TEST_P(Indexed, segments_of_positions) {
  const std::vector<std::vector<std::int64_t>> some{
      {0}, {0, 0}, {0, 5}, {0, 0, 0, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 3, 3, 9, 60, 60, 61}};
  for (const std::vector<std::int64_t>& offsets : some)
    for (DType dtype : {DType::i64, DType::i32, DType::i8, DType::u8}) {
      KernelText kernel;
      ViewParameter out = kernel.out(DType::i64, {1}), of = kernel.view("offsets", dtype, {1});
      Values piece = kernel.program_index(out);
      Value at = kernel.same("sub", {piece[0], kernel.integer(3)});
      Value segment = kernel.emit("tile.segment " + at.name + " in " + of.name + " : " + of.type(), DType::i64);
      kernel.store(kernel.broadcast(segment, {1}), out, piece);
      const std::int64_t count = offsets.back() + 7;
      const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
      Tensor result(DType::i64, {count}), held(dtype, {segments + 1}, Shape{2}); // with a gap between two offsets
      held.bound = offsets.back();
      for (std::int64_t i = 0; i <= segments; ++i)
        held.set({i}, encode_integer(dtype, offsets[static_cast<std::size_t>(i)]));
      run(kernel.str(), {&result, &held}, count);
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t expected = 0; // the last one that begins at or before the position, empty ones behind it left out
        for (std::int64_t s = 1; s < segments; ++s)
          expected = offsets[static_cast<std::size_t>(s)] <= i - 3 ? s : expected;
        EXPECT_EQ(to_integers(result)[static_cast<std::size_t>(i)], expected) << spell(dtype) << ": " << i - 3;
      }
    }
}

TEST_P(Indexed, scatter_along_every_axis) {
  for (const Case& test : cases)
    for (DType dtype : {DType::f32, DType::i8, DType::boolean}) {
      if (std::find(test.strides.begin(), test.strides.end(), 0) != test.strides.end())
        continue; // elements of an output have an address each
      SCOPED_TRACE(spell(dtype, test.tile) + " axis " + std::to_string(test.axis));
      const Shape tile = test.sliced(test.tile, test.n), extents = test.sliced(test.extents, test.count);
      KernelText kernel;
      ViewParameter to = kernel.view("patch", dtype, test.tile), from = kernel.in(dtype, tile),
                    where = kernel.in(DType::i64, {test.n});
      Value program = kernel.emit("tile.program_id : i64", DType::i64);
      Values piece;
      for (std::size_t axis = 0; axis < tile.size(); ++axis)
        piece.push_back({kernel.fresh(), DType::i64, {}});
      kernel.line(names(piece) + " = tile.unflatten " + program.name + " in " + from.name + " : " + from.type() + " -> i64" +
                  std::string(tile.size() > 1 ? ", i64" : "") + std::string(tile.size() > 2 ? ", i64" : ""));
      Value outside = kernel.integer(-1);
      Value positions = kernel.load(where, {piece[test.axis]}, outside);
      scatter(kernel, kernel.load(from, piece), to, without(piece, test.axis), positions, test.axis);

      Random random("scatter");
      Tensor source = numbered(dtype, extents, row_major_strides(extents)),
             positions_held = some_positions(DType::i64, test.count, test.extents[test.axis], random),
             result(dtype, test.extents, test.strides), expected = result;
      run(kernel.str(), {&result, &source, &positions_held}, tile_count(source, tile));
      for_each_index(extents, [&](const Shape& at) { // of equal positions the last one is left
        if (Shape target = moved(at, test.axis, positions_held); expected.contains(target))
          expected.set(target, source.get(at));
      });
      EXPECT_TRUE(std::equal(result.bytes.data(), result.bytes.data() + result.bytes.size(), expected.bytes.data()));
    }
}

TEST_P(Indexed, checked_scatters_of_two_programs_collide) {
  KernelText kernel;
  ViewParameter to = kernel.view("patch", DType::f32, {1, 4}), where = kernel.in(DType::i32, {4});
  Value program = kernel.emit("tile.program_id : i64", DType::i64);
  scatter(kernel, kernel.constant("1.0", DType::f32, {4, 4}), to, {kernel.integer(1)}, kernel.load(where, {program}), 0,
          " {check}");
  auto launch = [&](const std::vector<std::int64_t>& rows) {
    Tensor positions(DType::i32, {static_cast<std::int64_t>(rows.size())}), target(DType::f32, {9, 7});
    for (std::size_t i = 0; i < rows.size(); ++i)
      positions.set({static_cast<std::int64_t>(i)}, encode_integer(DType::i32, rows[i]));
    return prepare(GetParam(), kernel.str())->run({&target, &positions}, 2).failure;
  };
  EXPECT_FALSE(launch({0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(launch({0, 1, 0, 1, 4, 5, 5, 5})) << "a program may repeat itself";
  EXPECT_FALSE(launch({-1, 9, 2, 3, -1, 9, 1000000, 8})) << "outside nothing is written";
  const auto failure = launch({0, 1, 2, 3, 4, 5, 2, 7});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("programs 0 and 1 both write element (2, 4) of parameter 1"), std::string::npos) << *failure;
}

} // namespace tegula::test

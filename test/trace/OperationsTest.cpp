// What each operation of the language records.
#include "Tracing.h"

#include <algorithm>
#include <cmath>

namespace tegula::trace {
namespace {

/// The first operation with a name, printed with the types of its operands' definitions left to the whole text.
const Operation& only(const Record& record, const char* name) {
  const std::vector<const Operation*> found = find(record, name);
  EXPECT_EQ(found.size(), 1u) << name << " in\n" << record.str();
  return *found.at(0);
}
std::int64_t integer(const Operation& op, const std::string& name) {
  for (const Attribute& a : op.attributes)
    if (a.name == name)
      return std::get<std::int64_t>(a.value);
  ADD_FAILURE() << op.name << " has no " << name;
  return -1;
}
bool has(const Operation& op, const std::string& name) {
  for (const Attribute& a : op.attributes)
    if (a.name == name)
      return std::get<bool>(a.value);
  return false;
}
const Type& result(const Record& record, const Operation& op, std::size_t i = 0) { return record.types[op.results.at(i)]; }

TEST(Operations, Broadcasting) {
  EXPECT_EQ(body(traced([](Out<f32, 4, 8> c, In<f32, 4, 1> a, In<f32, 8> b) {
              Int zero = 0;
              auto x = a(zero, zero);
              auto y = b(zero);
              c.store(x - y);
            })),
            R"(  %4 = tile.constant {value = 0} : i64
  %5 = tile.load %2, %4, %4 : 4x1xf32
  %6 = tile.load %3, %4 : 8xf32
  %7 = tile.broadcast %5 : 4x8xf32
  %8 = tile.broadcast %6 : 4x8xf32
  %9 = tile.sub %7, %8 : 4x8xf32
  %10 = tile.program_index %1 {axis = 0} : i64
  %11 = tile.program_index %1 {axis = 1} : i64
  tile.store %9, %1, %10, %11
)");
}

TEST(Operations, EveryBinaryOperator) {
  const Record record = traced([](Out<i32, 8> c, In<i32, 8> a) {
    auto x = a[c];
    auto y = x + 1;
    y = y - x;
    y = 3 * y;
    y = y / x;
    y = 7 % y;
    y = (y & x) | (x ^ 5);
    y = (y << 2) >> x;
    y = ~y + -y;
    y += x;
    y -= 1;
    y *= x;
    y /= x;
    y %= x;
    y &= x;
    y |= x;
    y ^= x;
    y <<= 1;
    y >>= 1;
    c.store(y);
  });
  for (const char* name :
       {"tile.sub", "tile.mul", "tile.div", "tile.rem", "tile.and", "tile.or", "tile.xor", "tile.shl", "tile.shr"})
    EXPECT_EQ(find(record, name).size(), 2u) << name;
  EXPECT_EQ(find(record, "tile.add").size(), 3u);
  only(record, "tile.not");
  only(record, "tile.neg");
}

TEST(Operations, ComparisonsBetweenTilesAndNumbersInBothOrders) {
  const Record record = traced([](Out<bool, 8> c, In<f32, 8> a, Scalar<f32> s) {
    auto x = a[c];
    auto y = x == s;
    y = y && s == x;
    y = y && x == 1;
    y = y && 1 == x;
    y = y && x != x;
    y = y && 2 != x;
    y = y || s != x;
    y = y ^ (x < 3);
    y = y & (3 <= x);
    y = y | (x > s);
    y = (!y) == (s >= x);
    c.store(y);
  });
  std::vector<std::int64_t> predicates;
  for (const Operation* op : find(record, "tile.cmp")) {
    predicates.push_back(integer(*op, "predicate"));
    EXPECT_EQ(record.types[op->operands[0]], record.types[op->operands[1]]);
    EXPECT_EQ(result(record, *op).dtype, DType::boolean);
  }
  EXPECT_EQ(predicates, (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 0}));
}

TEST(Operations, Functions) {
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto x = a[c];
#define TEGULA_FUNCTION(NAME) x = NAME(x);
#include "tegula/functions.def"
    x = floor(x), x = ceil(x), x = round(x), x = trunc(x);
    x = abs(x), x = pow(x, 2), x = pow(2, x), x = atan2(x, x), x = maximum(x, 1), x = minimum(2, x);
    c.store(x);
  });
  for (const char* name : {"floor", "ceil", "round", "trunc", "abs", "atan2", "max", "min"})
    only(record, (std::string("tile.") + name).c_str());
  EXPECT_EQ(find(record, "tile.pow").size(), 2u);
  std::vector<std::int64_t> functions, all;
  for (const Operation* op : find(record, "tile.function"))
    functions.push_back(integer(*op, "function"));
#define TEGULA_FUNCTION(NAME) all.push_back(static_cast<std::int64_t>(detail::Function::NAME));
#include "tegula/functions.def"
  EXPECT_EQ(functions, all);
}

TEST(Operations, FmaClampSelectTakeHostNumbers) {
  const Record record = traced([](Out<f32, 4, 8> c, In<f32, 4, 8> a, Scalar<f32> s) {
    auto x = a[c];
    auto y = fma(x, s, 1.5);
    y = clamp(y, 0, s);
    y = select(x > 0, y, 0);
    y = select(s > 0, 1, y);
    c.store(y);
  });
  for (const char* name : {"tile.fma", "tile.select", "tile.max", "tile.min"})
    for (const Operation* op : find(record, name)) {
      EXPECT_EQ(result(record, *op), (Type{DType::f32, {4, 8}}));
      for (Id id : op->operands)
        EXPECT_EQ(record.types[id].shape, (std::vector<std::int64_t>{4, 8}));
    }
}

TEST(Operations, Casts) {
  const Record record = traced([](Out<i8, 8> c, In<f32, 8> a) {
    auto i = cast<i32>(a[c]);
    auto h = cast<f16>(a[c], Rounding::up);
    auto e = cast<f8e4m3>(h, Rounding::toward_zero, saturate);
    auto w = cast<i64>(i);
    auto n = cast<i8>(w, saturate);
    auto same = cast<i8>(n);
    c.store(same + cast<i8>(bitcast<i32>(cast<f32>(e))));
  });
  const std::vector<const Operation*> casts = find(record, "tile.cast");
  ASSERT_EQ(casts.size(), 7u); // none for the cast to the same type
  EXPECT_EQ(integer(*casts[0], "rounding"), 1);
  EXPECT_EQ(integer(*casts[1], "rounding"), 3);
  EXPECT_EQ(integer(*casts[2], "rounding"), 1);
  EXPECT_TRUE(has(*casts[2], "saturate"));
  EXPECT_EQ(integer(*casts[3], "rounding"), 0);
  EXPECT_FALSE(has(*casts[3], "saturate"));
  EXPECT_TRUE(has(*casts[4], "saturate"));
  EXPECT_EQ(result(record, only(record, "tile.bitcast")), (Type{DType::i32, {8}}));
}

TEST(Operations, Shapes) {
  const Record record = traced([](Out<f32, 8, 8> c, In<f32, 4, 8, 2> a, Scalar<i32> i) {
    auto x = a(0, 0, i);
    auto p = permute<2, 0, 1>(x);
    auto t = transpose(p);
    auto r = reshape<8, 8>(t);
    auto e = extract<4, 8>(r, i, 0);
    auto n = insert(r, e, 1, 0);
    auto b = broadcast<8, 8>(sum<0>(n));
    c.store(concatenate<0>(e, e) + b);
  });
  const std::vector<const Operation*> permutes = find(record, "tile.permute");
  ASSERT_EQ(permutes.size(), 2u);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(permutes[0]->attributes[0].value), (std::vector<std::int64_t>{2, 0, 1}));
  EXPECT_EQ(result(record, *permutes[0]).shape, (std::vector<std::int64_t>{2, 4, 8}));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(permutes[1]->attributes[0].value), (std::vector<std::int64_t>{0, 2, 1}));
  EXPECT_EQ(result(record, *permutes[1]).shape, (std::vector<std::int64_t>{2, 8, 4}));
  EXPECT_EQ(only(record, "tile.extract").operands.size(), 3u);
  EXPECT_EQ(only(record, "tile.insert").operands.size(), 4u);
  EXPECT_EQ(only(record, "tile.insert").operands[0], only(record, "tile.extract").results[0]);
  EXPECT_EQ(integer(only(record, "tile.concat"), "axis"), 0);
}

TEST(Operations, Reductions) {
  const Record record = traced([](Out<f32, 8, 1> c, In<f32, 8, 16> a) {
    auto x = a(c.row(), 0);
    auto y = sum<1>(x) + prod<1>(x) + min<1>(x) + max<1>(x);
    auto z = any<1>(x > 0) && all<1>(x < 1);
    c.store(select(z, y, cast<f32>(argmax<1>(x) - argmin<1>(x))));
  });
  const std::vector<const Operation*> reductions = find(record, "tile.reduce");
  std::vector<std::int64_t> combiners;
  for (const Operation* op : reductions)
    combiners.push_back(integer(*op, "combiner"));
  std::sort(combiners.begin(), combiners.end());
  EXPECT_EQ(combiners, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(result(record, *reductions[0]).shape, (std::vector<std::int64_t>{8, 1}));
  EXPECT_EQ(find(record, "tile.arg_reduce").size(), 2u);
}

TEST(Operations, ScansByCombinerAndCallable) {
  const Record record = traced([](Out<f32, 8, 16> c, In<f32, 8, 16> a) {
    auto x = a[c];
    auto y = cumsum<1>(x);
    y = cumprod<0>(y, reverse);
    y = scan<1>(y, [](auto p, auto q) { return maximum(p, q); });
    auto [f, g] =
        scan<0>(std::tuple{x, y}, [](auto f0, auto g0, auto f1, auto g1) { return std::tuple{f0 * f1, f1 * g0 + g1}; }, reverse);
    c.store(f + g);
  });
  const std::vector<const Operation*> scans = find(record, "tile.scan");
  ASSERT_EQ(scans.size(), 2u);
  EXPECT_FALSE(has(*scans[0], "reverse"));
  EXPECT_TRUE(has(*scans[1], "reverse"));
  const std::vector<const Operation*> by = find(record, "tile.scan_by");
  ASSERT_EQ(by.size(), 2u);
  EXPECT_EQ(by[0]->regions[0].arguments.size(), 2u);
  EXPECT_EQ(by[1]->regions[0].arguments.size(), 4u);
  EXPECT_TRUE(has(*by[1], "reverse"));
  EXPECT_EQ(result(record, *by[1]).shape, (std::vector<std::int64_t>{8, 16}));
}

TEST(Operations, SortAndTopK) {
  const Record record = traced([](Out<f32, 8, 4> c, In<f32, 8, 16> a) {
    auto x = sort<1>(a(c.row(), 0));
    auto at = argsort<1>(x, descending);
    auto [values, indices] = topk<1, 4>(x + cast<f32>(at));
    c.store(values + cast<f32>(indices));
  });
  const std::vector<const Operation*> sorts = find(record, "tile.sort");
  ASSERT_EQ(sorts.size(), 3u);
  EXPECT_FALSE(has(*sorts[0], "descending"));
  EXPECT_TRUE(has(*sorts[1], "descending"));
  EXPECT_TRUE(has(*sorts[2], "descending"));
  EXPECT_EQ(result(record, *sorts[2], 0), (Type{DType::f32, {8, 4}}));
  EXPECT_EQ(result(record, *sorts[2], 1), (Type{DType::i32, {8, 4}}));
}

TEST(Operations, Mma) {
  const Record record =
      traced([](Out<f32, 2, 16, 8> c, In<f8e4m3, 2, 16, 32> a, In<f8e5m2, 2, 32, 8> b, In<f32, 16, 16> x, In<i8, 16, 16> n) {
        auto product = mma(a(0, 0, 0), b(0, 0, 0), zeros<f32, 2, 16, 8>());
        auto rounded = mma(x(0, 0), x(0, 0), zeros<f32, 16, 16>(), tf32);
        auto integers = mma(n(0, 0), n(0, 0), zeros<i32, 16, 16>());
        c.store(product + sum<1>(rounded + cast<f32>(integers)));
      });
  const std::vector<const Operation*> products = find(record, "tile.mma");
  ASSERT_EQ(products.size(), 3u);
  EXPECT_FALSE(has(*products[0], "tf32"));
  EXPECT_TRUE(has(*products[1], "tf32"));
  EXPECT_EQ(result(record, *products[2]), (Type{DType::i32, {16, 16}}));
}

TEST(Operations, Random) {
  const Record record = traced([](Out<f32, 4, 8> c, Scalar<u64> seed, Scalar<i32> offset) {
    c.store(random_uniform<4, 8>(seed, offset) + random_normal<4, 8>(17, offset));
  });
  const std::vector<const Operation*> draws = find(record, "tile.philox");
  ASSERT_EQ(draws.size(), 2u);
  for (const Operation* op : draws) {
    EXPECT_EQ(record.types[op->operands[0]], (Type{DType::u64, {}}));
    EXPECT_EQ(record.types[op->operands[1]], (Type{DType::u64, {4, 8}}));
    EXPECT_EQ(result(record, *op, 3), (Type{DType::u32, {4, 8}}));
  }
}

TEST(Operations, Fp8HasEverythingButArithmetic) {
  const Record record = traced([](Out<f8e4m3, 8> c, In<f8e4m3, 8> a) {
    auto x = a.load_or(c, 1);
    auto y = reshape<8>(transpose(reshape<2, 4>(x)));
    c.store(select(x < y && x != 0, x, bitcast<f8e4m3>(bitcast<u8>(y))));
  });
  EXPECT_EQ(find(record, "tile.cmp").size(), 2u);
}

TEST(Operations, NotANumber) {
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto x = a[c];
    for (auto i : a.rows())
      x = maximum(x, NAN) + a(i);
    c.store(x);
  });
  EXPECT_TRUE(std::isnan(std::get<double>(find(record, "tile.constant").back()->attributes[0].value)));
}

TEST(Operations, LargeConstants) {
  const Record record = traced([](Out<u64, 8> c, In<u64, 8> a) { c.store(a[c] ^ 0xffff'ffff'ffff'ffffull); });
  EXPECT_EQ(std::get<std::int64_t>(only(record, "tile.constant").attributes[0].value), -1);
}

TEST(Operations, Messages) {
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i32> n) {
    print("start");
    print("a is", a[c], n);
    require(n > 0, "n is positive", n);
    require(a[c] == a[c], "no NaN");
    c.store(a[c]);
  });
  const std::vector<const Operation*> prints = find(record, "tile.print"), checks = find(record, "tile.assert");
  ASSERT_EQ(prints.size(), 2u);
  EXPECT_TRUE(prints[0]->operands.empty());
  EXPECT_EQ(prints[1]->operands.size(), 2u);
  EXPECT_EQ(std::get<std::string>(prints[1]->attributes[0].value), "a is");
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0]->operands.size(), 2u);
  EXPECT_EQ(result(record, *find(record, "tile.cmp")[1]).shape, (std::vector<std::int64_t>{8}));
}

TEST(Operations, NarrowHostNumbers) {
  const Record record = traced([](Out<bf16, 8> c, In<bf16, 8> a) { c.store(a[c] * 3 + 0.5f); });
  const std::vector<const Operation*> constants = find(record, "tile.constant");
  EXPECT_EQ(std::get<double>(constants[0]->attributes[0].value), 3.0);
  EXPECT_EQ(std::get<double>(constants[1]->attributes[0].value), 0.5);
}

} // namespace
} // namespace tegula::trace

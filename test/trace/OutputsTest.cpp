// Parameters, slots and nested partitions.
#include "Tracing.h"

namespace tegula::trace {
namespace {

TEST(Outputs, SplitIntoPieces) {
  EXPECT_EQ(body(traced([](Out<f32, 64, 128> c, In<f32, 64, 128> a) {
              for (auto t : split<16, 64>(c))
                t.store(load<16, 64>(a, t.row(), t.col()));
            })),
            R"(  %3 = tile.constant {value = 0} : i64
  %4 = tile.constant {value = 8} : i64
  %5 = tile.constant {value = 1} : i64
  scf.for %3, %4, %5 { |%6: i64|
    %7 = tile.program_index %1 {axis = 0} : i64
    %8 = tile.program_index %1 {axis = 1} : i64
    %9 = tile.constant {value = 0} : i64
    %10 = tile.constant {value = 2} : i64
    %11 = tile.rem %6, %10 : i64
    %12 = tile.mul %8, %10 : i64
    %13 = tile.add %12, %11 : i64
    %14 = tile.div %6, %10 : i64
    %15 = tile.constant {value = 4} : i64
    %16 = tile.rem %14, %15 : i64
    %17 = tile.mul %7, %15 : i64
    %18 = tile.add %17, %16 : i64
    %19 = tile.div %14, %15 : i64
    %20 = tile.load %2, %18, %13 : 16x64xf32
    tile.store %20, %1, %18, %13 {or_padding}
    scf.yield
  }
)");
}

TEST(Outputs, PiecesKnowWhereTheyAreWithinTheTile) {
  const Record record = traced([](Out<f32, 64, 128> c, In<f32, 64, 128> a) {
    auto x = a[c];
    for (auto t : split<16, 128>(c))
      t.store(extract<16, 128>(x, t.within(0), t.within(1)));
  });
  const Operation& extract = *find(record, "tile.extract")[0];
  EXPECT_EQ(extract.operands[1], find(record, "tile.rem")[0]->results[0]);
}

TEST(Outputs, SplitOfASplitOfMyTiles) {
  const Record record = traced([](OutTiles<f32, 64> c, In<f32, 8> a) {
    for (auto t : c.my_tiles())
      for (auto u : split<32>(t))
        for (auto v : split<8>(u))
          v.store(a[v]);
  });
  EXPECT_EQ(find(record, "scf.for").size(), 3u);
  const Operation& store = *find(record, "tile.store")[0];
  EXPECT_EQ(record.types[store.operands[0]], (Type{DType::f32, {8}}));
}

TEST(Outputs, RankZero) {
  EXPECT_EQ(body(traced([](Out<f32> c, In<f32> a) { c.store(a() + a.load_or(1)); })).find("%?"), std::string::npos);
  EXPECT_EQ(body(traced([](Out<i32> c) { c.store(7); })), "  %2 = tile.constant {value = 7} : i32\n  tile.store %2, %1\n");
  const Record record = traced([](OutTiles<f32> c, In<f32> a) {
    for (auto t : c.my_tiles())
      t.store(a[t]);
  });
  EXPECT_TRUE(find(record, "tile.unflatten").empty());
}

std::vector<std::int64_t> axes(const Record& record, const char* name) {
  std::vector<std::int64_t> found;
  for (const Operation* op : find(record, name))
    found.push_back(std::get<std::int64_t>(op->attributes[0].value));
  return found;
}

TEST(Outputs, RowsAndColumnsAreTheLastTwoAxes) {
  const Record slots = traced([](Out<f32, 2, 16, 8> c, Out<i64, 8> d) {
    auto i = c.row();
    auto j = c.col();
    c.store(zeros<f32, 2, 16, 8>());
    d.store(full<i64, 8>(d.row() + i * j));
  });
  EXPECT_EQ(axes(slots, "tile.program_index"), (std::vector<std::int64_t>{1, 2, 0, 1, 2, 0, 0}));
  const Record inputs = traced([](Out<i64> c, In<f32, 2, 16, 8> a) {
    Int x = 0;
    for (auto i : a.rows())
      x += i;
    for (auto i : a.cols())
      x += i;
    for (auto i : a.tiles(0))
      x += i;
    c.store(x);
  });
  EXPECT_EQ(axes(inputs, "tile.num_tiles"), (std::vector<std::int64_t>{1, 2, 0}));
}

TEST(Outputs, PadsAndSubTiles) {
  const Record record = traced([](Out<f32, 16> c, In<f32, 64> a, Scalar<f32> pad, Scalar<u8> n) {
    auto x = a.load_or(n, pad);
    auto y = load_or<16>(a, c.row(), -1);
    c.store(y + load<16>(a, 0) + sum<0>(x) + cast<f32>(a.extent(0)) * cast<f32>(a.count(0)) + cast<f32>(c.extent(0)));
  });
  const std::vector<const Operation*> loads = find(record, "tile.load");
  ASSERT_EQ(loads.size(), 3u);
  int padded = 0;
  for (const Operation* op : loads)
    padded += op->operands.size() == 3;
  EXPECT_EQ(padded, 2);
  EXPECT_EQ(find(record, "tile.dim").size(), 2u);
  EXPECT_EQ(find(record, "tile.num_tiles").size(), 1u);
}

TEST(Outputs, Several) {
  const Record record = traced([](Out<f32, 8> c, OutTiles<i32, 16> d, In<f32, 8> a) {
    c.store(a[c]);
    for (auto t : d.my_tiles())
      t.store(iota<16>());
  });
  EXPECT_EQ(record.parameters[1].kind, ParameterKind::outs);
  EXPECT_EQ(find(record, "tile.store").size(), 2u);
}

} // namespace
} // namespace tegula::trace

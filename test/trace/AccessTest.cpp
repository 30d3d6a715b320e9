// Accesses at the author's indices: what they say about their bounds, gathers, and index tensors.
#include "Tracing.h"

namespace tegula::trace {
namespace {

/// The attributes of an operation, by their text.
std::string attributes(const Operation& op) {
  std::string text;
  for (const Attribute& a : op.attributes) {
    text += (text.empty() ? "" : ", ") + a.name;
    if (const auto* s = std::get_if<std::string>(&a.value))
      text += "=" + *s;
    else if (const auto* i = std::get_if<std::int64_t>(&a.value))
      text += "=" + std::to_string(*i);
  }
  return text;
}
std::vector<std::string> attributes(const Record& record, const char* name) {
  std::vector<std::string> all;
  for (const Operation* op : find(record, name))
    all.push_back(attributes(*op));
  return all;
}
using Texts = std::vector<std::string>;

TEST(Access, LoadsSayWhatTheyAssumeOfTheirBounds) {
  const Record record = traced([](Out<f32, 16, 64> c, In<f32, 16, 64> a) {
    auto x = a(0, 1);
    x += a(0, 1, or_padding);
    x += a(0, 1, unsafe("even"));
    x += a.load_or(0, 1, 7);
    x += a.load_or(0, 1, 7, or_padding);
    x += a.load_or(0, 1, 7, unsafe("odd"));
    x += a[c];
    x += a.load_or(c, 7);
    x += a.load_or(c, 7, or_padding);
    x += a.load_or(c, 7, unsafe("own"));
    c.store(x);
  });
  EXPECT_EQ(attributes(record, "tile.load"),
            (Texts{"", "or_padding", "unsafe=even", "has_pad", "has_pad, or_padding", "has_pad, unsafe=odd", "", "has_pad",
                   "has_pad, or_padding", "has_pad, unsafe=own"}));
  for (const Operation* op : find(record, "tile.load"))
    EXPECT_EQ(op->operands.size(), attributes(*op).starts_with("has_pad") ? 4u : 3u);
}

TEST(Access, SubTilesToo) {
  const Record record = traced([](Out<f32, 4, 8> c, In<f32, 16, 64> a) {
    auto x = load<4, 8>(a, 0, 1);
    x += load<4, 8>(a, 0, 1, or_padding);
    x += load<4, 8>(a, 0, 1, unsafe("even"));
    x += load_or<4, 8>(a, 0, 1, 7, or_padding);
    x += load_or<4, 8>(a, 0, 1, 7, unsafe("odd"));
    c.store(x);
  });
  EXPECT_EQ(attributes(record, "tile.load"),
            (Texts{"", "or_padding", "unsafe=even", "has_pad, or_padding", "has_pad, unsafe=odd"}));
  for (const Operation* op : find(record, "tile.load"))
    EXPECT_EQ(op->operands.size(), attributes(*op).starts_with("has_pad") ? 4u : 3u);
}

TEST(Access, ElementOffsets) {
  const Record record = traced([](Out<f32, 16, 64> c, In<f32, 16, 64> a) {
    auto x = a.at_element(-1, 5);
    x += a.at_element(0, c.col() * 64 - 1, or_padding);
    x += a.at_element(0, 1, unsafe("even"));
    x += a.at_element_or(0, 1, 7);
    x += a.at_element_or(0, 1, 7, or_padding);
    c.store(x);
  });
  EXPECT_EQ(attributes(record, "tile.load"), (Texts{"elements", "or_padding, elements", "unsafe=even, elements",
                                                    "has_pad, elements", "has_pad, or_padding, elements"}));
  for (const Operation* op : find(record, "tile.load"))
    EXPECT_EQ(op->operands.size(), attributes(*op).starts_with("has_pad") ? 4u : 3u);
  const Record index = traced([](Out<i32, 16> c, Index<i32, 16> a) { c.store(a.at_element(3)); });
  EXPECT_EQ(attributes(index, "tile.load"), Texts{"has_pad, elements"}) << "outside is no position";
}

TEST(Access, RankZero) {
  const Record record = traced([](Out<f32> c, In<f32> a) { c.store(a(or_padding) + a.load_or(1, unsafe("one"))); });
  EXPECT_EQ(find(record, "tile.load")[0]->operands.size() + find(record, "tile.load")[1]->operands.size(), 3u);
}

TEST(Access, APieceOfATileMayLieOutside) {
  const Record record = traced([](OutTiles<f32, 64> c, In<f32, 8> a, In<f32, 64> b) {
    for (auto t : c.my_tiles()) {
      auto whole = b[t];
      for (auto u : split<8>(t))
        u.store(a[u] + a.load_or(u, 1) + a.load_or(u, 2, unsafe("mine")) + extract<8>(whole, u.within(0)));
    }
  });
  Texts loads = attributes(record, "tile.load");
  std::sort(loads.begin(), loads.end()); // in the order of the compiler's choice
  EXPECT_EQ(loads, (Texts{"", "has_pad, or_padding", "has_pad, unsafe=mine", "or_padding"}));
  EXPECT_EQ(attributes(record, "tile.store"), (Texts{"or_padding"}));
}

TEST(Access, LocationsAreTheUsersLines) {
  const Record record = traced([](Patch<f32, 16, 64> p, In<f32, 16, 64> a, AddInto<f32, 16, 64> s, Index<i32, 16> n) {
    auto positions = n(0);
    auto x = gather<0>(a, positions, 1);
    scatter<0>(p, positions, x, 1);
    p.tile(0, 1).store(x);
    s.accumulate(x, 0, 1);
    accumulate_at<0>(s, positions, x, 1);
  });
  const auto line = [&](const char* name) { return find(record, name)[0]->location.line; };
  const std::uint32_t first = line("tile.load");
  EXPECT_EQ(first, static_cast<std::uint32_t>(__LINE__ - 9));
  EXPECT_EQ(line("tile.gather"), first + 1);
  EXPECT_EQ(line("tile.scatter"), first + 2);
  EXPECT_EQ(line("tile.claim"), first + 3);
  EXPECT_EQ(line("tile.store"), first + 3);
  EXPECT_EQ(line("tile.accumulate"), first + 4);
  EXPECT_EQ(line("tile.accumulate_at"), first + 5);
}

TEST(Access, GatherTakesPositionsAndTheOtherTileIndices) {
  EXPECT_EQ(body(traced([](Out<f32, 4, 64> c, In<f32, 16, 64> a, In<i32, 4> positions) {
              auto p = positions(0);
              auto x = gather<0>(a, p, 3);
              c.store(x);
            })),
            R"(  %4 = tile.constant {value = 0} : i64
  %5 = tile.load %3, %4 : 4xi32
  %6 = tile.constant {value = 3} : i64
  %7 = tile.gather %2, %6, %5 {axis = 0} : 4x64xf32
  %8 = tile.program_index %1 {axis = 0} : i64
  %9 = tile.program_index %1 {axis = 1} : i64
  tile.store %7, %1, %8, %9
)");
  const Record record = traced([](Out<f16, 2, 32, 8> c, In<f16, 2, 4, 8> a) {
    c.store(gather<1>(a, iota<u8, 32>(), 0, 1, or_padding) + gather<1>(a, iota<u8, 32>(), 0, 1, unsafe("known")));
  });
  Texts texts = attributes(record, "tile.gather");
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (Texts{"axis=1, or_padding", "axis=1, unsafe=known"}));
  EXPECT_EQ(find(record, "tile.gather")[0]->operands.size(), 4u);
}

TEST(Access, GatherOfRankOne) {
  const Record record = traced([](Out<f32, 4> c, In<f32, 64> a) { c.store(gather<0>(a, iota<4>())); });
  EXPECT_EQ(find(record, "tile.gather")[0]->operands.size(), 2u);
}

TEST(Access, GatherAlongTwoAxesBroadcastsItsPositions) {
  EXPECT_EQ(body(traced([](Out<f32, 4, 8> c, In<f32, 16, 64> a, In<i32, 4, 1> rows, In<i64, 4, 8> columns) {
              auto r = rows(0, 0);
              auto q = columns(0, 0);
              auto x = gather<0, 1>(a, r, q);
              c.store(x);
            })),
            R"(  %5 = tile.constant {value = 0} : i64
  %6 = tile.constant {value = 0} : i64
  %7 = tile.load %3, %5, %6 : 4x1xi32
  %8 = tile.constant {value = 0} : i64
  %9 = tile.constant {value = 0} : i64
  %10 = tile.load %4, %8, %9 : 4x8xi64
  %11 = tile.broadcast %7 : 4x8xi32
  %12 = tile.gather_pairs %2, %11, %10 {axes = [0, 1]} : 4x8xf32
  %13 = tile.program_index %1 {axis = 0} : i64
  %14 = tile.program_index %1 {axis = 1} : i64
  tile.store %12, %1, %13, %14
)");
  const Record record = traced([](Out<f16, 8, 2, 4> c, In<f16, 16, 2, 8> a) {
    c.store(gather<0, 2>(a, iota<u8, 8, 1>(0), iota<i16, 1, 4>(1), 3, or_padding));
  });
  EXPECT_EQ(attributes(record, "tile.gather_pairs"), (Texts{"axes, or_padding"}));
  EXPECT_EQ(find(record, "tile.gather_pairs")[0]->operands.size(), 4u);
}

TEST(Access, IndexTensorsAreInputsWithABound) {
  const Record record =
      traced([](Out<i64, 8> c, Index<i64, 8> a, DistinctIndex<i64, 8> b, IndexOrNone<i64, 8> d, DistinctIndexOrNone<i64, 8> e) {
        c.store(a[c] + load<8>(b, 0) + a.bound() + b.bound() + b.extent(0) + d.bound() + e.bound());
      });
  EXPECT_EQ(record.parameters[1].kind, ParameterKind::index);
  EXPECT_EQ(record.parameters[2].kind, ParameterKind::distinct);
  EXPECT_EQ(record.parameters[3].kind, ParameterKind::index_or_none);
  EXPECT_EQ(record.parameters[4].kind, ParameterKind::distinct_or_none);
  std::vector<Id> bounds;
  for (const Operation* op : find(record, "tile.bound"))
    bounds.push_back(op->operands[0]);
  std::sort(bounds.begin(), bounds.end());
  EXPECT_EQ(bounds,
            (std::vector<Id>{record.parameters[1].id, record.parameters[2].id, record.parameters[3].id, record.parameters[4].id}));
  EXPECT_NE(record.str().find("(%1: out<8xi64>, %2: index<8xi64>, %3: distinct<8xi64>, %4: index_or_none<8xi64>, "
                              "%5: distinct_or_none<8xi64>)"),
            std::string::npos)
      << record.str();
}

} // namespace
} // namespace tegula::trace

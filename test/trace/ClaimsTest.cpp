// Outputs that are written at the author's indices, and those that are read back.
#include "Tracing.h"

#include <memory>

namespace tegula::trace {
namespace {

std::string at_line(std::uint32_t line, const std::string& text) { return "ClaimsTest.cpp:" + std::to_string(line) + ":" + text; }
/// Whether an error is at a line, and says a text. Columns differ between compilers.
testing::AssertionResult says(const std::string& error, int line, const std::string& text) {
  const std::size_t place = error.find("ClaimsTest.cpp:" + std::to_string(line) + ":");
  if (place != std::string::npos && error.ends_with(": " + text))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << error;
}

TEST(Claims, MyTilesClaimsEachTile) {
  EXPECT_EQ(body(traced([](OutTiles<f32, 16, 64> c, In<f32, 16, 64> a) {
              for (auto t : c.my_tiles())
                t.store(a[t]);
            })),
            R"(  %3 = tile.program_id : i64
  %4 = tile.num_programs : i64
  %5 = tile.num_tiles %1 {axis = 0} : i64
  %6 = tile.num_tiles %1 {axis = 1} : i64
  %7 = tile.mul %5, %6 : i64
  scf.for %3, %7, %4 { |%8: i64|
    %9, %10 = tile.unflatten %8, %1 : i64, i64
    tile.claim %1, %9, %10
    %11 = tile.load %2, %9, %10 : 16x64xf32
    tile.store %11, %1, %9, %10
    scf.yield
  }
)");
}

TEST(Claims, GroupedOrderIsPlainArithmetic) {
  EXPECT_EQ(body(traced([](OutTiles<f32, 16, 64> c) {
              for (auto t : c.my_tiles(grouped(8)))
                t.store(zeros<f32, 16, 64>());
            })),
            R"(  %2 = tile.program_id : i64
  %3 = tile.num_programs : i64
  %4 = tile.num_tiles %1 {axis = 0} : i64
  %5 = tile.num_tiles %1 {axis = 1} : i64
  %6 = tile.mul %4, %5 : i64
  scf.for %2, %6, %3 { |%7: i64|
    %8 = tile.num_tiles %1 {axis = 1} : i64
    %9 = tile.constant {value = 8} : i64
    %10 = tile.mul %9, %8 : i64
    %11 = tile.div %7, %10 : i64
    %12 = tile.mul %11, %9 : i64
    %13 = tile.num_tiles %1 {axis = 0} : i64
    %14 = tile.sub %13, %12 : i64
    %15 = tile.min %14, %9 : i64
    %16 = tile.rem %7, %10 : i64
    %17 = tile.rem %16, %15 : i64
    %18 = tile.add %12, %17 : i64
    %19 = tile.div %16, %15 : i64
    tile.claim %1, %18, %19
    %20 = tile.constant {value = 0} : 16x64xf32
    tile.store %20, %1, %18, %19
    scf.yield
  }
)");
  const std::string error = error_of([](OutTiles<f32, 16, 64> c) {
    for (auto t : c.my_tiles(grouped(0)))
      t.store(zeros<f32, 16, 64>());
  });
  EXPECT_TRUE(says(error, __LINE__ - 3, "grouped(0): a group has at least one row of tiles"));
}

TEST(Claims, TileClaimsAndThenStores) {
  EXPECT_EQ(body(traced([](OutTiles<f32, 8> c, In<f32, 8> a) {
              for (auto n : range(this_program(), c.count(), 4)) {
                auto t = c.tile(n);
                t.store(a[t]);
              }
            })),
            R"(  %3 = tile.program_id : i64
  %4 = tile.num_tiles %1 {axis = 0} : i64
  %5 = tile.constant {value = 4} : i64
  scf.for %3, %4, %5 { |%6: i64|
    tile.claim %1, %6
    %7 = tile.load %2, %6 : 8xf32
    tile.store %7, %1, %6
    scf.yield
  }
)");
}

TEST(Claims, AWaiverIsForTheClaimAndItsStores) {
  const Record record = traced([](Patch<f32, 8> p) {
    p.tile(3, unsafe("one program")).store(zeros<f32, 8>());
    for (auto t : split<4>(p.tile(4, unsafe("halves"))))
      t.store(zeros<f32, 4>());
  });
  using Reasons = std::vector<std::string>;
  const auto reasons = [&](const char* name) {
    Reasons found;
    for (const Operation* op : find(record, name))
      found.push_back(std::get<std::string>(op->attributes.back().value));
    return found;
  };
  EXPECT_EQ(reasons("tile.claim"), (Reasons{"one program", "halves"}));
  EXPECT_EQ(reasons("tile.store"), (Reasons{"one program", "halves"}));
}

TEST(Claims, TilesOfRankZeroAndTheirNumber) {
  const Record record = traced([](OutTiles<i64> c) { c.tile().store(c.count()); });
  EXPECT_EQ(find(record, "tile.claim")[0]->operands.size(), 1u);
  EXPECT_EQ(find(record, "tile.constant").size(), 1u);
  const Record three = traced([](OutTiles<i64, 2, 2, 2> c) { c.tile(0, 0, 0).store(full<i64, 2, 2, 2>(c.count())); });
  EXPECT_EQ(find(three, "tile.num_tiles").size(), 3u);
  const Record patch = traced([](Patch<i64, 8, 8> p) { p.tile(0, 0).store(full<i64, 8, 8>(p.count())); });
  EXPECT_EQ(find(patch, "tile.num_tiles").size(), 2u);
}

TEST(Claims, ScatterWritesAtPositions) {
  EXPECT_EQ(body(traced([](Patch<f32, 16, 64> p, In<f32, 4, 64> a, DistinctIndex<i32, 4> n) {
              auto positions = n(0);
              auto x = a(0, 2);
              scatter<0>(p, positions, x, 2);
              scatter<0>(p, positions, x, 2, unsafe("sorted"));
            })),
            R"(  %4 = tile.constant {value = 0} : i64
  %5 = tile.constant {value = -1} : i32
  %6 = tile.load %3, %4, %5 {has_pad} : 4xi32
  %7 = tile.constant {value = 0} : i64
  %8 = tile.constant {value = 2} : i64
  %9 = tile.load %2, %7, %8 : 4x64xf32
  %10 = tile.constant {value = 2} : i64
  tile.scatter %9, %1, %10, %6 {axis = 0}
  %11 = tile.constant {value = 2} : i64
  tile.scatter %9, %1, %11, %6 {axis = 0, unsafe = "sorted"}
)");
}

TEST(Claims, InOutReadsItsOwnPiece) {
  const Record record = traced([](InOut<f32, 8> x) {
    x.store(x.load() * 2);
    print("now", x.load());
  });
  EXPECT_EQ(record.parameters[0].kind, ParameterKind::inout);
  EXPECT_EQ(body(record), R"(  %2 = tile.program_index %1 {axis = 0} : i64
  %3 = tile.load %1, %2 : 8xf32
  %4 = tile.constant {value = 2} : 8xf32
  %5 = tile.mul %3, %4 : 8xf32
  %6 = tile.program_index %1 {axis = 0} : i64
  tile.store %5, %1, %6
  %7 = tile.program_index %1 {axis = 0} : i64
  %8 = tile.load %1, %7 : 8xf32
  tile.print %8 {text = "now"}
)");
}

TEST(Claims, EveryTileIsStoredOnceWhereItIsClaimed) {
  const auto unstored = "the tile that tile(...) gives here is never stored; every output tile must be stored exactly once";
  const std::string never = error_of([](OutTiles<f32, 8> c) { [[maybe_unused]] auto t = c.tile(0); });
  EXPECT_TRUE(says(never, __LINE__ - 1, unstored));
  const std::string branch =
      error_of([](OutTiles<f32, 8> c, Scalar<i32> n) { if_(n > 0, [&] { [[maybe_unused]] auto t = c.tile(0); }); });
  EXPECT_TRUE(says(branch, __LINE__ - 1, unstored));
  const std::string half = error_of([](OutTiles<f32, 8> c, Scalar<i32> n) {
    auto t = c.tile(0);
    if_(n > 0, [&] { t.store(zeros<f32, 8>()); });
  });
  EXPECT_TRUE(half.ends_with(
      "the tile that tile(...) gives here is stored in one branch of an if_ only; store it in both, or once after it"))
      << half;
  const std::string loop = error_of([](Patch<f32, 8> c, Scalar<i32> n) {
    auto t = c.tile(0);
    for (auto _ : range(n))
      t.store(zeros<f32, 8>());
  });
  EXPECT_TRUE(
      says(loop, __LINE__ - 3,
           "a store inside a loop writes the same output tile in every iteration; store once after the loop, or take OutTiles "
           "and my_tiles()"));
  const std::string twice = error_of([](Patch<f32, 8> c) {
    auto t = c.tile(0);
    t.store(zeros<f32, 8>());
    t.store(zeros<f32, 8>());
  });
  EXPECT_NE(twice.find(at_line(__LINE__ - 2, "")), std::string::npos) << twice;
  EXPECT_NE(twice.find("this output tile is stored twice; the first store is at "), std::string::npos) << twice;
  EXPECT_NE(error_of([](InOut<f32, 8> x, Scalar<i32> n) {
              for (auto _ : range(n))
                x.store(x.load());
            }).find("a store inside a loop writes the same output tile"),
            std::string::npos);
}

TEST(Claims, ATileDoesNotOutliveItsLoop) {
  static std::unique_ptr<Slot<f32, 8>> kept;
  const std::string error = error_of([](OutTiles<f32, 8> c, Scalar<i32> n) {
    for (auto i : range(n)) {
      kept = std::make_unique<Slot<f32, 8>>(c.tile(i).slot_id());
      kept->store(zeros<f32, 8>());
    }
    kept->store(zeros<f32, 8>());
  });
  EXPECT_TRUE(error.ends_with("this output tile was made in a loop or branch that has ended; store it there")) << error;
}

TEST(Claims, ABranchMayClaim) {
  const Record record = traced([](OutTiles<f32, 8> c, Scalar<i32> n) { if_(n > 0, [&] { c.tile(0).store(zeros<f32, 8>()); }); });
  EXPECT_EQ(find(record, "tile.claim").size(), 1u);
}

TEST(Claims, MyTilesAndTileExcludeEachOther) {
  const std::string after = error_of([](OutTiles<f32, 8> c) {
    for (auto t : c.my_tiles())
      t.store(zeros<f32, 8>());
    c.tile(0).store(zeros<f32, 8>());
  });
  EXPECT_NE(after.find(at_line(__LINE__ - 2, "")), std::string::npos) << after;
  EXPECT_TRUE(after.ends_with(" visits every tile of this output, so tile(...) writes one of them again; use one of the two"))
      << after;
  const std::string before = error_of([](OutTiles<f32, 8> c) {
    c.tile(0).store(zeros<f32, 8>());
    for (auto t : c.my_tiles())
      t.store(zeros<f32, 8>());
  });
  EXPECT_TRUE(says(before, __LINE__ - 3,
                   "tile(...) has already written tiles of this output, and my_tiles() visits them all again; use one of the two"));
}

TEST(Claims, EveryOutputIsWritten) {
  EXPECT_TRUE(
      error_of([](OutTiles<f32, 8>) {
      }).ends_with("kernel 'k': the output that is parameter 1 is never stored; every output tile must be stored exactly once"));
  EXPECT_TRUE(error_of([](Patch<f32, 8>) {
              }).ends_with("kernel 'k': the output that is parameter 1 is never written; write to it, or remove it"));
  EXPECT_TRUE(error_of([](Out<f32, 8> c, MinInto<i32, 8>) {
                c.store(zeros<f32, 8>());
              }).ends_with("kernel 'k': the output that is parameter 2 is never written; write to it, or remove it"));
}

} // namespace
} // namespace tegula::trace

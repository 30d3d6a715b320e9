// Accumulate-only outputs.
#include "Tracing.h"

namespace tegula::trace {
namespace {

TEST(Accumulate, TheKindSaysHow) {
  const Record record = traced([](AddInto<f32, 8> a, MinInto<i32, 8> b, MaxInto<u32, 8> c, AndInto<i64, 8> d, OrInto<u64, 8> e) {
    a.accumulate(zeros<f32, 8>(), 0);
    b.accumulate(zeros<i32, 8>(), 0);
    c.accumulate(zeros<u32, 8>(), 0);
    d.accumulate(zeros<i64, 8>(), 0);
    e.accumulate(zeros<u64, 8>(), 0);
  });
  EXPECT_NE(record.str().find("(%1: add_into<8xf32>, %2: min_into<8xi32>, %3: max_into<8xu32>, %4: and_into<8xi64>, "
                              "%5: or_into<8xu64>)"),
            std::string::npos)
      << record.str();
  EXPECT_EQ(find(record, "tile.accumulate").size(), 5u);
}

TEST(Accumulate, ByTileAndByPosition) {
  EXPECT_EQ(body(traced([](AddInto<f32, 16, 64> s, In<f32, 16, 64> a, In<i32, 16> n) {
              auto x = a(0, 1);
              auto p = n(0);
              s.accumulate(x, 2, 3, or_padding);
              s.accumulate(x, 2, 3, unsafe("why"));
              accumulate_at<0>(s, p, x, 4);
            })),
            R"(  %4 = tile.constant {value = 0} : i64
  %5 = tile.constant {value = 1} : i64
  %6 = tile.load %2, %4, %5 : 16x64xf32
  %7 = tile.constant {value = 0} : i64
  %8 = tile.load %3, %7 : 16xi32
  %9 = tile.constant {value = 2} : i64
  %10 = tile.constant {value = 3} : i64
  tile.accumulate %6, %1, %9, %10 {or_padding}
  %11 = tile.constant {value = 2} : i64
  %12 = tile.constant {value = 3} : i64
  tile.accumulate %6, %1, %11, %12 {unsafe = "why"}
  %13 = tile.constant {value = 4} : i64
  tile.accumulate_at %6, %1, %13, %8 {axis = 0}
)");
}

TEST(Accumulate, AnywhereAndOften) {
  const Record record = traced([](AddInto<i32, 64> s, In<i32, 8> a, Scalar<i32> n) {
    for (auto i : range(n))
      if_(i > 2, [&] {
        accumulate_at<0>(s, a(i), ones<i32, 8>());
        accumulate_at<0>(s, a(i), ones<i32, 8>(), or_padding);
      });
  });
  EXPECT_EQ(find(record, "tile.accumulate_at").size(), 2u);
}

TEST(Accumulate, ANumberIntoOneElement) {
  const Record record = traced([](AddInto<i32> s, Scalar<i32> n) {
    s.accumulate(1);
    s.accumulate(n, or_padding);
  });
  EXPECT_EQ(body(record), R"(  %3 = tile.constant {value = 1} : i32
  tile.accumulate %3, %1
  tile.accumulate %2, %1 {or_padding}
)");
}

TEST(Accumulate, NotInACombiner) {
  static const AddInto<i32>* output = nullptr;
  const std::string error = error_of([](AddInto<i32> s, In<i32, 8> a) {
    output = &s;
    auto total = reduce<0>(a(0), [](auto x, auto y) {
      output->accumulate(x);
      return x + y;
    });
    s.accumulate(reshape<>(total));
  });
  EXPECT_TRUE(error.ends_with("a combiner only computes: it cannot print, check or store")) << error;
}

} // namespace
} // namespace tegula::trace

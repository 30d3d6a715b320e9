// What GPU programmers write every day is proved for all shapes.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

TEST(Idioms, GroupedQueryHeads) {
  expect_proved(kernel("heads", [](Out<i32, 1, 16> o, In<i32, 1, 16> k, Scalar<i64> group) {
    expects(k.extent(0) * group == o.extent(0), "each head of k serves a group of heads of o");
    expects(k.extent(1) == o.extent(1), "heads have one size");
    o.store(k(o.row() / group, o.col()));
  }));
}

TEST(Idioms, FlatIndices) {
  expect_proved(kernel("flat store", [](OutTiles<i32, 16> y, In<i32, 1, 16> a) {
    expects(y.count(0) == a.extent(0) * a.count(1), "y has a tile for each tile of a");
    for (auto r : range(this_program(), a.extent(0), programs()))
      for (auto c : a.cols())
        y.tile(r * a.count(1) + c).store(reshape<16>(a(r, c)));
  }));
  expect_proved(kernel("flat load", [](Out<i32, 1, 16> y, In<i32, 16> a) {
    expects(a.count(0) == y.extent(0) * y.count(1), "a has a tile for each tile of y");
    y.store(reshape<1, 16>(a(y.row() * y.count(1) + y.col())));
  }));
  expect_proved(kernel("three axes", [](Out<i32, 1, 1, 16> y, In<i32, 16> a) {
    expects(a.count(0) == y.extent(0) * y.extent(1) * y.count(2), "a has a tile for each tile of y");
    y.store(reshape<1, 1, 16>(a((y.at(0) * y.extent(1) + y.at(1)) * y.count(2) + y.at(2))));
  }));
}

TEST(Idioms, TileNumbersOverTheInputs) {
  expect_proved(kernel("counts", [](OutTiles<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
    expects(c.count(0) == a.count(0) && c.count(1) == b.count(1), "c has a row for each row of a, and a column for each of b");
    for (auto n : range(this_program(), a.count(0) * b.count(1), programs()))
      c.tile(n / b.count(1), n % b.count(1)).store(zeros<i32, 16, 16>());
  }));
  expect_proved(kernel("extents", [](OutTiles<i32, 16, 16> c, In<i32, 16, 16> a, In<i32, 16, 16> b) {
    expects(c.extent(0) == a.extent(0) && c.extent(1) == b.extent(1), "c has a row for each row of a, and a column for each of b");
    for (auto n : range(this_program(), a.count(0) * b.count(1), programs()))
      c.tile(n / b.count(1), n % b.count(1)).store(zeros<i32, 16, 16>());
  }));
}

TEST(Idioms, BatchAndHead) {
  expect_proved(kernel("batch and head", [](Out<i32, 1, 16> o, In<i32, 1, 1, 16> q) {
    expects(o.extent(0) == q.extent(0) * q.extent(1), "o has a row for each head of each batch");
    expects(o.extent(1) == q.extent(2), "heads have one size");
    o.store(reshape<1, 16>(q(o.row() / q.extent(1), o.row() % q.extent(1), o.col())));
  }));
  expect_proved(kernel("heads as a scalar", [](Out<i32, 1, 16> o, In<i32, 1, 1, 16> q, Scalar<i64> heads) {
    expects(q.extent(1) == heads && o.extent(0) == q.extent(0) * heads, "o has a row for each head of each batch");
    expects(o.extent(1) == q.extent(2), "heads have one size");
    o.store(reshape<1, 16>(q(o.row() / heads, o.row() % heads, o.col())));
  }));
  expect_proved(kernel("split heads", [](Out<i32, 16, 16> o, In<i32, 16, 1, 16> x) {
    expects(o.extent(0) == x.extent(0) && o.count(1) == x.extent(1) && x.extent(2) == 16, "a column of tiles for each head");
    o.store(reshape<16, 16>(x(o.row(), o.col(), 0)));
  }));
}

TEST(Idioms, ChunksOfEachProgram) {
  expect_proved(kernel("rounded up", [](OutTiles<i32, 16> y) {
    auto each = (y.count(0) + programs() - 1) / programs(), first = this_program() * each;
    for (auto i : range(first, minimum(first + each, y.count(0))))
      y.tile(i).store(zeros<i32, 16>());
  }));
  expect_proved(kernel("the first ones have one more", [](OutTiles<i32, 16> y) {
    auto each = y.count(0) / programs(), more = y.count(0) % programs(), p = this_program();
    auto first = p * each + minimum(p, more);
    for (auto i : range(first, first + each + select(p < more, Int(1), Int(0))))
      y.tile(i).store(zeros<i32, 16>());
  }));
  expect_settled(kernel("as many as given", [](OutTiles<i32, 16> y, Scalar<i64> each) {
    expects(each >= 1 && each <= y.count(0), "a chunk is part of y");
    expects(programs() <= y.count(0), "no program is idle");
    auto first = this_program() * each;
    for (auto i : range(first, minimum(first + each, y.count(0))))
      y.tile(i).store(zeros<i32, 16>());
  }));
  expect_proved(kernel("chunks of flat numbers", [](OutTiles<i32, 16, 16> y) {
    auto each = (y.count() + programs() - 1) / programs(), first = this_program() * each;
    for (auto n : range(first, minimum(first + each, y.count())))
      y.tile(n / y.count(1), n % y.count(1)).store(zeros<i32, 16, 16>());
  }));
}

TEST(Idioms, BalancedChunks) {
  expect_proved(kernel("balanced", [](OutTiles<i32, 16> y) {
    expects(programs() <= 1'000'000 && y.count(0) <= 1'000'000'000'000, "their product is no huge number");
    auto p = this_program(), n = y.count(0);
    for (auto i : range(p * n / programs(), (p + 1) * n / programs()))
      y.tile(i).store(zeros<i32, 16>());
  }));
}

TEST(Idioms, NumbersTakenApart) {
  expect_proved(kernel("three axes", [](OutTiles<i32, 1, 1, 16> y) {
    for (auto n : range(this_program(), y.count(), programs()))
      y.tile(n / (y.count(1) * y.count(2)), n / y.count(2) % y.count(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
  }));
  expect_proved(kernel("by the remainder", [](OutTiles<i32, 1, 1, 16> y) {
    for (auto n : range(this_program(), y.count(), programs())) {
      auto plane = y.count(1) * y.count(2), rest = n % plane;
      y.tile(n / plane, rest / y.count(2), rest % y.count(2)).store(zeros<i32, 1, 1, 16>());
    }
  }));
  expect_proved(kernel("chunks of three axes", [](OutTiles<i32, 1, 1, 16> y) {
    auto each = (y.count() + programs() - 1) / programs(), first = this_program() * each;
    for (auto n : range(first, minimum(first + each, y.count())))
      y.tile(n / (y.count(1) * y.count(2)), n / y.count(2) % y.count(1), n % y.count(2)).store(zeros<i32, 1, 1, 16>());
  }));
  expect_proved(kernel("four axes", [](OutTiles<i32, 1, 1, 1, 16> y) {
    for (auto n : range(this_program(), y.count(), programs())) {
      auto rows = n / y.count(3), planes = rows / y.count(2);
      y.tile(planes / y.count(1), planes % y.count(1), rows % y.count(2), n % y.count(3)).store(zeros<i32, 1, 1, 1, 16>());
    }
  }));
  expect_proved(kernel("four axes by products", [](OutTiles<i32, 1, 1, 1, 16> y) {
    for (auto n : range(this_program(), y.count(), programs()))
      y.tile(n / (y.count(1) * y.count(2) * y.count(3)), n / (y.count(2) * y.count(3)) % y.count(1), n / y.count(3) % y.count(2),
             n % y.count(3))
          .store(zeros<i32, 1, 1, 1, 16>());
  }));
}

TEST(Idioms, BranchesThatBothStore) {
  expect_proved(kernel("parity", [](OutTiles<i32, 16> y) {
    for (auto i : range(this_program(), y.count(0), programs()))
      if_(i % 2 == 0, [&] { y.tile(i).store(zeros<i32, 16>()); }, [&] { y.tile(i).store(ones<i32, 16>()); });
  }));
  expect_proved(kernel("every third", [](OutTiles<i32, 16> y) {
    for (auto i : range(this_program(), y.count(0), programs()))
      if_(i % 3 == 0, [&] { y.tile(i).store(zeros<i32, 16>()); }, [&] { y.tile(i).store(ones<i32, 16>()); });
  }));
}

TEST(Idioms, RoundsOfAllPrograms) {
  expect_proved(kernel("rounds", [](OutTiles<i32, 16> y) {
    for (auto j : range((y.count(0) + programs() - 1) / programs())) {
      auto n = j * programs() + this_program();
      if_(n < y.count(0), [&] { y.tile(n).store(zeros<i32, 16>()); });
    }
  }));
  expect_proved(kernel("snake", [](OutTiles<i32, 16> y) {
    for (auto j : range((y.count(0) + programs() - 1) / programs())) {
      auto n = j * programs() + select(j % 2 == 0, this_program(), programs() - 1 - this_program());
      if_(n < y.count(0), [&] { y.tile(n).store(zeros<i32, 16>()); });
    }
  }));
  expect_proved(kernel("rotated", [](OutTiles<i32, 16> y) {
    for (auto j : range((y.count(0) + programs() - 1) / programs())) {
      auto n = j * programs() + (this_program() + j) % programs();
      if_(n < y.count(0), [&] { y.tile(n).store(zeros<i32, 16>()); });
    }
  }));
  expect_proved(kernel("while", [](OutTiles<i32, 16> y) {
    Int n = this_program();
    for (auto _ : loop_while([&] { return n < y.count(0); })) {
      y.tile(n).store(zeros<i32, 16>());
      n += programs();
    }
  }));
  expect_proved(kernel("while, from the end", [](OutTiles<i32, 16> y) {
    Int n = y.count(0) - 1 - this_program();
    for (auto _ : loop_while([&] { return n >= 0; })) {
      y.tile(n).store(zeros<i32, 16>());
      n -= programs();
    }
  }));
  expect_proved(kernel("blocks", [](OutTiles<i32, 16> y) {
    for (auto base : range(this_program() * 4, y.count(0), programs() * 4))
      for (auto j : range(4))
        if_(base + j < y.count(0), [&] { y.tile(base + j).store(zeros<i32, 16>()); });
  }));
  expect_proved(kernel("whose turn", [](OutTiles<i32, 16> y) {
    for (auto n : range(y.count(0)))
      if_(n % programs() == this_program(), [&] { y.tile(n).store(zeros<i32, 16>()); });
  }));
}

TEST(Idioms, NumbersOfPrograms) {
  expect_proved(kernel("half", [](OutTiles<i32, 16, 16> y, In<i32, 16> x) {
    expects(y.count(1) == 2 && programs() == 2 * y.count(0) && x.count(0) == y.count(0), "two programs for each row");
    auto p = this_program();
    y.tile(p / 2, p % 2).store(broadcast<16, 16>(x(p / 2)));
  }));
  expect_proved(kernel("two each", [](OutTiles<i32, 16> y) {
    expects(y.count(0) == 2 * programs(), "two tiles for each program");
    y.tile(2 * this_program()).store(zeros<i32, 16>());
    y.tile(2 * this_program() + 1).store(zeros<i32, 16>());
  }));
  expect_settled(kernel("from the end", [](OutTiles<i32, 16> y, In<i32, 16> x) {
    expects(programs() == y.count(0), "a program for each tile");
    auto n = y.count(0) - 1 - this_program();
    y.tile(n).store(x(n));
  }));
  expect_proved(kernel("neighbours", [](OutTiles<i32, 16> y, In<i32, 16> x) {
    expects(y.count(0) % 2 == 0 && x.count(0) == y.count(0), "tiles come in pairs");
    for (auto i : range(this_program(), y.count(0), programs()))
      y.tile(i ^ 1).store(x(i ^ 1));
  }));
}

TEST(Idioms, GuardedPositions) {
  expect_proved(kernel("guarded", [](Out<i32, 16> y, In<i32, 1> x) {
    auto q = y.at(0) * 16 + iota<i64, 16>(0) + 3;
    y.store(gather<0>(x, select(q < x.extent(0), q, Int(-1))));
  }));
  expect_proved(kernel("both sides", [](Out<i32, 16> y, In<i32, 1> x) {
    auto q = y.at(0) * 16 + iota<i64, 16>(0) - 3;
    y.store(gather<0>(x, select(q >= 0 && q < x.extent(0), q, Int(-1))));
  }));
}

TEST(Idioms, AColumnAsRowNumbers) {
  expect_proved(kernel("row sums", [](Out<i32, 1, 1> y, In<i32, 1, 16> x) {
    expects(y.extent(1) == 1 && y.extent(0) == x.extent(0), "y has an element for each row of x");
    auto total = zeros<i32, 1, 1>();
    for (auto j : x.cols())
      total += sum<1>(x(y.row(), j));
    y.store(total);
  }));
}

TEST(Idioms, Triangles) {
  expect_proved(kernel("lower", [](Patch<i32, 16, 16> y) {
    expects(y.count(0) == y.count(1), "y is square");
    for (auto i : range(this_program(), y.count(0), programs()))
      for (auto j : range(i + 1))
        y.tile(i, j).store(zeros<i32, 16, 16>());
  }));
  expect_proved(kernel("packed", [](Patch<i32, 16> y, In<i32, 16, 16> x) {
    expects(x.count(0) == x.count(1) && y.count(0) == x.count(0) * (x.count(0) + 1) / 2, "y holds the lower triangle of x");
    expects(x.count(0) <= 1'000'000, "x is not huge");
    for (auto i : range(this_program(), x.count(0), programs()))
      for (auto j : range(i + 1))
        y.tile(i * (i + 1) / 2 + j).store(reshape<16>(sum<0>(x(i, j))));
  }));
}

TEST(Idioms, PagesFromACertifiedTable) {
  expect_proved(kernel("pages", [](Out<i32, 1, 16> o, In<i32, 1, 16> cache, Index<i32, 1, 1> pages) {
    expects(pages.extent(0) == o.extent(0) && pages.bound() <= cache.extent(0) && cache.extent(1) == o.extent(1),
            "pages are pages of the cache");
    auto total = zeros<i32, 1, 16>();
    for (auto j : pages.cols())
      total += cache(reshape<>(pages(o.row(), j)), o.col());
    o.store(total);
  }));
}

} // namespace

// Keys: equal for one kernel however often it is traced, different for all others.
#include "Tracing.h"
#include "test/support/RecordMutants.h"

#include <set>

namespace tegula::trace {
namespace {

/// The records that print differently have different keys. Returns how many do.
std::size_t check_keys(const std::vector<Record>& records) {
  std::map<std::string, std::string> texts;
  std::set<std::string> different;
  for (const Record& record : records) {
    different.insert(record.str());
    EXPECT_EQ(texts.try_emplace(record.key(Places::spoken), record.str()).first->second, record.str());
  }
  return different.size();
}

void read_in_one_branch(Out<f32, 64> y, In<f32, 64> table, Scalar<i64> mode, Scalar<i64> s) {
  auto x = ones<f32, 1>();
  if_(mode == 2, [&] { x = sum<0>(table(s)); });
  y.store(broadcast<64>(x));
}
void read_always(Out<f32, 64> y, In<f32, 64> table, Scalar<i64> mode, Scalar<i64> s) {
  auto x = ones<f32, 1>();
  auto row = sum<0>(table(s));
  if_(mode == 2, [&] { x = row; });
  y.store(broadcast<64>(x));
}

TEST(Key, OfOneKernelIsAlwaysTheSame) {
  EXPECT_EQ(traced<read_always>("k").key(Places::all), traced<read_always>("k").key(Places::all));
  EXPECT_EQ(traced<read_always>("k").key(Places::spoken).size(), 64u);
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(test::random_record(seed).key(Places::all), test::random_record(seed).key(Places::all));
}

TEST(Key, CountsWhereALoadStands) {
  EXPECT_NE(traced<read_in_one_branch>().key(Places::spoken), traced<read_always>().key(Places::spoken));
}

TEST(Key, CountsWhatNothingUses) {
  const Record used = traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); });
  const Record more = traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto x = a[c];
    auto unused = a(7, or_padding);
    c.store(x);
  });
  EXPECT_NE(used.key(Places::spoken), more.key(Places::spoken));
}

TEST(Key, CountsTheName) {
  EXPECT_NE(traced<read_always>("one").key(Places::spoken), traced<read_always>("two").key(Places::spoken));
}

TEST(Key, DiffersFromThatOfEveryMutant) {
  for (const Record& record : {traced<read_in_one_branch>(), traced<read_always>()}) {
    std::vector<Record> all = test::mutants_of(record);
    all.push_back(record);
    EXPECT_GT(check_keys(all), all.size() / 2);
  }
  std::vector<Record> all;
  for (unsigned seed = 0; seed < 100; ++seed) {
    all.push_back(test::random_record(seed));
    for (Record& mutant : test::mutants_of(all.back()))
      all.push_back(std::move(mutant));
  }
  EXPECT_GT(check_keys(all), 5000u);
}

TEST(Key, CountsEveryBitOfANumber) {
  Record record = traced([](Out<f64> c) { c.store(0.0); });
  double& number = std::get<double>(record.body.operations[0].attributes[0].value);
  std::set<std::string> keys;
  for (const double n : {0.0, -0.0, 5e-324, 1.0, 1.0 + 0x1p-52}) {
    number = n;
    keys.insert(record.key(Places::spoken));
  }
  EXPECT_EQ(keys.size(), 5u);
}

/// A record whose first operation with a name stands somewhere else.
Record moved(Record record, const std::string& name, Location to) {
  const_cast<Operation*>(find(record, name).front())->location = std::move(to);
  return record;
}

TEST(Key, CountsPlacesThatAreReported) {
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> step) {
    auto x = a[c];
    print("x", x);
    for ([[maybe_unused]] auto i : range(0, 8, step))
      x += 1;
    c.store(x);
  });
  const Location there = find(record, "tile.print")[0]->location;
  for (const Location& other : {Location{there.file, 9999, 1}, Location{"other.cpp", there.line, 1}})
    EXPECT_NE(record.key(Places::spoken), moved(record, "tile.print", other).key(Places::spoken));
  EXPECT_NE(record.key(Places::lines), moved(record, "tile.print", {"other.cpp", there.line, 1}).key(Places::lines));
  const Location load = find(record, "tile.load")[0]->location;
  const auto load_at = [&](Places places, const std::string& file, std::uint32_t line, std::uint32_t column) {
    return moved(record, "tile.load", {file, line, column}).key(places) != record.key(places);
  };
  EXPECT_FALSE(load_at(Places::spoken, "other.cpp", 1, 1)) << "whether it misses is proved";
  EXPECT_FALSE(load_at(Places::lines, "other.cpp", load.line, 1));
  EXPECT_TRUE(load_at(Places::lines, load.file, load.line + 1, load.column));
  EXPECT_TRUE(load_at(Places::all, "other.cpp", load.line, load.column));
  EXPECT_TRUE(load_at(Places::all, load.file, load.line, load.column + 1));
  EXPECT_EQ(record.key(Places::spoken), moved(record, "scf.for", {"other.cpp", 1, 1}).key(Places::spoken)) << "so is the step";
}

TEST(Key, DiffersForDifferentKernels) {
  std::set<std::string> all;
  int count = 0;
  const auto add = [&](const Record& r) {
    all.insert(r.key(Places::spoken));
    ++count;
  };
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 16> c, In<f32, 16> a) { c.store(a[c]); }));
  add(traced([](Out<f16, 8> c, In<f16, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] + 1); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] + 2); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c] - 1); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(1 - a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(a(0)); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, In<f32, 8>) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8>, In<f32, 8> a) { c.store(a[c]); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(broadcast<8>(sum<0>(a[c]))); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) { c.store(broadcast<8>(max<0>(a[c]))); }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    print("a", a[c]);
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    c.store(a[c]);
    print("a", a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto unused = extract<4>(a[c], 9); // fails the launch
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a) {
    auto unused = a(9); // may be refused
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    for (auto i : range(n))
      auto unused = a(i);
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    for (auto _ : range(0, 8, n)) { // a step below 1 fails the launch
    }
    c.store(a[c]);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      x += y;
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      y += x;
    c.store(y + x - x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c], y = a(0);
    for (auto _ : range(n))
      std::swap(x, y);
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a[c];
    if_(n > 0, [&] { x = a(0); });
    c.store(x);
  }));
  add(traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i64> n) {
    auto x = a(0);
    if_(n > 0, [&] { x = a[c]; });
    c.store(x);
  }));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
}

TEST(Key, DiffersByKindBoundsAndEffects) {
  std::set<std::string> all;
  int count = 0;
  const auto add = [&](const Record& r) {
    all.insert(r.key(Places::spoken));
    ++count;
  };
  add(traced([](OutTiles<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0)); }));
  add(traced([](OutTiles<f32, 8> c, In<f32, 8> a) { c.tile(0, unsafe("alone")).store(a(0)); }));
  add(traced([](OutTiles<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0, or_padding)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) { c.tile(0).store(a(0)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) { scatter<0>(c, iota<8>(), a(0)); }));
  add(traced([](Patch<f32, 8> c, In<f32, 8> a) {
    scatter<0>(c, iota<8>(), a(0));
    scatter<0>(c, iota<8>(), a(0));
  }));
  add(traced([](AddInto<i32, 8> c, In<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) { accumulate_at<0>(c, iota<8>(), a(0)); }));
  add(traced([](MaxInto<i32, 8> c, Index<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, DistinctIndex<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, IndexOrNone<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, DistinctIndexOrNone<i32, 8> a) { c.accumulate(a(0), 0); }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) {
    expects(a.extent(0) == c.extent(0), "equal");
    c.accumulate(a(0), 0);
  }));
  add(traced([](MaxInto<i32, 8> c, In<i32, 8> a) {
    expects(a.extent(0) <= c.extent(0), "equal");
    c.accumulate(a(0), 0);
  }));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
}

TEST(Key, OrdersLoadsWithStoresOfTheSameTile) {
  const Record before = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto old = x.load();
    x.store(old * 2);
    y.store(old);
  });
  const Record after = traced([](InOut<f32, 8> x, InOut<f32, 8> y) {
    auto old = x.load();
    x.store(old * 2);
    y.store(x.load());
  });
  EXPECT_NE(before.key(Places::spoken), after.key(Places::spoken));
  const Record once = traced([](InOut<f32, 8> x, Out<f32, 4> y) {
    auto old = extract<4>(x.load(), 0);
    for (auto t : split<4>(x))
      t.store(old);
    y.store(old);
  });
  const Record each = traced([](InOut<f32, 8> x, Out<f32, 4> y) {
    auto old = extract<4>(x.load(), 0);
    for (auto t : split<4>(x))
      t.store(extract<4>(x.load(), 0));
    y.store(old);
  });
  EXPECT_NE(once.key(Places::spoken), each.key(Places::spoken));
}

} // namespace
} // namespace tegula::trace

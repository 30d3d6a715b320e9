// What a kernel knows of its launch, and what it expects of it.
#include "Tracing.h"

namespace tegula::trace {
namespace {

TEST(Program, KnowsItsNumberAndHowManyThereAre) {
  EXPECT_EQ(body(traced([](Out<i64> c) {
              auto number = this_program();
              c.store(number * programs());
            })),
            R"(  %2 = tile.program_id : i64
  %3 = tile.num_programs : i64
  %4 = tile.mul %2, %3 : i64
  tile.store %4, %1
)");
}

TEST(Program, ExpectsConditionsOfTheLaunch) {
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a, Index<i32, 8> n, Scalar<i32> k, Scalar<bool> flag) {
    expects(a.extent(0) % 8 == 0, "whole tiles");
    expects(select(flag, n.bound(), cast<i64>(abs(-k))) <= maximum(a.count(0), programs()) && !flag, "enough");
    c.store(a[c]);
  });
  const std::vector<const Operation*> all = find(record, "tile.expect");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(std::get<std::string>(all[0]->attributes[0].value), "whole tiles");
  EXPECT_EQ(record.types[all[1]->operands[0]], (Type{DType::boolean, {}}));
  EXPECT_EQ(all[0]->location.line, static_cast<std::uint32_t>(__LINE__ - 8));
}

TEST(Program, ExpectsStandsAtTheTop) {
  const auto text = "expects belongs at the top of the kernel, in no loop or branch: the host checks it once, before the launch";
  const std::string loop = error_of([](Out<f32, 8> c, Scalar<i32> n) {
    for (auto i : range(n))
      expects(i < 8, "small");
    c.store(zeros<f32, 8>());
  });
  EXPECT_TRUE(loop.ends_with(text)) << loop;
  EXPECT_NE(loop.find("ProgramTest.cpp:" + std::to_string(__LINE__ - 4) + ":"), std::string::npos) << loop;
  EXPECT_TRUE(error_of([](Out<f32, 8> c, Scalar<i32> n) {
                if_(n > 0, [&] { expects(n < 8, "small"); });
                c.store(zeros<f32, 8>());
              }).ends_with(text));
}

template <class F> void expect_refused(const F& kernel, const std::string& text) {
  const std::string error = error_of(kernel);
  EXPECT_NE(error.find(": expects: the condition " + text), std::string::npos) << error;
}

TEST(Program, ExpectsOnlyWhatTheHostKnowsBeforeTheLaunch) {
  expect_refused(
      [](Out<f32, 8> c, In<i32> a) {
        expects(a() > 0, "positive");
        c.store(zeros<f32, 8>());
      },
      "depends on 'tile.load' at ");
  expect_refused(
      [](Out<f32, 8> c) {
        expects(c.row() < 4, "few");
        c.store(zeros<f32, 8>());
      },
      "depends on 'tile.program_index' at ");
  expect_refused(
      [](Out<f32, 8> c) {
        expects(this_program() < 4, "few");
        c.store(zeros<f32, 8>());
      },
      "depends on 'tile.program_id' at ");
  expect_refused(
      [](Out<f32, 8> c, Scalar<i32> n) {
        Int x = 0;
        for (auto i : range(n))
          x += i;
        expects(x < 4, "few");
        c.store(zeros<f32, 8>());
      },
      "depends on 'scf.for' at ");
  expect_refused(
      [](Out<f32, 8> c, Scalar<f32> s) {
        expects(s > 0, "positive");
        c.store(zeros<f32, 8>());
      },
      "computes with f32; the host checks integers and bool only");
}

TEST(Program, ExpectsOfAFloatTensorsShape) {
  EXPECT_EQ(error_of([](Out<f32, 8> c, In<f64, 8> a) {
              expects(a.extent(0) == c.extent(0), "equal");
              c.store(zeros<f32, 8>());
            }),
            "no error");
}

} // namespace
} // namespace tegula::trace

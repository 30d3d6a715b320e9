// print and require: the exact words, and what is left after a launch that failed.
#include "Language.h"

#include <algorithm>

namespace tegula::test {
namespace {

/// Collects printed lines while it lives.
class Lines {
public:
  Lines() {
    set_print_sink([](void* user, const char* line, std::size_t n) { static_cast<Lines*>(user)->lines_.emplace_back(line, n); },
                   this);
  }
  ~Lines() { set_print_sink(nullptr); }
  std::vector<std::string> sorted() const {
    auto r = lines_;
    std::sort(r.begin(), r.end());
    return r;
  }
  const std::vector<std::string>& get() const { return lines_; }

private:
  std::vector<std::string> lines_;
};

/// "file:line:column" is checked without the column.
std::string at_line(int line) { return std::string(__FILE__) + ":" + std::to_string(line) + ":"; }
void expect_message(const std::string& got, int line, const std::string& rest) {
  const std::string start = at_line(line);
  ASSERT_EQ(got.substr(0, start.size()), start) << got;
  std::size_t column = start.size();
  while (column < got.size() && std::isdigit(static_cast<unsigned char>(got[column])))
    ++column;
  EXPECT_GT(column, start.size()) << got;
  EXPECT_EQ(got.substr(column), ": " + rest);
}

TEST(Print, TextAndValues) {
  const Device device = test_device(1);
  static const int line = __LINE__ + 2;
  auto k = kernel("prints", [](Out<f32, 2, 2> y, In<f32, 2, 2> x, Scalar<i32> s) {
    print("values", x[y], s, x[y] > 2, y.row());
    y.store(x[y]);
  });
  const auto x = Tensor<f32, 2>::from_host(device, {4, 2}, {1, 2.5, 3, 4, -0.0, NAN, INFINITY, 1e-8});
  Lines lines;
  k(Tensor<f32, 2>::zeros(device, {4, 2}), x, -3).sync();
  ASSERT_EQ(lines.get().size(), 2u);
  expect_message(lines.sorted()[0], line,
                 "kernel 'prints', program 0: values f32 2×2 [[1, 2.5], [3, 4]], -3, bool 2×2 [[false, true], [true, true]], 0");
  expect_message(
      lines.sorted()[1], line,
      "kernel 'prints', program 1: values f32 2×2 [[-0, nan], [inf, 1e-08]], -3, bool 2×2 [[false, false], [true, false]], 1");
}

TEST(Print, InLoopsAndBranchesInOrder) {
  const Device device = test_device(1);
  auto k = kernel("counts", [](Out<i32, 4> y, Scalar<i32> n) {
    for (auto i : range(n)) {
      if_(i % 2 == 0, [&] { print("even", i); });
      print("any");
    }
    y.store(zeros<i32, 4>());
  });
  Lines lines;
  k(Tensor<i32, 1>::zeros(device, {4}), 3).sync();
  std::vector<std::string> texts;
  for (const std::string& l : lines.get())
    texts.push_back(l.substr(l.find("program 0: ") + 11));
  EXPECT_EQ(texts, (std::vector<std::string>{"even 0", "any", "any", "even 2", "any"}));
}

TEST(Print, EveryElementType) {
  const Device device = test_device(1);
  auto k = kernel("types", [](Out<i32> y) {
    print("", full<f64, 2>(0.1), full<f16, 1>(0.5), full<bf16, 1>(3), full<f8e4m3, 1>(1.5), full<f8e5m2, 1>(-2),
          full<f8e8m0, 1>(0.25), full<i64, 1>(INT64_MIN), full<u64, 1>(UINT64_MAX), full<i8, 1>(-1), full<u8, 1>(200),
          full<i16, 1>(-300), full<u16, 1>(60000), full<u32, 1>(4000000000u), Scalar<bool>(true));
    y.store(0);
  });
  Lines lines;
  k(Tensor<i32, 0>::zeros(device, {})).sync();
  ASSERT_EQ(lines.get().size(), 1u);
  const std::string text = lines.get()[0].substr(lines.get()[0].find("program 0: ") + 11);
  EXPECT_EQ(text, "f64 2 [0.1, 0.1], f16 1 [0.5], bf16 1 [3], f8e4m3 1 [1.5], f8e5m2 1 [-2], f8e8m0 1 [0.25], i64 1 "
                  "[-9223372036854775808], u64 1 "
                  "[18446744073709551615], i8 1 [-1], u8 1 "
                  "[200], i16 1 [-300], u16 1 [60000], u32 1 [4000000000], true");
}

TEST(Print, FromManyThreads) {
  const Device device = test_device(4);
  auto k = kernel("many", [](Out<i32, 1> y) {
    print("at", y.at(0));
    y.store(zeros<i32, 1>());
  });
  Lines lines;
  k(Tensor<i32, 1>::zeros(device, {200})).sync();
  EXPECT_EQ(lines.get().size(), 200u);
  for (int i = 0; i < 200; ++i)
    EXPECT_TRUE(std::any_of(lines.get().begin(), lines.get().end(), [&](const std::string& l) {
      return l.ends_with("program " + std::to_string(i) + ": at " + std::to_string(i));
    })) << i;
}

auto make_checked(int& line) {
  line = __LINE__ + 2;
  return kernel("checked", [](Out<f32, 4> y, In<f32, 4> x, Scalar<f32> limit) {
    require(x[y] < limit, "too large", x[y], limit, y.at(0));
    y.store(x[y] * 2);
  });
}

TEST(Require, FailsTheLaunchWithLineProgramAndValues) {
  int line;
  auto k = make_checked(line);
  for (int threads : {1, 2, 5}) {
    const Device device = test_device(threads);
    const auto x = Tensor<f32, 1>::from_host(device, {10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    auto op = k(Tensor<f32, 1>::full(device, {10}, -1), x, 6.5);
    const std::string text = message_of<LaunchError>([&] { std::move(op).sync(); });
    if (threads == 1 || !on_cpu()) // a GPU reports the lowest program that failed
      expect_message(text, line, "kernel 'checked', program 1: require failed: too large; values: f32 4 [5, 6, 7, 8], 6.5, 1");
    else
      EXPECT_NE(text.find("require failed: too large"), std::string::npos) << text;
    // Nothing is lost: the operation still has its output, the input is still readable, and the kernel works.
    const auto y = std::move(op).cancel();
    EXPECT_EQ(y.size(), 10);
    EXPECT_EQ(x.to_host()[9], 10);
    expect_same(k(Tensor<f32, 1>::zeros(device, {10}), x, 11).sync().to_host(),
                std::vector<f32>{2, 4, 6, 8, 10, 12, 14, 16, 18, 20});
  }
}

TEST(Require, AFailedOperationCanBeTriedAgain) {
  int line;
  auto k = make_checked(line);
  const Device device = test_device();
  const auto x = Tensor<f32, 1>::from_host(device, {4}, {1, 2, 3, 4});
  auto op = k(Tensor<f32, 1>::zeros(device, {4}), x, 0);
  const std::string first = message_of<LaunchError>([&] { std::move(op).sync(); });
  EXPECT_EQ(first, message_of<LaunchError>([&] { std::move(op).sync(); }));
  expect_message(first, line, "kernel 'checked', program 0: require failed: too large; values: f32 4 [1, 2, 3, 4], 0, 0");
  auto y = std::move(op).cancel();
  expect_same(k(std::move(y), x, 5).sync().to_host(), std::vector<f32>{2, 4, 6, 8});
}

TEST(Require, HoldsEverywhere) {
  int line;
  auto k = make_checked(line);
  const Device device = test_device();
  // Beyond the edge the pad, 0, is checked too: it holds.
  const auto x = Tensor<f32, 1>::from_host(device, {6}, {1, 2, 3, 4, 5, 6});
  expect_same(k(Tensor<f32, 1>::zeros(device, {6}), x, 7).sync().to_host(), std::vector<f32>{2, 4, 6, 8, 10, 12});
}

TEST(Require, InBranchesAndLoops) {
  const Device device = test_device(1);
  static int line;
  auto k = kernel("inside", [](Out<i32, 4> y, Scalar<i32> n) {
    for (auto i : range(n))
      if_(i > 2, [&] {
        line = __LINE__ + 1;
        require(i < 5, "i is small", i);
      });
    require(n >= 0, "n is not negative");
    y.store(zeros<i32, 4>());
  });
  const auto run = [&](int n) { return message_of<LaunchError>([&] { k(Tensor<i32, 1>::zeros(device, {4}), n).sync(); }); };
  EXPECT_EQ(run(5), "no error");
  expect_message(run(6), line, "kernel 'inside', program 0: require failed: i is small; values: 5");
  EXPECT_TRUE(run(-1).ends_with("kernel 'inside', program 0: require failed: n is not negative")) << run(-1);
}

TEST(Checks, ExtractOutsideItsTile) {
  const Device device = test_device(1);
  static const int line = __LINE__ + 1;
  auto k = kernel("outside", [](Out<i32, 2> y, In<i32, 8> x, In<i64> at) { y.store(extract<2>(x(0), at())); });
  const auto x = Tensor<i32, 1>::from_host(device, {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto run = [&](i64 at) {
    const auto place = Tensor<i64, 0>::full(device, {}, at);
    return message_of<LaunchError>([&] { k(Tensor<i32, 1>::zeros(device, {2}), x, place).sync(); });
  };
  EXPECT_EQ(run(3), "no error");
  for (i64 at : {i64{4}, i64{-1}, INT64_MIN})
    expect_message(run(at), line,
                   "kernel 'outside', program 0: the sub-tile's index is outside the tile; values: " + std::to_string(at));
}

TEST(Checks, AStepThatIsNotPositive) {
  const Device device = test_device(1);
  static const int line = __LINE__ + 3;
  auto k = kernel("step", [](Out<i64> y, In<i64> step) {
    Int n = 0;
    for ([[maybe_unused]] auto i : range(0, 10, step()))
      n += 1;
    y.store(n);
  });
  const auto run = [&](i64 step) {
    const auto by = Tensor<i64, 0>::full(device, {}, step);
    return message_of<LaunchError>([&] { k(Tensor<i64, 0>::zeros(device, {}), by).sync(); });
  };
  EXPECT_EQ(run(4), "no error");
  for (i64 step : {0, -1})
    expect_message(run(step), line,
                   "kernel 'step', program 0: the step of a loop must be positive; values: " + std::to_string(step));
}

} // namespace
} // namespace tegula::test

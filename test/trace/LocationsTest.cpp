// Every operation knows the user's line, and errors name it.
#include "Tracing.h"

#include <stdexcept>
#include <thread>

namespace tegula::trace {
namespace {

TEST(Locations, OfOperatorsFunctionsIndicesAndAssignments) {
  const int first = __LINE__;
  const Record record = traced([](Out<f32, 8> c, In<f32, 8> a, Scalar<i32> n) {
    auto x = a[c];
    x += 1;
    auto y = x * x;
    y = exp(y);
    y = a(n) - y;
    for (auto i : range(n))
      y = y / cast<f32>(i);
    print("y", y);
    c.store(y);
  });
  const auto line = [&](const char* name) { return static_cast<int>(find(record, name)[0]->location.line) - first; };
  EXPECT_EQ(line("tile.load"), 2);
  EXPECT_EQ(line("tile.add"), 3);
  EXPECT_EQ(line("tile.mul"), 4);
  EXPECT_EQ(line("tile.function"), 5);
  EXPECT_EQ(line("tile.sub"), 6);
  EXPECT_EQ(line("scf.for"), 7);
  EXPECT_EQ(line("tile.div"), 8);
  EXPECT_EQ(line("tile.print"), 9);
  EXPECT_EQ(line("tile.store"), 10);
  const std::string& file = find(record, "tile.function")[0]->location.file;
  EXPECT_NE(file.find("LocationsTest.cpp"), std::string::npos);
}

TEST(Locations, OfTheKernel) {
  const Record record = traced([](Out<f32, 8> c) { c.store(zeros<f32, 8>()); });
  EXPECT_EQ(record.location.line, static_cast<std::uint32_t>(__LINE__ - 1));
}

TEST(Locations, InErrors) {
  const std::string text = error_of([](Out<f32, 8> c, In<f32, 8> a) {
    Tile<f32, 8> x;
    c.store(a[c] + x);
  });
  EXPECT_NE(text.find("LocationsTest.cpp:" + std::to_string(__LINE__ - 2) + ":"), std::string::npos) << text;
  EXPECT_NE(text.find(": this tile has no value yet"), std::string::npos) << text;
}

TEST(Locations, OfALoopThatIsLeft) {
  const std::string text = error_of([](Out<f32, 8> c, In<f32, 8> a) {
    auto x = a[c];
    for (auto i : a.rows()) {
      x = a(i);
      break;
    }
    c.store(x);
  });
  EXPECT_NE(text.find("LocationsTest.cpp:" + std::to_string(__LINE__ - 6) + ":"), std::string::npos) << text;
}

struct Mistake : std::runtime_error {
  using runtime_error::runtime_error;
};

TEST(Errors, WhatABodyThrowsIsInsideTheErrorAndTheNextTraceIsFresh) {
  const auto kernel = [](Out<f32, 8> c, In<f32, 8> a, Scalar<i32> n) {
    auto x = a[c];
    for (auto i : range(n))
      if_(i > 0, [&] {
        x = x + reduce<0>(x, [](auto p, auto q) {
              throw Mistake("inside");
              return p + q;
            });
      });
    c.store(x);
  };
  try {
    traced(kernel);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const TraceError& error) {
    EXPECT_NE(std::string(error.what()).find("threw an exception: inside"), std::string::npos) << error.what();
    EXPECT_THROW(std::rethrow_if_nested(error), Mistake);
  }
  EXPECT_NE(error_of([](Out<f32, 8> c, In<f32, 8> a) {
              c.store(a[c]);
              throw 7;
            }).find("threw something that is no std::exception"),
            std::string::npos);
  EXPECT_NE(error_of([](Out<f32, 8> c, In<f32, 8> a) {
              const char* nothing = nullptr;
              print(nothing);
              c.store(a[c]);
            }).find("the text is a null pointer"),
            std::string::npos);
  EXPECT_EQ(error_of([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); }), "no error");
}

TEST(Errors, AfterAnErrorTheNextTraceIsFresh) {
  EXPECT_NE(error_of([](Out<f32, 8>) {}), "no error");
  EXPECT_EQ(error_of([](Out<f32, 8> c, In<f32, 8> a) { c.store(a[c]); }), "no error");
}

TEST(Errors, TileOfAnEarlierTrace) {
  static Tile<f32, 8>* kept = nullptr;
  const auto keep = [](Out<f32, 8> c, In<f32, 8> a) {
    kept = new Tile<f32, 8>(a[c]);
    c.store(a[c]);
  };
  EXPECT_NE(error_of(keep).find("a tile outlives its kernel"), std::string::npos);
  const auto use = [](Out<f32, 8> c) { c.store(*kept); };
  EXPECT_NE(error_of(use).find("belongs to a trace that has ended"), std::string::npos);
  delete kept;
}

TEST(Errors, ThreadsTraceIndependently) {
  const auto kernel = [](Out<f32, 8> c, In<f32, 8> a) {
    auto x = a[c];
    for (auto i : a.rows())
      x += a(i);
    c.store(x);
  };
  using Signature = detail::Signature<decltype(kernel)>;
  const auto key = [&] {
    return record("k", {}, Signature::declarations.data(), 2, detail::body_of<decltype(kernel)>(), &kernel).key(Places::all);
  };
  const std::string expected = key();
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& f : found)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        f = key();
    });
  for (std::thread& t : threads)
    t.join();
  EXPECT_EQ(found, std::vector<std::string>(4, expected));
}

} // namespace
} // namespace tegula::trace

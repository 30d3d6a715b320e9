// Slots and the iterators that give them: each tile is asked for once and stored once, where it was given.
#include "Tracing.h"

#include <memory>

namespace tegula::trace {
namespace {

template <class F> void expect_error(const F& kernel, const std::string& text, int line = __builtin_LINE()) {
  const std::string error = error_of(kernel);
  EXPECT_NE(error.find(text), std::string::npos) << "in line " << line << ": " << error;
}

/// Outlives loops, branches and traces.
template <class S> std::unique_ptr<S>& kept() {
  static std::unique_ptr<S> slot;
  return slot;
}

const char* const never_asked = "never asks for its output tile";
const char* const asked_twice = "asks for its output tile twice";
const char* const asked_elsewhere = "inside another loop or branch";
const char* const has_ended = "this output tile was made in a loop or branch that has ended";
const char* const other_trace = "belongs to a trace that has ended";
const char* const loop_ended = "this loop has ended";

TEST(Slots, APieceThatIsNeverAskedFor) {
  expect_error(
      [](Out<f32, 64> y) {
        auto pieces = split<16>(y);
        for (auto it = pieces.begin(); it != pieces.end(); ++it) {
        }
      },
      never_asked);
  expect_error(
      [](OutTiles<f32, 64> y) {
        auto tiles = y.my_tiles();
        for (auto it = tiles.begin(); it != tiles.end(); ++it) {
        }
      },
      never_asked);
  expect_error(
      [](OutTiles<f32, 64> y) {
        for (auto t : y.my_tiles()) {
          auto pieces = split<16>(t);
          for (auto it = pieces.begin(); it != pieces.end(); ++it) {
          }
        }
      },
      never_asked);
}

TEST(Slots, APieceThatIsAskedForTwice) {
  expect_error(
      [](Out<f32, 64> y) {
        auto pieces = split<16>(y);
        for (auto it = pieces.begin(); it != pieces.end(); ++it) {
          (*it).store(zeros<f32, 16>());
          (*it).store(ones<f32, 16>());
        }
      },
      asked_twice);
  expect_error(
      [](OutTiles<f32, 64> y) {
        auto tiles = y.my_tiles();
        for (auto it = tiles.begin(); it != tiles.end(); ++it) {
          (*it).store(zeros<f32, 64>());
          (*it).store(zeros<f32, 64>());
        }
      },
      asked_twice);
}

TEST(Slots, APieceThatIsAskedForInABranchOnly) {
  expect_error(
      [](Out<f32, 64> y, Scalar<i32> n) {
        auto pieces = split<16>(y);
        for (auto it = pieces.begin(); it != pieces.end(); ++it)
          if_(n > 0, [&] { (*it).store(zeros<f32, 16>()); });
      },
      asked_elsewhere);
  expect_error(
      [](OutTiles<f32, 64> y, Scalar<i32> n) {
        auto tiles = y.my_tiles();
        for (auto it = tiles.begin(); it != tiles.end(); ++it)
          for ([[maybe_unused]] auto i : range(n))
            (*it).store(zeros<f32, 64>());
      },
      asked_elsewhere);
}

TEST(Slots, AnIteratorAfterItsLoop) {
  expect_error(
      [](Out<f32, 64> y) {
        auto pieces = split<16>(y);
        auto it = pieces.begin();
        for (; it != pieces.end(); ++it)
          (*it).store(zeros<f32, 16>());
        (*it).store(zeros<f32, 16>());
      },
      loop_ended);
  expect_error(
      [](Out<f32, 64> y, Scalar<i64> n) {
        auto numbers = range(n);
        auto it = numbers.begin();
        for (; it != numbers.end(); ++it) {
        }
        y.store(full<f32, 64>(cast<f32>(*it)));
      },
      loop_ended);
  expect_error(
      [](Out<f32, 64> y, Scalar<i64> n) {
        auto numbers = range(n);
        auto it = numbers.begin();
        for (; it != numbers.end(); ++it) {
        }
        ++it;
        y.store(zeros<f32, 64>());
      },
      loop_ended);
}

TEST(Slots, ALoopThatIsLeftOpen) {
  expect_error(
      [](Out<f32, 64> y) {
        using Iterator = decltype(split<64>(y).begin());
        kept<Iterator>().reset(new Iterator(split<64>(y).begin()));
        (**kept<Iterator>()).store(zeros<f32, 64>());
      },
      "break, return or goto leaves this traced loop");
  expect_error(
      [](Out<f32, 64> y) {
        using Iterator = decltype(split<64>(y).begin());
        (**kept<Iterator>()).store(zeros<f32, 64>());
      },
      loop_ended);
}

TEST(Slots, BeginTwice) {
  expect_error(
      [](Out<f32, 64> y) {
        const auto pieces = split<16>(y);
        for (auto t : pieces)
          t.store(zeros<f32, 16>());
        for (auto t : pieces)
          t.store(zeros<f32, 16>());
      },
      "this output tile is stored twice");
  expect_error(
      [](OutTiles<f32, 64> y) {
        const auto tiles = y.my_tiles();
        for (auto t : tiles) {
          t.store(zeros<f32, 64>());
          for (auto u : tiles)
            u.store(zeros<f32, 64>());
        }
      },
      "a store inside a loop writes the same output tile in every iteration");
}

TEST(Slots, OfAnEarlierLoop) {
  expect_error(
      [](Out<f32, 64> y, Patch<f32, 8> p, In<f32, 8> a) {
        std::unique_ptr<Slot<f32, 8>> old;
        for (auto i : range(this_program(), p.count(0), programs())) {
          old.reset(new Slot<f32, 8>(p.tile(i)));
          old->store(a(0));
        }
        for (auto t : split<16>(y)) {
          old->store(a(0));
          (void)t;
        }
      },
      has_ended);
}

TEST(Slots, OfAnEarlierIteration) {
  expect_error(
      [](Out<f32, 64> y) {
        kept<Slot<f32, 16>>() = nullptr;
        for (auto t : split<16>(y)) {
          t.store(zeros<f32, 16>());
          if (kept<Slot<f32, 16>>())
            (void)kept<Slot<f32, 16>>()->at(0);
          kept<Slot<f32, 16>>() = std::make_unique<Slot<f32, 16>>(t.slot_id());
        }
      },
      has_ended);
}

TEST(Slots, OfABranch) {
  expect_error(
      [](OutTiles<f32, 64> y, Scalar<i32> n) {
        std::unique_ptr<Slot<f32, 64>> claimed;
        if_(n > 0, [&] { claimed.reset(new Slot<f32, 64>(y.tile(this_program()))); });
        claimed->store(zeros<f32, 64>());
      },
      "the tile that tile(...) gives here is never stored");
  expect_error(
      [](OutTiles<f32, 64> y, Scalar<i32> n) { if_(n > 0, [&] { y.tile(0).store(zeros<f32, 64>()); }, [&] { (void)y.tile(0); }); },
      "the tile that tile(...) gives here is never stored");
  expect_error(
      [](OutTiles<f32, 64> y, Scalar<i32> n) {
        std::unique_ptr<Slot<f32, 64>> claimed;
        if_(
            n > 0,
            [&] {
              claimed.reset(new Slot<f32, 64>(y.tile(0)));
              claimed->store(zeros<f32, 64>());
            },
            [&] { claimed->store(zeros<f32, 64>()); });
      },
      has_ended);
}

TEST(Slots, OfAConditionOfALoop) {
  expect_error(
      [](OutTiles<f32, 64> y, Scalar<i64> n) {
        Int i = 0;
        std::unique_ptr<Slot<f32, 64>> claimed;
        for (auto _ : loop_while([&] {
               claimed.reset(new Slot<f32, 64>(y.tile(i)));
               return i < n;
             })) {
          claimed->store(zeros<f32, 64>());
          i += 1;
        }
      },
      "the tile that tile(...) gives here is never stored");
}

TEST(Slots, OfAnEarlierTrace) {
  kept<Slot<f32, 8>>() = nullptr;
  const auto keep = [](Out<f32, 8> y) {
    if (!kept<Slot<f32, 8>>())
      kept<Slot<f32, 8>>() = std::make_unique<Slot<f32, 8>>(y.slot_id());
    kept<Slot<f32, 8>>()->store(zeros<f32, 8>());
  };
  expect_error(keep, other_trace);
  expect_error([](Out<f32, 8>) { kept<Slot<f32, 8>>()->store(zeros<f32, 8>()); }, other_trace);
}

TEST(Slots, InputsOfAnEarlierTrace) {
  kept<In<f32, 8>>() = nullptr;
  const auto keep = [](Out<f32, 8> y, In<f32, 8> a) {
    if (!kept<In<f32, 8>>())
      kept<In<f32, 8>>() = std::make_unique<In<f32, 8>>(a.view());
    y.store((*kept<In<f32, 8>>())[y]);
  };
  expect_error(keep, other_trace);
}

TEST(Slots, StoreNothingOfAnotherShape) {
  expect_error([](Out<f32, 64> y) { Slot<f32, 16>(y.slot_id()).store(zeros<f32, 16>()); },
               "a tile of 16xf32 is stored into an output tile of 64xf32");
}

} // namespace
} // namespace tegula::trace

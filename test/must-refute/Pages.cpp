// A cache in pages, which sequences of a batch append to and read: what keeps them apart and inside, and what happens without it.
#include "Refute.h"

namespace {

using namespace tegula;
using namespace tegula::test;
using enum ObligationKind;

constexpr int tokens = 4; // of a page

enum class Mistake { nothing, slot_may_be_none, page_may_be_none, none_is_the_first, one_too_far, anywhere };

/// Program b appends for the sequence in row b of a batch.
template <class Table, class Slots, Mistake mistake = Mistake::nothing>
void append(Patch<i32, 1, 1> cache, Table table, Slots slots, In<i32, 1> positions) {
  using enum Mistake;
  expects(cache.extent(0) >= table.bound() && cache.extent(0) >= 1 && cache.extent(1) == tokens, "each entry is a page");
  expects(table.extent(0) >= slots.bound(), "each slot has a row in the table");
  expects(slots.extent(0) >= programs() && positions.extent(0) >= programs(), "a slot and a position for each program");
  auto slot = reshape<>(slots(this_program())), position = reshape<>(positions(this_program()));
  auto capacity = table.extent(1) * tokens;
  auto inside = position >= 0 && (mistake == one_too_far ? position <= capacity : position < capacity);
  if (mistake == anywhere)
    inside = Scalar<bool>(true);
  if_(inside && slot >= (mistake == slot_may_be_none ? -1 : 0), [&] {
    auto page = reshape<>(table(slot, position / tokens));
    if (mistake == none_is_the_first)
      page = maximum(page, 0);
    if_(page >= (mistake == page_may_be_none ? -1 : 0), [&] { cache.tile(page, position % tokens).store(ones<i32, 1, 1>()); });
  });
}
constexpr int lookup = __LINE__ - 6, write = __LINE__ - 3;
using Table = DistinctIndexOrNone<i32, 1, 1>;
using Slots = DistinctIndexOrNone<i32, 1>;

TEST(Pages, EachSequenceAppendsAtItsPosition) { expect_proved(kernel<append<Table, Slots>>("append")); }

TEST(Pages, ATableWithAPageTwice) {
  expect_refuted(kernel<append<IndexOrNone<i32, 1, 1>, Slots>>("append"),
                 Race{1, write, write, "programs 0 and 1 at 0, 0 in 1×4; 2×1 below 1; 2 below 2; 2; 2 programs"});
}

TEST(Pages, TwoRowsWithOneSlot) {
  expect_refuted(kernel<append<Table, IndexOrNone<i32, 1>>>("append"),
                 Race{1, write, write, "programs 0 and 1 at 0, 0 in 1×4; 1×1 below 1; 2 below 1; 2; 2 programs"});
}

TEST(Pages, NoneTakenForTheFirstPage) {
  expect_refuted(kernel<append<Table, Slots, Mistake::none_is_the_first>>("append"),
                 Race{1, write, write, "programs 0 and 1 at 0, 0 in 1×4; 2×1 below 1; 2 below 2; 2; 2 programs"});
}

// The rest depends on data, so that no launch is wrong by itself: it would be checked, and what is strict is refused.

TEST(Pages, APageThatMayBeNone) {
  const auto k = kernel<append<Table, Slots, Mistake::page_may_be_none>>("append", {.strict = true});
  expect_too_strict(k, write, "store of parameter 1 along axis 0");
}

TEST(Pages, ASlotThatMayBeNone) {
  const auto k = kernel<append<Table, Slots, Mistake::slot_may_be_none>>("append", {.strict = true});
  expect_too_strict(k, lookup, "load of parameter 2 along axis 0");
}

TEST(Pages, ASequenceThatIsFull) {
  const auto k = kernel<append<Table, Slots, Mistake::one_too_far>>("append", {.strict = true});
  expect_too_strict(k, lookup, "load of parameter 2 along axis 1");
}

TEST(Pages, APositionThatNobodyLookedAt) {
  const auto k = kernel<append<Table, Slots, Mistake::anywhere>>("append", {.strict = true});
  expect_too_strict(k, lookup, "load of parameter 2 along axis 1");
}

TEST(Pages, OneProgramOfAGroupAppends) {
  expect_proved(kernel("group", [](Out<i32, 1, 1> o, Patch<i32, 1, 1> cache, DistinctIndexOrNone<i32, 1> places) {
    expects(cache.extent(0) == places.bound() && cache.extent(1) * 4 == o.extent(1) && places.extent(0) == o.extent(0),
            "four query heads for each head of the cache");
    auto head = o.at(1) / 4, query = o.at(1) % 4;
    auto place = reshape<>(places(o.at(0)));
    o.store(zeros<i32, 1, 1>());
    if_(query == 0 && place >= 0, [&] { cache.tile(place, head).store(ones<i32, 1, 1>()); });
  }));
  static int line;
  expect_refuted(kernel("every one of the group",
                        [](Out<i32, 1, 1> o, Patch<i32, 1, 1> cache, DistinctIndexOrNone<i32, 1> places) {
                          expects(cache.extent(0) == places.bound() && cache.extent(1) * 4 == o.extent(1) &&
                                      places.extent(0) == o.extent(0),
                                  "four query heads for each head of the cache");
                          expects(places.bound() >= 1, "there is a place");
                          auto head = o.at(1) / 4;
                          auto place = reshape<>(places(o.at(0)));
                          o.store(zeros<i32, 1, 1>());
                          if_(place >= 0, [&] {
                            line = next_line();
                            cache.tile(place, head).store(ones<i32, 1, 1>());
                          });
                        }),
                 Race{2, line, line, "programs 0 and 1 at 0, 0 in 1×4; 1×1; 1 below 1; 4 programs"});
}

TEST(Pages, PlacesThatAreTakenApart) {
  expect_proved(kernel("places", [](Patch<i32, 1, 1> cache, DistinctIndexOrNone<i32, 1> places) {
    expects(places.bound() <= cache.extent(0) * tokens && cache.extent(1) == tokens, "each place is in a page");
    expects(places.extent(0) >= programs(), "a place for each program");
    auto place = reshape<>(places(this_program()));
    if_(place >= 0, [&] { cache.tile(place / tokens, place % tokens).store(ones<i32, 1, 1>()); });
  }));
  static int line;
  expect_refuted(kernel("pages of another size",
                        [](Patch<i32, 1, 1> cache, DistinctIndexOrNone<i32, 1> places) {
                          expects(places.bound() <= cache.extent(0) * tokens && cache.extent(1) == tokens,
                                  "each place is in a page");
                          expects(places.extent(0) >= programs(), "a place for each program");
                          auto place = reshape<>(places(this_program()));
                          if_(place >= 0, [&] {
                            line = next_line();
                            cache.tile(place / tokens, place % (tokens / 2)).store(ones<i32, 1, 1>());
                          });
                        }),
                 Race{1, line, line, "programs 0 and 2 at 0, 0 in 1×4; 3 below 3; 3 programs"});
}

/// The page of each entry of a table, which is data.
template <bool OneTooMany> void read(Out<i32, 1, tokens> y, In<i32, 1, tokens> cache, In<i32, 1> table) {
  expects(cache.extent(0) >= 1 && cache.extent(1) == tokens && y.extent(1) == tokens && table.extent(0) == y.extent(0), "pages");
  auto page = clamp(cast<i64>(reshape<>(table(y.row()))), 0, cache.extent(0) - (OneTooMany ? 0 : 1));
  y.store(cache(page, 0));
}
constexpr int read_line = __LINE__ - 2;

TEST(Pages, NumbersOfPagesThatAreHeldInside) {
  expect_proved(kernel<read<false>>("read"));
  expect_too_strict(kernel<read<true>>("read", {.strict = true}), read_line, "load of parameter 2 along axis 0");
}

} // namespace

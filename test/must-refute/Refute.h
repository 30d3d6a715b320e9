// What is expected of a kernel's proof. Parameters are counted from 1, as messages do.
#pragma once
#include "lib/runtime/Inspect.h"
#include "tegula/tegula.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <source_location>
#include <string>
#include <vector>

namespace tegula::test {

/// For `line = next_line();` in a kernel, before the access that the test is about.
inline int next_line(std::source_location here = std::source_location::current()) { return static_cast<int>(here.line()) + 1; }

struct Bounds {
  int parameter, axis;
  const int& line;     // set while the kernel is traced
  std::string witness; // "program 0 at 1 in 16; 16; 1 program": of a loop, its variable in brackets
};
/// Refuted, by a launch that goes wrong when it is run with every check.
void expect_refuted(const AnyKernel&, const Bounds&, std::source_location = std::source_location::current());

struct Race {
  int parameter;
  const int &line, &other;
  std::string witness; // "programs 0 and 1 at 0 in 16; 2 programs"
};
void expect_refuted(const AnyKernel&, const Race&, std::source_location = std::source_location::current());

struct Hole {
  int parameter;
  const int& line;
  std::string witness; // "nobody at 16 in 32; 1 program"
};
void expect_refuted(const AnyKernel&, const Hole&, std::source_location = std::source_location::current());

/// The step of a loop, without an axis, or the place of a sub-tile.
struct Beyond {
  int axis;
  const int& line;
  std::string witness; // "program 0 at 0 in 16; 1 program"
};
void expect_refuted(const AnyKernel&, const Beyond&, std::source_location = std::source_location::current());

/// A value of an index that is written.
struct Value {
  int parameter;
  const int& line;
  std::string witness; // "program 0 at 3 in 16 below 3; 1 program"
};
void expect_refuted(const AnyKernel&, const Value&, std::source_location = std::source_location::current());

/// Which obligation: of bounds with an axis, of the others without.
struct Which {
  ObligationKind kind;
  int parameter, axis = -1, line = 0; // 0: any
};
constexpr int no_parameter = 0; // of steps and sub-tiles
/// Not refuted, and the obligations that fit have the rung and, unless it is empty, the reason.
void expect_rung(const AnyKernel&, const Which&, Rung, const std::string& how = "",
                 std::source_location = std::source_location::current());
inline void expect_condition(const AnyKernel& k, const Which& which, const std::string& condition,
                             std::source_location at = std::source_location::current()) {
  expect_rung(k, which, Rung::condition, condition, at);
}

/// Every obligation is proved for all launches that the author's own expects() admit.
void expect_proved(const AnyKernel&, std::source_location = std::source_location::current());
/// Every obligation is proved, or a condition of the launch: nothing is checked in the kernel.
void expect_settled(const AnyKernel&, std::source_location = std::source_location::current());
/// Refused because it is strict; the message has the words.
void expect_too_strict(const AnyKernel&, int line, const std::string& words,
                       std::source_location = std::source_location::current());

/// Whether this process checks everything and proves nothing.
bool checks_everything();
std::string message_of_launch(const std::function<void()>& launch);
void expect_refusal(const std::string& message, const std::string& condition, std::source_location);

/// The launch does not meet the condition, so it is refused before any program runs, and gives its output back; where everything is
/// checked instead, it traps.
template <class Op>
void expect_refused(Op&& op, const std::string& condition, std::source_location at = std::source_location::current()) {
  expect_refusal(message_of_launch([&] { std::move(op).sync(); }), condition, at);
  if (!checks_everything()) {
    const std::vector<i32> left = std::move(op).cancel().to_host();
    EXPECT_EQ(left, std::vector<i32>(left.size(), 7)) << at.file_name() << ":" << at.line() << ": no program ran";
  } else {
    std::move(op).cancel();
  }
}

/// Sevens, to see what a launch has written.
template <class... E> auto sevens(E... extents) {
  return Tensor<i32, sizeof...(E)>::full(Device::cpu(), {static_cast<i64>(extents)...}, 7);
}
template <class... E> auto ones_of(E... extents) {
  return Tensor<i32, sizeof...(E)>::full(Device::cpu(), {static_cast<i64>(extents)...}, 1).share();
}

} // namespace tegula::test

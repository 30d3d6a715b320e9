// What a launch must satisfy, as plain data: made by the prover, evaluated by the host without LLVM.
#pragma once
#include "lib/trace/Record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula {

/// What a launch looks like, as far as conditions can see. One entry per parameter.
struct LaunchShape {
  struct Parameter {
    std::vector<std::int64_t> extents;      // of a view
    std::vector<std::int64_t> tile;         // of a view
    std::int64_t value = 0;                 // a scalar's, as its type says; or an index tensor's bound
    std::vector<std::int64_t> offsets = {}; // in the launch of a witness, what a tensor of offsets holds
  };
  std::vector<Parameter> parameters;
  std::int64_t programs = 0;
};

/// A number that is the same for all programs of a launch: an expression in postfix order.
struct Uniform {
  enum class Op : std::uint8_t {
    constant, // value
    dim,      // extent of `parameter` along `axis`
    tiles,    // how many tiles cover it; of all axes together if axis < 0
    programs,
    scalar, // `parameter`
    bound,  // of the index tensor `parameter`
    add,
    sub,
    mul,
    div,
    rem,
    min,
    max,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    bit_and,
    bit_or,
    bit_xor,
    shl,
    shr,
    neg,
    abs,
    bit_not,
    select, // condition, then, else
    cast,   // to `dtype`, wrapping
    product // as mathematics has it: of what the prover multiplied, not the kernel
  };
  struct Node {
    Op op = Op::constant;
    DType dtype = DType::i64; // of the result; comparisons: of the operands
    std::int16_t parameter = 0, axis = 0;
    std::int64_t value = 0;
    bool operator==(const Node&) const = default;
  };
  std::vector<Node> nodes;
  bool operator==(const Uniform&) const = default;

  std::int64_t evaluate(const LaunchShape&) const;
  /// The number itself, where products do not wrap; nothing if it has more than 127 bits.
  std::optional<__int128> exactly(const LaunchShape&) const;
  /// Whether an operation gives another number than in mathematics, as it does not fit its type.
  bool wraps(const LaunchShape&) const;
  /// As a person writes it: "#2.count(0)", where #2 is the second parameter.
  std::string str() const;
};

/// What an operation of a kernel gives for integers, `add` and those after it: it wraps in its type and has a result for all
/// operands. A u64 is carried as the i64 with its bits; `b` is ignored by operations of one operand, a select is none of these.
std::int64_t compute(Uniform::Op, DType, std::int64_t a, std::int64_t b);

/// sum + constant >= 0. What is too large to be computed does not hold.
struct Inequality {
  std::vector<std::pair<std::int64_t, Uniform>> sum;
  std::int64_t constant = 0;
  bool holds(const LaunchShape&) const;
  /// Whether it holds only if an extent, a number of tiles or a bound is 0.
  bool says_empty() const;
  /// "#2.count(0) >= #1.count(0) + 1"
  std::string str() const;
  bool operator==(const Inequality&) const = default;
};

/// Holds when one of the inequalities does; an author's own, for `expects`, only if nothing in it wraps around, so that the prover
/// can take it for mathematics.
struct LaunchCondition {
  std::vector<Inequality> any_of;
  std::string text;         // an author's own words, for `expects`; else empty
  std::string purpose;      // "the load reads inside parameter 2 along axis 0"
  trace::Location location; // of the access or `expects`

  bool is_expected() const { return !text.empty(); }
  bool holds(const LaunchShape&) const;
  bool wraps(const LaunchShape&) const;
  /// The inequalities, joined by "or"; without those that only an empty tensor satisfies.
  std::string str() const;
  /// What the inequalities are about, with the launch's numbers: "#1.count(0) = 4, #2.count(0) = 3".
  std::string values(const LaunchShape&) const;
};

} // namespace tegula

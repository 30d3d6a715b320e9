// A template after parsing.
#pragma once
#include "llm/chat/Position.h"
#include "llm/chat/Value.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tegula::llm::jinja {

struct Filter;
struct Test;
struct Expression;
struct Statement;
using ExpressionPointer = std::unique_ptr<const Expression>;
using Body = std::vector<Statement>;

enum class Operator : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in
};

struct Constant {
  Value value;
};
struct Variable {
  std::string name;
};
/// `[a, b]`, or with Form::tuple `(a, b)`.
struct Sequence {
  List::Form form;
  std::vector<ExpressionPointer> items;
};
struct Mapping {
  std::vector<std::pair<ExpressionPointer, ExpressionPointer>> entries;
};
/// `of.name`
struct Attribute {
  ExpressionPointer of;
  std::string name;
};
/// `of[index]`
struct Item {
  ExpressionPointer of, index;
};
/// `of[from:to:step]`, of which any may be missing.
struct Slice {
  ExpressionPointer of, from, to, step;
};
struct ArgumentList {
  std::vector<ExpressionPointer> positional;
  std::vector<std::pair<std::string, ExpressionPointer>> named;
};
struct Call {
  ExpressionPointer callee;
  ArgumentList arguments;
};
/// `loop.name`, in a loop.
struct LoopAttribute {
  std::string name;
};
/// `loop.cycle(...)` or `loop.changed(...)`
struct LoopCall {
  bool cycle;
  ArgumentList arguments;
};
/// `of | filter(...)`; in a `set` block that filters its body there is no `of`.
struct Filtered {
  ExpressionPointer of;
  const Filter* filter;
  ArgumentList arguments;
};
/// `of is test(...)`
struct Tested {
  ExpressionPointer of;
  const Test* test;
  ArgumentList arguments;
};
struct Negation {
  ExpressionPointer of;
};
struct Sign {
  bool minus;
  ExpressionPointer of;
};
/// `left and right`, `left or right`: the value of one of them.
struct Logic {
  bool all;
  ExpressionPointer left, right;
};
struct Arithmetic {
  Operator op;
  ExpressionPointer left, right;
};
/// `a ~ b ~ c`
struct Concatenation {
  std::vector<ExpressionPointer> parts;
};
/// `first < a <= b ...`
struct Comparison {
  ExpressionPointer first;
  std::vector<std::pair<Operator, ExpressionPointer>> rest;
};
/// `yes if condition else no`, where `no` may be missing.
struct Conditional {
  ExpressionPointer condition, yes, no;
};

struct Expression {
  using Content = std::variant<Constant, Variable, Sequence, Mapping, Attribute, Item, Slice, Call, LoopAttribute, LoopCall,
                               Filtered, Tested, Negation, Sign, Logic, Arithmetic, Concatenation, Comparison, Conditional>;
  Position at;
  Content content;
};

inline ExpressionPointer make(Position at, Expression::Content content) {
  return std::make_unique<const Expression>(Expression{at, std::move(content)});
}

/// What a value is assigned to: a name, an attribute of a namespace, or several of these, which share its elements.
struct Target {
  Position at;
  std::string name;
  std::string attribute; ///< empty, if it is a name
  std::vector<Target> parts;
};

struct Words {
  Text text;
};
struct Output {
  ExpressionPointer value;
};
struct If {
  std::vector<std::pair<ExpressionPointer, Body>> branches;
  Body otherwise;
};
struct For {
  Target target;
  ExpressionPointer over, condition;
  Body body, otherwise;
};
struct Set {
  Target target;
  ExpressionPointer value;
};
/// `{% set x | filter %}body{% endset %}`
struct SetBody {
  Target target;
  Body body;
  std::vector<Filtered> filters;
};
struct Macro {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ExpressionPointer> defaults; ///< of the last parameters
  Body body;
};
/// `{% with a = 1 %}`; of `{% generation %}`, too, which has no values.
struct With {
  std::vector<std::pair<Target, ExpressionPointer>> values;
  Body body;
};
struct Break {};
struct Continue {};

struct Statement {
  using Content = std::variant<Words, Output, If, For, Set, SetBody, Macro, With, Break, Continue>;
  Position at;
  Content content;
};

} // namespace tegula::llm::jinja

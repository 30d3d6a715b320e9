// Conditions of a launch as a person writes them.
#include "lib/prove/Condition.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>

namespace tegula {
namespace {

using Op = Uniform::Op;
using Node = Uniform::Node;

/// How tightly operators bind, as in C++.
enum Binding : int { loosest, any, all, bits_or, bits_xor, bits_and, equal, compared, shifted, added, multiplied, prefixed, whole };

struct Text {
  std::string text;
  Binding binding;
  std::string in(Binding context) const { return binding < context ? "(" + text + ")" : text; }
};

struct Operator {
  const char* symbol;
  Binding binding;
};

Operator operator_of(const Node& node) {
  const bool truth = node.dtype == DType::boolean;
  switch (node.op) {
  case Op::add:
    return {" + ", added};
  case Op::sub:
    return {" - ", added};
  case Op::mul:
  case Op::product:
    return {" * ", multiplied};
  case Op::div:
    return {" / ", multiplied};
  case Op::rem:
    return {" % ", multiplied};
  case Op::eq:
    return {" == ", equal};
  case Op::ne:
    return {" != ", equal};
  case Op::lt:
    return {" < ", compared};
  case Op::le:
    return {" <= ", compared};
  case Op::gt:
    return {" > ", compared};
  case Op::ge:
    return {" >= ", compared};
  case Op::bit_and:
    return truth ? Operator{" && ", all} : Operator{" & ", bits_and};
  case Op::bit_or:
    return truth ? Operator{" || ", any} : Operator{" | ", bits_or};
  case Op::bit_xor:
    return {" ^ ", bits_xor};
  case Op::shl:
    return {" << ", shifted};
  default:
    return {" >> ", shifted};
  }
}

std::string number(i64 value, DType dtype) {
  if (dtype == DType::boolean)
    return value ? "true" : "false";
  return dtype == DType::u64 ? std::to_string(static_cast<u64>(value)) : std::to_string(value);
}

std::string leaf_text(const Node& node) {
  std::string parameter = "#" + std::to_string(node.parameter + 1);
  switch (node.op) {
  case Op::dim:
    return parameter + ".extent(" + std::to_string(node.axis) + ")";
  case Op::tiles:
    return node.axis < 0 ? parameter + ".count()" : parameter + ".count(" + std::to_string(node.axis) + ")";
  case Op::programs:
    return "programs";
  case Op::scalar:
    return parameter;
  default:
    return parameter + ".bound()";
  }
}

/// What follows `+` or `-`. A sum on the right needs no parentheses after `+`: it wraps the same in any order.
std::string sum_text(const Node& node, const Text& left, const Text& right) {
  const bool minus = node.op == Op::sub, negative = right.binding == prefixed && right.text[0] == '-';
  if (negative)
    return left.in(added) + (minus ? " + " : " - ") + right.text.substr(1);
  return left.in(added) + (minus ? " - " : " + ") + right.in(minus ? multiplied : added);
}

Text binary_text(const Node& node, const Text& left, const Text& right) {
  if (node.op == Op::min || node.op == Op::max)
    return {(node.op == Op::min ? "minimum(" : "maximum(") + left.text + ", " + right.text + ")", whole};
  if (node.op == Op::add || node.op == Op::sub)
    return {sum_text(node, left, right), added};
  const auto [symbol, binding] = operator_of(node);
  const bool associative = node.op == Op::bit_and || node.op == Op::bit_or || node.op == Op::bit_xor;
  return {left.in(binding) + symbol + right.in(associative ? binding : static_cast<Binding>(binding + 1)), binding};
}

Text unary_text(const Node& node, const Text& of) {
  switch (node.op) {
  case Op::neg:
    return {"-" + of.in(whole), prefixed};
  case Op::abs:
    return {"abs(" + of.text + ")", whole};
  case Op::bit_not:
    return {(node.dtype == DType::boolean ? "!" : "~") + of.in(prefixed), prefixed};
  default:
    return {"cast<" + std::string(name(node.dtype)) + ">(" + of.text + ")", whole};
  }
}

Text text_of(const Uniform& uniform) {
  std::vector<Text> stack;
  const auto pop = [&] {
    Text top = std::move(stack.back());
    stack.pop_back();
    return top;
  };
  for (const Node& node : uniform.nodes) {
    if (node.op == Op::constant) {
      const std::string text = number(node.value, node.dtype);
      stack.push_back({text, text[0] == '-' ? prefixed : whole});
    } else if (node.op < Op::add) {
      stack.push_back({leaf_text(node), whole});
    } else if (node.op == Op::neg || node.op == Op::abs || node.op == Op::bit_not || node.op == Op::cast) {
      stack.push_back(unary_text(node, pop()));
    } else if (node.op == Op::select) {
      const Text otherwise = pop(), then = pop(), condition = pop();
      stack.push_back({"select(" + condition.text + ", " + then.text + ", " + otherwise.text + ")", whole});
    } else {
      const Text right = pop(), left = pop();
      stack.push_back(binary_text(node, left, right));
    }
  }
  return stack.empty() ? Text{"", whole} : stack.back();
}

bool is_truth(const Uniform& uniform) {
  const Node& last = uniform.nodes.back();
  return (last.op >= Op::eq && last.op <= Op::ge) || last.dtype == DType::boolean;
}

u64 magnitude(i64 value) { return value < 0 ? -static_cast<u64>(value) : static_cast<u64>(value); }

using i128 = __int128;

std::string digits(i128 value) { // that is 0 or more
  std::string text;
  for (; value > 0 || text.empty(); value /= 10)
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  return text;
}

/// Without the terms that are numbers.
bool is_number(const std::pair<i64, Uniform>& term) {
  return term.second.nodes.size() == 1 && term.second.nodes[0].op == Op::constant;
}
i128 constant_of(const Inequality& inequality) {
  i128 total = inequality.constant;
  for (const auto& term : inequality.sum)
    if (is_number(term))
      total += i128{term.first} * (term.second.nodes[0].dtype == DType::u64 ? i128{static_cast<u64>(term.second.nodes[0].value)}
                                                                            : i128{term.second.nodes[0].value});
  return total;
}

/// The terms with factors of one sign, and a number that is 0 or more.
std::string side(const Inequality& inequality, bool negative, i128 constant) {
  std::string text;
  for (const auto& term : inequality.sum) {
    const i64 factor = term.first;
    if (factor == 0 || (factor < 0) != negative || is_number(term))
      continue;
    const Text one = text_of(term.second);
    text += text.empty() ? "" : " + ";
    text += magnitude(factor) == 1 ? one.in(added) : std::to_string(magnitude(factor)) + " * " + one.in(multiplied);
  }
  if (constant != 0 || text.empty())
    text += (text.empty() ? "" : " + ") + digits(constant);
  return text;
}

/// False if only numbers are compared.
bool is_about_launch(const Inequality& inequality) {
  const auto is_leaf = [](const Node& node) { return node.op > Op::constant && node.op < Op::add; };
  return std::ranges::any_of(inequality.sum, [&](const auto& term) { return std::ranges::any_of(term.second.nodes, is_leaf); });
}

} // namespace

std::string Uniform::str() const { return text_of(*this).text; }

std::string Inequality::str() const {
  if (sum.size() == 1 && is_truth(sum[0].second)) { // "it is true", "it is false"
    if (sum[0].first == 1 && constant == -1)
      return sum[0].second.str();
    if (sum[0].first == -1 && constant == 0)
      return "!" + text_of(sum[0].second).in(prefixed);
  }
  const bool left = std::ranges::any_of(sum, [](const auto& term) { return term.first > 0 && !is_number(term); });
  const bool right = std::ranges::any_of(sum, [](const auto& term) { return term.first < 0 && !is_number(term); });
  const i128 number = constant_of(*this), size = number < 0 ? -number : number;
  if (!left && !right)
    return number >= 0 ? "true" : "false";
  if (!right)
    return side(*this, false, 0) + " >= " + (number > 0 ? "-" : "") + digits(size);
  if (!left)
    return side(*this, true, 0) + " <= " + (number < 0 ? "-" : "") + digits(size);
  return side(*this, false, number > 0 ? size : 0) + " >= " + side(*this, true, number < 0 ? size : 0);
}

std::string LaunchCondition::str() const {
  std::string text;
  const bool only_empty = std::ranges::all_of(any_of, &Inequality::says_empty);
  for (const Inequality& inequality : any_of)
    if ((is_about_launch(inequality) || inequality.holds({})) && (only_empty || !inequality.says_empty()))
      text += (text.empty() ? "" : " or ") + inequality.str();
  return text.empty() ? "false" : text;
}

std::string LaunchCondition::values(const LaunchShape& launch) const {
  std::vector<Node> leaves;
  for (const Inequality& inequality : any_of)
    for (const auto& [factor, term] : inequality.sum)
      for (const Node& node : term.nodes)
        if (node.op > Op::constant && node.op < Op::add && std::ranges::find(leaves, node) == leaves.end())
          leaves.push_back(node);
  std::ranges::sort(leaves, {}, [](const Node& node) {
    const int parameter = node.op == Op::programs ? std::numeric_limits<int>::max() : node.parameter;
    return std::tuple(parameter, node.op, node.axis);
  });
  std::string text;
  for (const Node& node : leaves)
    text += (text.empty() ? "" : ", ") + leaf_text(node) + " = " + number(Uniform{{node}}.evaluate(launch), node.dtype);
  return text;
}

} // namespace tegula

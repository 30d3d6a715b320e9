// What expressions compute.
#include "llm/chat/Access.h"
#include "llm/chat/Arithmetic.h"
#include "llm/chat/Compare.h"
#include "llm/chat/Filters.h"
#include "llm/chat/Operators.h"
#include "llm/chat/Renderer.h"
#include "llm/chat/Replaced.h"
#include "llm/chat/Show.h"

#include <algorithm>

namespace tegula::llm::jinja {

Value Renderer::evaluate(const Expression& expression) {
  const Run::Level level(run_);
  run_.step();
  // What fails while it is computed, fails here; what is computed for it, puts this back when it is done.
  const Replaced at(run_.at, expression.at);
  return std::visit([this](const auto& content) { return evaluate(content); }, expression.content);
}

Value Renderer::evaluate(const Variable& variable) {
  if (const Value* value = scope_->find(run_, variable.name))
    return *value;
  if (auto function = find_function(variable.name))
    return *function;
  return Value::undefined("'" + variable.name + "' is not defined");
}

Value Renderer::evaluate(const Sequence& sequence) {
  std::vector<Value> items;
  for (const ExpressionPointer& item : sequence.items)
    items.push_back(evaluate(*item));
  return run_.list(std::move(items), sequence.form);
}

Value Renderer::evaluate(const Mapping& mapping) {
  Dict dict;
  for (const auto& [key, value] : mapping.entries) {
    const Value name = evaluate(*key);
    require_key(run_, name);
    dict.set(name, evaluate(*value));
  }
  return run_.dict(std::move(dict));
}

Value Renderer::evaluate(const Attribute& node) { return attribute(run_, evaluate(*node.of), node.name); }

Value Renderer::evaluate(const Item& node) {
  const Value of = evaluate(*node.of);
  return item(run_, of, evaluate(*node.index));
}

Value Renderer::evaluate(const Slice& node) {
  const auto bound = [this](const ExpressionPointer& expression) { return expression ? evaluate(*expression) : Value(); };
  const Value of = evaluate(*node.of), from = bound(node.from), to = bound(node.to);
  return slice(run_, of, from, to, bound(node.step));
}

Value Renderer::evaluate(const LoopAttribute& node) { return loop_->attribute(node.name); }

Value Renderer::evaluate(const LoopCall& node) {
  const Arguments arguments = evaluate(node.arguments);
  return node.cycle ? loop_->cycle(arguments) : loop_->changed(arguments);
}

Value Renderer::evaluate(const Filtered& node) {
  const Value of = evaluate(*node.of);
  return apply(run_, *node.filter, of, evaluate(node.arguments));
}

Value Renderer::evaluate(const Tested& node) {
  const Value of = evaluate(*node.of);
  return Value::boolean(node.test->holds(run_, of, evaluate(node.arguments)));
}

Value Renderer::evaluate(const Negation& node) { return Value::boolean(!is_truthy(evaluate(*node.of))); }

Value Renderer::evaluate(const Sign& node) { return apply_sign(run_, node.minus, evaluate(*node.of)); }

Value Renderer::evaluate(const Logic& node) {
  Value left = evaluate(*node.left);
  return is_truthy(left) == node.all ? evaluate(*node.right) : left;
}

Value Renderer::evaluate(const Arithmetic& node) {
  const Value left = evaluate(*node.left);
  return apply(run_, node.op, left, evaluate(*node.right));
}

Value Renderer::evaluate(const Concatenation& node) {
  Text all;
  for (const ExpressionPointer& part : node.parts) {
    const Text text = to_text(run_, evaluate(*part));
    run_.make(text.weight());
    all.append(text);
  }
  return run_.text(std::move(all));
}

Value Renderer::evaluate(const Comparison& node) {
  Value left = evaluate(*node.first);
  for (const auto& [op, expression] : node.rest) {
    Value right = evaluate(*expression);
    if (!compare(run_, op, left, right))
      return Value::boolean(false);
    left = std::move(right);
  }
  return Value::boolean(true);
}

Value Renderer::evaluate(const Conditional& node) {
  if (is_truthy(evaluate(*node.condition)))
    return evaluate(*node.yes);
  return node.no ? evaluate(*node.no)
                 : Value::undefined("the condition of an 'if' without 'else' does not hold, so it has no value");
}

Arguments Renderer::evaluate(const ArgumentList& list) {
  Arguments arguments;
  for (const ExpressionPointer& expression : list.positional)
    arguments.positional.push_back(evaluate(*expression));
  for (const auto& [name, expression] : list.named)
    arguments.named.emplace_back(name, evaluate(*expression));
  return arguments;
}

Value Renderer::evaluate(const Call& node) {
  const Value value = evaluate(*node.callee);
  if (const auto* undefined = value.get<Undefined>())
    run_.fail(*undefined->why);
  const Callable* callee = value.as_callable();
  if (!callee)
    run_.fail("a value of type " + std::string(type_name(value)) + " cannot be called");
  const Arguments arguments = evaluate(node.arguments);
  if (const auto* function = std::get_if<Function>(&callee->target))
    return (*function)(run_, arguments);
  if (const auto* bound = std::get_if<BoundMethod>(&callee->target))
    return bound->method(run_, bound->self, arguments);
  return call(*std::get<const Macro*>(callee->target), arguments);
}

Value Renderer::call(const Macro& macro, const Arguments& arguments) {
  const std::size_t count = macro.parameters.size(), required = count - macro.defaults.size();
  if (arguments.positional.size() > count)
    run_.fail("the macro '" + macro.name + "' takes " + std::to_string(count) + " arguments at most, and " +
              std::to_string(arguments.positional.size()) + " are given");
  Scope inner(&top_);
  std::vector<bool> given(count);
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    inner.set(run_, macro.parameters[i], arguments.positional[i]);
    given[i] = true;
  }
  for (const auto& [name, value] : arguments.named) {
    const auto place = static_cast<std::size_t>(std::ranges::find(macro.parameters, name) - macro.parameters.begin());
    if (place == count || given[place])
      run_.fail("the macro '" + macro.name + "' " + (place == count ? "has no argument '" : "is given twice its argument '") +
                std::string(name) + "'");
    inner.set(run_, macro.parameters[place], value);
    given[place] = true;
  }
  const Replaced scope(scope_, &inner);
  const Replaced loop(loop_, static_cast<Loop*>(nullptr));
  for (std::size_t i = 0; i < count; ++i)
    if (!given[i])
      inner.set(run_, macro.parameters[i],
                i >= required ? evaluate(*macro.defaults[i - required])
                              : Value::undefined("the macro's argument '" + macro.parameters[i] + "' is not given"));
  return run_.text(render(macro.body));
}

} // namespace tegula::llm::jinja

#include "llm/chat/Renderer.h"
#include "llm/chat/Filters.h"
#include "llm/chat/Replaced.h"
#include "llm/chat/Show.h"

namespace tegula::llm::jinja {
Text Renderer::render(const Body& body) {
  Text output;
  const Replaced printed(output_, &output);
  run(body);
  return output;
}

Renderer::Flow Renderer::run(const Body& body) {
  const Run::Level level(run_);
  for (const Statement& statement : body) {
    run_.at = statement.at;
    run_.step();
    const Flow flow = std::visit([this](const auto& content) { return run(content); }, statement.content);
    if (flow != Flow::on)
      return flow;
  }
  return Flow::on;
}

Renderer::Flow Renderer::run_scope(const Body& body) {
  Scope inner(scope_);
  const Replaced scope(scope_, &inner);
  return run(body);
}

void Renderer::print(const Text& text) {
  run_.make(text.weight());
  output_->append(text);
}

Renderer::Flow Renderer::run(const Words& words) {
  print(words.text);
  return Flow::on;
}

Renderer::Flow Renderer::run(const Output& output) {
  const Value value = evaluate(*output.value);
  print(to_text(run_, value));
  return Flow::on;
}

Renderer::Flow Renderer::run(const If& statement) {
  for (const auto& [condition, body] : statement.branches)
    if (is_truthy(evaluate(*condition)))
      return run(body);
  return run(statement.otherwise);
}

Renderer::Flow Renderer::run(const For& statement) {
  Loop::Choice choose;
  Loop* const around = loop_;
  const Scope* const outside = scope_;
  if (statement.condition)
    choose = [&](const Value& element) -> std::optional<Value> {
      Scope test(outside);
      const Replaced scope(scope_, &test);
      const Replaced loop(loop_, around);
      assign(statement.target, element);
      return is_truthy(evaluate(*statement.condition)) ? std::optional(gather(statement.target)) : std::nullopt;
    };
  const Value over = evaluate(*statement.over);
  run_.at = statement.target.at;
  Loop loop(run_, over, choose);
  bool completed = false; // one turn at least, up to its end: as in Jinja, where `else` is of use after others, too
  while (loop.advance()) {
    Scope turn(scope_);
    const Replaced scope(scope_, &turn);
    const Replaced innermost(loop_, &loop);
    assign(statement.target, loop.current());
    const Flow flow = run(statement.body);
    if (flow == Flow::leave)
      break;
    completed = completed || flow == Flow::on;
  }
  return completed ? Flow::on : run_scope(statement.otherwise);
}

Renderer::Flow Renderer::run(const Set& statement) {
  const Value value = evaluate(*statement.value);
  assign(statement.target, value);
  return Flow::on;
}

Renderer::Flow Renderer::run(const SetBody& statement) {
  Text text;
  {
    const Replaced printed(output_, &text);
    if (const Flow flow = run_scope(statement.body); flow != Flow::on)
      return flow;
  }
  Value value = Value::text(std::move(text));
  for (const Filtered& filtered : statement.filters)
    value = apply(run_, *filtered.filter, value, evaluate(filtered.arguments));
  assign(statement.target, value);
  return Flow::on;
}

Renderer::Flow Renderer::run(const Macro& macro) {
  scope_->set(run_, macro.name, Value::Content(std::make_shared<const Callable>(Callable{&macro})));
  return Flow::on;
}

Renderer::Flow Renderer::run(const With& statement) {
  Scope inner(scope_);
  std::vector<Value> values;
  for (const auto& [target, value] : statement.values)
    values.push_back(evaluate(*value));
  const Replaced scope(scope_, &inner);
  for (std::size_t i = 0; i < values.size(); ++i)
    assign(statement.values[i].first, values[i]);
  return run(statement.body);
}

Value Renderer::gather(const Target& target) {
  if (target.parts.empty())
    return *scope_->find(run_, target.name);
  std::vector<Value> parts;
  for (const Target& part : target.parts)
    parts.push_back(gather(part));
  return run_.list(std::move(parts), List::Form::tuple);
}

void Renderer::assign(const Target& target, const Value& value) {
  run_.at = target.at;
  if (!target.parts.empty()) {
    const std::vector<Value> parts = take_all(run_, value);
    if (parts.size() != target.parts.size())
      run_.fail("there are " + std::to_string(parts.size()) + " values for " + std::to_string(target.parts.size()) + " names");
    for (std::size_t i = 0; i < parts.size(); ++i)
      assign(target.parts[i], parts[i]);
    return;
  }
  if (target.attribute.empty())
    return scope_->set(run_, target.name, value);
  const Value* held = scope_->find(run_, target.name);
  Namespace* space = held ? held->as_namespace() : nullptr;
  if (!space)
    run_.fail("'" + target.name + "' is no namespace, so its attributes cannot be set; make it one with namespace()");
  if (target.attribute.starts_with('_'))
    run_.fail("attributes of a namespace may not start with '_'");
  run_.step(space->attributes.size() / 8);
  run_.make(sizeof(Value));
  space->set(target.attribute, value);
}

} // namespace tegula::llm::jinja

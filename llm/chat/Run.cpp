#include "llm/chat/Run.h"
#include "tegula/error.hpp"

#include <algorithm>

namespace tegula::llm::jinja {
namespace {

constexpr int most_height = 200; // of lists in lists: what walks them, recurses

} // namespace

void fail_at(const std::string& name, Position at, const std::string& message) {
  throw Error(name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message);
}

void Run::fail(const std::string& message) const { fail_at(name_, at, message); }

void Run::out_of_steps() const {
  fail("the template takes more than " + std::to_string(limits_.steps) +
       " steps for this conversation; shorten it, or allow more in Limits::steps");
}
void Run::out_of_bytes() const {
  fail("the template makes strings and lists of more than " + std::to_string(limits_.bytes) +
       " bytes for this conversation; shorten it, or allow more in Limits::bytes");
}

Value Run::text(Text text) {
  make(96 + text.weight());
  return Value::text(std::move(text));
}

Value Run::list(std::vector<Value> items, List::Form form) {
  make(96 + items.size() * sizeof(Value));
  step(items.size() / 8);
  auto list = std::make_shared<List>();
  list->form = form;
  for (const Value& item : items)
    list->height = std::max(list->height, height_of(item) + 1);
  list->items = std::move(items);
  if (list->height > most_height)
    fail("lists and dictionaries are nested more than " + std::to_string(most_height) + " deep");
  return Value::Content(std::move(list));
}

Value Run::dict(Dict dict) {
  make(192 + dict.entries().size() * 2 * sizeof(Dict::Entry));
  if (dict.height > most_height)
    fail("lists and dictionaries are nested more than " + std::to_string(most_height) + " deep");
  return Value::Content(std::make_shared<const Dict>(std::move(dict)));
}

Value Run::make_namespace(Namespace space) {
  make(256 + space.attributes.size() * sizeof(Value) * 2);
  return Value::Content(&namespaces_.emplace_back(std::move(space)));
}

} // namespace tegula::llm::jinja

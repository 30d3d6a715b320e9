#include "llm/chat/Elements.h"
#include "llm/chat/Unicode.h"

namespace tegula::llm::jinja {

Elements::Elements(Run& run, Value of) : run_(run), of_(std::move(of)) {
  if (!are_in(of_))
    run_.fail("a value of type " + std::string(type_name(of_)) + " has no elements to iterate over");
}

bool Elements::are_in(const Value& value) {
  return value.is_undefined() || value.as_list() || value.as_dict() || value.as_any_text();
}

std::optional<Value> Elements::next() {
  run_.step();
  if (List* list = of_.as_list()) {
    std::size_t& next = list->form == List::Form::generator ? list->taken : next_;
    return next < list->items.size() ? std::optional(list->items[next++]) : std::nullopt;
  }
  if (const Dict* dict = of_.as_dict())
    return next_ < dict->entries().size() ? std::optional(dict->entries()[next_++].first) : std::nullopt;
  const Text* text = of_.as_any_text();
  if (!text || next_ >= text->size())
    return std::nullopt;
  const std::size_t start = next_;
  next_point(text->bytes(), next_);
  return run_.text(text->slice(start, next_));
}

std::optional<std::size_t> Elements::count() const {
  if (const List* list = of_.as_list())
    return list->form == List::Form::generator ? std::nullopt : std::optional(list->items.size());
  if (const Dict* dict = of_.as_dict())
    return dict->entries().size();
  const Text* text = of_.as_any_text();
  return text ? count_points(text->bytes()) : 0;
}

std::vector<Value> take_all(Run& run, const Value& value) {
  Elements elements(run, value);
  std::vector<Value> all;
  while (auto element = elements.next())
    all.push_back(std::move(*element));
  return all;
}

} // namespace tegula::llm::jinja

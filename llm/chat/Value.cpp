#include "llm/chat/Value.h"

#include <algorithm>
#include <cmath>

namespace tegula::llm::jinja {
namespace {

std::partial_ordering compare(std::int64_t left, double right) {
  constexpr double beyond = 0x1p63;
  if (std::isnan(right))
    return std::partial_ordering::unordered;
  if (right >= beyond)
    return std::partial_ordering::less;
  if (right < -beyond)
    return std::partial_ordering::greater;
  const double whole = std::floor(right);
  const std::partial_ordering order = left <=> static_cast<std::int64_t>(whole);
  return order == 0 && right > whole ? std::partial_ordering::less : order;
}

std::partial_ordering reversed(std::partial_ordering order) { return 0 <=> order; }

} // namespace

const Value* Dict::find(std::string_view key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &entries_[found->second].second;
}

const Value* Dict::find_other(const Value& key) const {
  if (const Text* text = key.as_text())
    return find(text->bytes());
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) { return equal_scalars(entry.first, key); });
  return found == entries_.end() ? nullptr : &found->second;
}

void Dict::set(const Value& key, Value value) {
  height = std::max(height, height_of(value) + 1);
  if (const Value* present = find_other(key)) {
    const_cast<Value&>(*present) = std::move(value); // NOLINT(cppcoreguidelines-pro-type-const-cast): of this dictionary
    return;
  }
  entries_.emplace_back(key, std::move(value));
  if (const Text* text = key.as_text())
    index_.emplace(text->bytes(), entries_.size() - 1);
}

const Value* Namespace::find(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, [](const auto& attribute) -> std::string_view { return attribute.first; });
  return found == attributes.end() ? nullptr : &found->second;
}

void Namespace::set(std::string_view name, Value value) {
  const auto found = std::ranges::find(attributes, name, [](const auto& attribute) -> std::string_view { return attribute.first; });
  if (found == attributes.end())
    attributes.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

bool is_truthy(const Value& value) {
  if (value.is_undefined() || value.is_none())
    return false;
  if (const auto number = as_real(value))
    return *number != 0;
  if (const Text* text = value.as_any_text())
    return !text->empty();
  if (const List* list = value.as_list())
    return list->form == List::Form::generator || !list->items.empty();
  if (const Dict* dict = value.as_dict())
    return !dict->entries().empty();
  return true;
}

std::string_view type_name(const Value& value) {
  struct Names {
    std::string_view operator()(const Undefined&) const { return "Undefined"; }
    std::string_view operator()(None) const { return "None"; }
    std::string_view operator()(const Safe&) const { return "safe string"; }
    std::string_view operator()(bool) const { return "bool"; }
    std::string_view operator()(std::int64_t) const { return "int"; }
    std::string_view operator()(double) const { return "float"; }
    std::string_view operator()(const std::shared_ptr<const Text>&) const { return "str"; }
    std::string_view operator()(const std::shared_ptr<const Dict>&) const { return "dict"; }
    std::string_view operator()(Namespace*) const { return "namespace"; }
    std::string_view operator()(const std::shared_ptr<const Callable>&) const { return "function"; }
    std::string_view operator()(const std::shared_ptr<List>& list) const {
      switch (list->form) {
      case List::Form::list:
        return "list";
      case List::Form::tuple:
        return "tuple";
      case List::Form::range:
        return "range";
      case List::Form::keys:
        return "dict_keys";
      case List::Form::values:
        return "dict_values";
      case List::Form::items:
        return "dict_items";
      case List::Form::generator:
        return "generator";
      }
      return "list";
    }
  };
  return std::visit(Names{}, value.content());
}

int height_of(const Value& value) {
  if (const List* list = value.as_list())
    return list->height;
  const Dict* dict = value.as_dict();
  return dict ? dict->height : 0;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (const auto* integer = value.get<std::int64_t>())
    return *integer;
  if (const auto* boolean = value.get<bool>())
    return *boolean ? 1 : 0;
  return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const auto* real = value.get<double>())
    return *real;
  if (const auto integer = as_integer(value))
    return static_cast<double>(*integer);
  return std::nullopt;
}

std::partial_ordering compare_numbers(const Value& left, const Value& right) {
  const auto left_integer = as_integer(left), right_integer = as_integer(right);
  if (left_integer && right_integer)
    return *left_integer <=> *right_integer;
  const auto *left_real = left.get<double>(), *right_real = right.get<double>();
  if (left_real && right_real)
    return *left_real <=> *right_real;
  if (left_integer && right_real)
    return compare(*left_integer, *right_real);
  if (left_real && right_integer)
    return reversed(compare(*right_integer, *left_real));
  return std::partial_ordering::unordered;
}

bool equal_scalars(const Value& left, const Value& right) {
  if (left.is_undefined() || right.is_undefined())
    return left.is_undefined() && right.is_undefined();
  if (left.is_none() || right.is_none())
    return left.is_none() && right.is_none();
  const Text *left_text = left.as_text(), *right_text = right.as_text();
  if (left_text && right_text)
    return left_text->bytes() == right_text->bytes();
  if (left.as_namespace() || left.as_callable())
    return left.as_namespace() == right.as_namespace() && left.as_callable() == right.as_callable();
  return compare_numbers(left, right) == 0;
}

} // namespace tegula::llm::jinja

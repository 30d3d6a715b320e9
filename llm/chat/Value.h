// What expressions of a template compute: Python's values, as far as templates use them.
#pragma once
#include "llm/chat/Text.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tegula::llm::jinja {

struct List;
class Dict;
struct Namespace;
struct Callable;
class Value;

/// What a name without a value is: it prints as nothing, and fails with `why` where a value is needed.
struct Undefined {
  std::shared_ptr<const std::string> why;
};
struct None {};
/// A string made with the filter `safe`. Where it is added to another, the other is escaped as HTML is; little else is supported.
struct Safe {
  std::shared_ptr<const Text> text;
};

class Value {
public:
  using Content = std::variant<Undefined, None, Safe, bool, std::int64_t, double, std::shared_ptr<const Text>,
                               std::shared_ptr<List>, std::shared_ptr<const Dict>, Namespace*, std::shared_ptr<const Callable>>;

  Value() : content_(None{}) {}
  Value(Content content) : content_(std::move(content)) {}
  static Value undefined(std::string why) { return Content(Undefined{std::make_shared<const std::string>(std::move(why))}); }
  static Value text(Text text) { return Content(std::make_shared<const Text>(std::move(text))); }
  static Value boolean(bool value) { return Content(value); }
  static Value integer(std::int64_t value) { return Content(value); }
  static Value real(double value) { return Content(value); }

  const Content& content() const { return content_; }
  template <class T> const T* get() const { return std::get_if<T>(&content_); }
  bool is_undefined() const { return get<Undefined>(); }
  bool is_none() const { return get<None>(); }
  const Text* as_text() const { return pointee<std::shared_ptr<const Text>>(); }
  /// Of a string of either kind.
  const Text* as_any_text() const {
    const auto* safe = get<Safe>();
    return safe ? safe->text.get() : as_text();
  }
  List* as_list() const { return pointee<std::shared_ptr<List>>(); }
  const Dict* as_dict() const { return pointee<std::shared_ptr<const Dict>>(); }
  Namespace* as_namespace() const {
    const auto* held = get<Namespace*>();
    return held ? *held : nullptr;
  }
  const Callable* as_callable() const { return pointee<std::shared_ptr<const Callable>>(); }

private:
  template <class Pointer> auto pointee() const -> typename Pointer::element_type* {
    const auto* held = get<Pointer>();
    return held ? held->get() : nullptr;
  }
  Content content_;
};

/// Anything that has elements in order. A generator gives each of them once; the others never change.
struct List {
  enum class Form { list, tuple, range, keys, values, items, generator };
  Form form = Form::list;
  std::vector<Value> items;
  int height = 1;        ///< one more than that of the highest element
  std::size_t taken = 0; ///< from a generator
};

/// In the order in which its keys came.
class Dict {
public:
  using Entry = std::pair<Value, Value>;
  const std::vector<Entry>& entries() const { return entries_; }
  int height = 1; ///< one more than that of the highest element
  /// For a string.
  const Value* find(std::string_view key) const;
  /// For any key; whether there are keys that are no strings.
  const Value* find_other(const Value& key) const;
  bool has_other_keys() const { return index_.size() != entries_.size(); }
  /// A key that is there keeps its place, and the way it was written first.
  void set(const Value& key, Value value);

private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> index_; ///< of keys that are strings; into their bytes
};

/// The one thing that a template may change after it was made.
struct Namespace {
  std::vector<std::pair<std::string, Value>> attributes;
  const Value* find(std::string_view name) const;
  void set(std::string_view name, Value value);
};

/// Arguments of a call, a filter or a test.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> named;
};

class Run;
struct Macro;
using Method = Value (*)(Run&, const Value& self, const Arguments&);
using Function = Value (*)(Run&, const Arguments&);
struct BoundMethod {
  Value self;
  Method method;
};
struct Callable {
  std::variant<const Macro*, Function, BoundMethod> target;
};

/// How many elements there are still to come.
inline std::size_t count_left(const List& list) { return list.items.size() - list.taken; }
bool is_truthy(const Value&);
/// As Python's messages name it: "str", "list"...
std::string_view type_name(const Value&);
int height_of(const Value&);
/// Whether the two are equal as keys: never of a list or a dictionary.
bool equal_scalars(const Value&, const Value&);
/// Of an integer or a boolean, which is 0 or 1.
std::optional<std::int64_t> as_integer(const Value&);
/// Of these and of floating-point numbers.
std::optional<double> as_real(const Value&);
/// Exact; unordered, if one of them is no number.
std::partial_ordering compare_numbers(const Value&, const Value&);

} // namespace tegula::llm::jinja

// Arguments as a callee asks for them.
#pragma once
#include "llm/chat/Run.h"

#include <initializer_list>
#include <string_view>

namespace tegula::llm::jinja {

/// Arguments by place or by name, in the order of the callee's parameters.
class Given {
public:
  /// Fails, if there are too few, too many, or others. `callee` is what errors call it.
  Given(Run& run, std::string_view callee, const Arguments& arguments, std::initializer_list<std::string_view> parameters,
        std::size_t required = 0);

  /// Null, if it is not given.
  const Value* operator[](std::size_t parameter) const { return values_[parameter]; }
  /// The same, where none counts as not given.
  const Value* unless_none(std::size_t parameter) const {
    const Value* value = values_[parameter];
    return value && !value->is_none() ? value : nullptr;
  }
  /// They fail, if what is given is something else.
  const Text& text(std::size_t parameter) const;
  std::int64_t integer(std::size_t parameter, std::int64_t otherwise) const;
  bool flag(std::size_t parameter) const { return values_[parameter] && is_truthy(*values_[parameter]); }

private:
  [[noreturn]] void fail_type(std::size_t parameter, std::string_view wanted) const;

  Run& run_;
  std::string_view callee_;
  std::vector<std::string_view> names_;
  std::vector<const Value*> values_;
};

} // namespace tegula::llm::jinja

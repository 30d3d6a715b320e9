// The variables of a part of a template.
#pragma once
#include "llm/chat/Run.h"

#include <string_view>
#include <utility>
#include <vector>

namespace tegula::llm::jinja {

/// Lives on the stack of what renders its part; names are kept by the tree or by the caller.
class Scope {
public:
  explicit Scope(const Scope* outer) : outer_(outer) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  void set(Run& run, std::string_view name, Value value) {
    run.step(1 + variables_.size() / 8);
    for (auto& [present, old] : variables_)
      if (present == name) {
        old = std::move(value);
        return;
      }
    variables_.emplace_back(name, std::move(value));
  }
  /// Null, if there is none.
  const Value* find(Run& run, std::string_view name) const {
    for (const Scope* scope = this; scope; scope = scope->outer_) {
      run.step(scope->variables_.size() / 8);
      for (const auto& [present, value] : scope->variables_)
        if (present == name)
          return &value;
    }
    return nullptr;
  }

private:
  const Scope* outer_;
  std::vector<std::pair<std::string_view, Value>> variables_;
};

} // namespace tegula::llm::jinja

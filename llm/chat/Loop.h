// A for loop while it runs: what the variable `loop` tells of it.
#pragma once
#include "llm/chat/Elements.h"

#include <deque>
#include <functional>

namespace tegula::llm::jinja {

/// Whether `loop.name` means something that is no function.
bool is_loop_attribute(std::string_view name);

/// Elements are taken one by one, and one ahead only where the template asks what comes next: its body may change what the
/// loop's condition sees.
class Loop {
public:
  /// What a loop with a condition makes of an element: none, if it does not visit it.
  using Choice = std::function<std::optional<Value>(const Value&)>;
  /// `choose` is null, if there is no condition.
  Loop(Run& run, Value over, Choice choose);

  /// To the next element, if there is one.
  bool advance();
  const Value& current() const { return *current_; }
  /// What `loop.name` is, which there is.
  Value attribute(std::string_view name);
  Value cycle(const Arguments&) const;
  Value changed(const Arguments&);

private:
  std::optional<Value> take();
  const Value* peek();
  std::size_t length();

  Run& run_;
  Elements elements_;
  Choice choose_;
  std::deque<Value> ahead_; ///< taken, but not visited yet
  std::optional<Value> current_, previous_;
  std::optional<std::vector<Value>> last_changed_;
  std::optional<std::size_t> length_;
  std::size_t visited_ = 0;
};

} // namespace tegula::llm::jinja

// A variable that gets its value back.
#pragma once
#include <utility>

namespace tegula::llm::jinja {

/// Sets a variable for as long as it exists.
template <class T> class Replaced {
public:
  Replaced(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;
  ~Replaced() { variable_ = before_; }

private:
  T& variable_;
  T before_;
};

} // namespace tegula::llm::jinja

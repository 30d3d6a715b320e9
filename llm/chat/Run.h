// One rendering: where it is in the template, and what it has used up.
#pragma once
#include "llm/chat/Limits.h"
#include "llm/chat/Position.h"
#include "llm/chat/Value.h"

#include <ctime>
#include <deque>
#include <optional>
#include <string>

namespace tegula::llm::jinja {

class Run {
public:
  /// All three outlive it. Without `now`, a template that asks for the date fails.
  Run(const std::string& name, const Limits& limits, const std::optional<std::tm>& now)
      : name_(name), limits_(limits), now_(now), steps_left_(limits.steps), bytes_left_(limits.bytes) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Of what is being evaluated; errors name it.
  Position at;

  [[noreturn]] void fail(const std::string& message) const;
  void step(std::size_t count = 1) {
    if (count > steps_left_)
      out_of_steps();
    steps_left_ -= count;
  }
  /// Before so many bytes are looked at.
  void look(std::size_t bytes) { step(bytes / 64); }
  /// Before so many bytes are made.
  void make(std::size_t bytes) {
    if (bytes > bytes_left_)
      out_of_bytes();
    bytes_left_ -= bytes;
  }
  const std::optional<std::tm>& now() const { return now_; }

  Value text(Text);
  Value list(std::vector<Value>, List::Form = List::Form::list);
  Value dict(Dict);
  /// It lives as long as the rendering does.
  Value make_namespace(Namespace);

  /// While one exists, evaluation is one level deeper.
  class Level {
  public:
    explicit Level(Run& run) : run_(run) {
      if (++run_.depth_ > most_levels)
        run_.fail("calls and expressions are nested more than " + std::to_string(most_levels) +
                  " deep; does a macro call itself without an end?");
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --run_.depth_; }

  private:
    Run& run_;
  };

private:
  static constexpr int most_levels = 600; // which fit onto the stack of a thread, with sanitizers, too
  [[noreturn]] void out_of_steps() const;
  [[noreturn]] void out_of_bytes() const;

  const std::string& name_;
  const Limits& limits_;
  const std::optional<std::tm>& now_;
  std::size_t steps_left_, bytes_left_;
  int depth_ = 0;
  std::deque<Namespace> namespaces_;
};

/// `name:line:column: message`
[[noreturn]] void fail_at(const std::string& name, Position, const std::string& message);

} // namespace tegula::llm::jinja

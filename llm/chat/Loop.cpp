#include "llm/chat/Loop.h"
#include "llm/chat/Compare.h"

#include <algorithm>

namespace tegula::llm::jinja {

Loop::Loop(Run& run, Value over, Choice choose) : run_(run), elements_(run, std::move(over)), choose_(std::move(choose)) {}

std::optional<Value> Loop::take() {
  while (auto element = elements_.next()) {
    if (!choose_)
      return element;
    if (auto chosen = choose_(*element))
      return chosen;
  }
  return std::nullopt;
}

const Value* Loop::peek() {
  if (ahead_.empty())
    if (auto element = take())
      ahead_.push_back(std::move(*element));
  return ahead_.empty() ? nullptr : &ahead_.front();
}

bool Loop::advance() {
  if (!peek())
    return false;
  previous_ = std::move(current_);
  current_ = std::move(ahead_.front());
  ahead_.pop_front();
  ++visited_;
  return true;
}

std::size_t Loop::length() {
  if (!length_ && !choose_)
    length_ = elements_.count();
  if (!length_) {
    while (auto element = take())
      ahead_.push_back(std::move(*element));
    length_ = visited_ + ahead_.size();
  }
  return *length_;
}

namespace {

Value integer(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }
constexpr std::string_view attributes[] = {"index",     "index0", "first",  "last",     "length",  "revindex",
                                           "revindex0", "depth",  "depth0", "previtem", "nextitem"};

} // namespace

bool is_loop_attribute(std::string_view name) { return std::ranges::find(attributes, name) != std::end(attributes); }

Value Loop::attribute(std::string_view name) {
  if (name == "index")
    return integer(visited_);
  if (name == "index0")
    return integer(visited_ - 1);
  if (name == "first")
    return Value::boolean(visited_ == 1);
  if (name == "last")
    return Value::boolean(!peek());
  if (name == "length")
    return integer(length());
  if (name == "revindex")
    return integer(length() - visited_ + 1);
  if (name == "revindex0")
    return integer(length() - visited_);
  if (name == "depth") // of recursive loops, which there are not
    return integer(1);
  if (name == "depth0")
    return integer(0);
  if (name == "previtem")
    return previous_ ? *previous_ : Value::undefined("there is no element before the first one of a loop");
  const Value* next = peek();
  return next ? *next : Value::undefined("there is no element after the last one of a loop");
}

Value Loop::cycle(const Arguments& arguments) const {
  if (arguments.positional.empty() || !arguments.named.empty())
    run_.fail("loop.cycle takes one value or more, without names");
  return arguments.positional[(visited_ - 1) % arguments.positional.size()];
}

Value Loop::changed(const Arguments& arguments) {
  if (!arguments.named.empty())
    run_.fail("loop.changed takes values without names");
  const bool same = last_changed_ && std::ranges::equal(*last_changed_, arguments.positional,
                                                        [this](const Value& a, const Value& b) { return equal(run_, a, b); });
  last_changed_ = arguments.positional;
  return Value::boolean(!same);
}

} // namespace tegula::llm::jinja

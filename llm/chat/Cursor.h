// Reading a template from its start to its end.
#pragma once
#include "llm/chat/Position.h"
#include "llm/chat/Run.h"
#include "llm/chat/Unicode.h"

#include <string>
#include <string_view>

namespace tegula::llm::jinja {

class Cursor {
public:
  Cursor(const std::string& name, std::string_view source) : name_(&name), source_(source) {}

  bool at_end() const { return offset_ == source_.size(); }
  std::size_t offset() const { return offset_; }
  std::string_view rest() const { return source_.substr(offset_); }
  char peek(std::size_t ahead = 0) const { return offset_ + ahead < source_.size() ? source_[offset_ + ahead] : '\0'; }
  char before() const { return offset_ > 0 ? source_[offset_ - 1] : '\0'; }
  bool sees(std::string_view text) const { return rest().starts_with(text); }
  Position position() const { return position_; }

  void skip(std::size_t bytes) {
    for (const std::size_t end = offset_ + bytes; offset_ < end;) {
      if (next_point(source_, offset_) != '\n') {
        ++position_.column;
        continue;
      }
      ++position_.line;
      position_.column = 1;
    }
  }
  bool skip(std::string_view text) {
    if (!sees(text))
      return false;
    skip(text.size());
    return true;
  }
  /// Bytes of the code point here.
  std::size_t point_size() const {
    std::size_t end = offset_;
    next_point(source_, end);
    return end - offset_;
  }
  bool sees_space() const {
    std::size_t end = offset_;
    return !at_end() && is_space(next_point(source_, end));
  }
  void skip_space() { skip(start_without_space(rest())); }
  std::string_view take(std::size_t bytes) {
    const std::string_view taken = source_.substr(offset_, bytes);
    skip(bytes);
    return taken;
  }

  [[noreturn]] void fail(const std::string& message) const { fail_at(*name_, position_, message); }
  [[noreturn]] void fail(Position at, const std::string& message) const { fail_at(*name_, at, message); }

private:
  const std::string* name_;
  std::string_view source_;
  std::size_t offset_ = 0;
  Position position_;
};

} // namespace tegula::llm::jinja

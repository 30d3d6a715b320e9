// A string that knows where its bytes come from.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::llm::jinja {

/// UTF-8, of which some bytes are the template's own, and the others came from values. What nobody can tell counts as a value's.
class Text {
public:
  /// Bytes up to `end`, from where the run before it ends.
  struct Run {
    std::size_t end = 0;
    bool from_template = false;
  };

  Text() = default;
  static Text of_template(std::string bytes) { return {std::move(bytes), true}; }
  static Text of_value(std::string bytes) { return {std::move(bytes), false}; }

  const std::string& bytes() const { return bytes_; }
  /// In order; neighbours differ, and none is empty.
  const std::vector<Run>& runs() const { return runs_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  /// Bytes of memory, about.
  std::size_t weight() const { return bytes_.size() + runs_.size() * sizeof(Run); }

  void append(const Text& other) { append(other, 0, other.size()); }
  void append(const Text& other, std::size_t from, std::size_t to);
  void append_value(std::string_view bytes) { append(bytes, false); }
  Text slice(std::size_t from, std::size_t to) const;

private:
  Text(std::string bytes, bool from_template);
  void append(std::string_view bytes, bool from_template);

  std::string bytes_;
  std::vector<Run> runs_;
};

} // namespace tegula::llm::jinja

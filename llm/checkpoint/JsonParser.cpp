#include "llm/checkpoint/JsonParser.h"
#include "llm/checkpoint/Quote.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <iterator>

namespace tegula::llm {
namespace {

using nlohmann::json;

/// Walks over the text and keeps count, for the events of the parser do not say where they are.
class Cursor {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(std::string_view text, std::size_t at, std::size_t* seen) : text_(text), at_(at), seen_(seen) {}
  const char& operator*() const { return text_[at_]; }
  Cursor& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }

private:
  std::string_view text_;
  std::size_t at_;
  std::size_t* seen_;
};

/// The reason alone: without the library's name for the error, and without the position, which we count ourselves.
std::string reason_of(std::string_view message) {
  for (const std::string_view before : {"syntax error ", "] "})
    if (const std::size_t at = message.find(before); at != std::string_view::npos)
      return printable(message.substr(at + before.size()));
  return printable(message);
}

/// Builds the tree from the parser's events, and stops it at the first one that is not allowed.
class Builder : public nlohmann::json_sax<json> {
public:
  Builder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  bool null() override { return add(nullptr) != nullptr; }
  bool boolean(bool value) override { return add(value) != nullptr; }
  bool number_integer(json::number_integer_t value) override { return add(value) != nullptr; }
  bool number_unsigned(json::number_unsigned_t value) override { return add(value) != nullptr; }
  bool number_float(json::number_float_t value, const std::string&) override { return add(value) != nullptr; }
  bool string(std::string& value) override { return add(std::move(value)) != nullptr; }
  bool binary(json::binary_t&) override { return stop("holds binary data"); } // which the text format has not
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    const auto [place, is_new] = open_.back()->get_ref<json::object_t&>().try_emplace(name);
    member_ = &place->second;
    return is_new || stop("has the key " + in_quotes(name) + " for the second time in one object");
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    seen_ = std::min(position, text_.size());
    return stop("is not JSON: " + reason_of(error.what()));
  }

  json build(const std::string& file) {
    if (const std::size_t at = text_.find('\0'); at != std::string_view::npos) { // which the parser takes for the end
      seen_ = at + 1;
      stop("is not JSON: it has a zero byte");
    } else {
      json::sax_parse(Cursor(text_, 0, &seen_), Cursor(text_, text_.size(), &seen_), this);
    }
    if (!problem_.empty())
      throw Error(file + ":" + position() + ": " + problem_);
    return std::move(root_);
  }

private:
  json* add(json value) {
    if (++values_ > limits_.values) {
      stop("has more than " + std::to_string(limits_.values) + " values, the most that are read of a file of this kind");
      return nullptr;
    }
    json& place = open_.empty() ? root_ : open_.back()->is_array() ? open_.back()->emplace_back() : *member_;
    place = std::move(value);
    return &place;
  }
  bool open(json value) {
    if (open_.size() == static_cast<std::size_t>(limits_.depth))
      return stop("has more than " + std::to_string(limits_.depth) + " lists and objects inside each other");
    json* place = add(std::move(value));
    if (place)
      open_.push_back(place);
    return place != nullptr;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  bool stop(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  /// Of the last character that was read.
  std::string position() const {
    const std::string_view before = text_.substr(0, seen_);
    const std::size_t end = before.empty() ? 0 : before.size() - 1;
    const std::size_t line_start = before.substr(0, end).rfind('\n') + 1; // 0 if there is none
    return std::to_string(std::ranges::count(before.substr(0, end), '\n') + 1) + ":" + std::to_string(end - line_start + 1);
  }

  std::string_view text_;
  const JsonLimits& limits_;
  std::size_t seen_ = 0; // characters
  json root_;
  std::vector<json*> open_; // from the outermost inwards; only the innermost grows, so they stay where they are
  json* member_ = nullptr;
  std::uint64_t values_ = 0;
  std::string problem_;
};

} // namespace

nlohmann::json parse_tree(const std::string& file, std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes)
    throw Error(file + ": has " + std::to_string(text.size()) + " bytes of JSON; at most " + std::to_string(limits.bytes) +
                " are read of a file of this kind");
  return Builder(text, limits).build(file);
}

} // namespace tegula::llm

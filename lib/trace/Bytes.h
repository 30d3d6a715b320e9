// Plain data as bytes, and back: for what is kept on disk or in a program. In the order of this machine's bytes.
#pragma once
#include "lib/trace/Record.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula {

class ByteWriter {
public:
  void number(std::int64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    bytes_ += value;
  }
  void location(const trace::Location& value) {
    text(value.file);
    number(value.line);
    number(value.column);
  }
  template <class T, class F> void list(const std::vector<T>& values, const F& write) {
    number(static_cast<std::int64_t>(values.size()));
    for (const T& value : values)
      write(value);
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// Of bytes that end too early it reads zeros, and says so.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::int64_t number() {
    std::int64_t value = 0;
    if (has(sizeof value)) {
      std::memcpy(&value, bytes_.data() + at_, sizeof value);
      at_ += sizeof value;
    }
    return value;
  }
  template <class T> T number_as() { return static_cast<T>(number()); }
  std::string text() {
    const auto size = static_cast<std::size_t>(number());
    if (!has(size))
      return "";
    at_ += size;
    return std::string(bytes_.substr(at_ - size, size));
  }
  trace::Location location() {
    trace::Location value;
    value.file = text();
    value.line = number_as<std::uint32_t>();
    value.column = number_as<std::uint32_t>();
    return value;
  }
  template <class T, class F> void list(std::vector<T>& values, const F& read) {
    for (std::int64_t n = number(); n > 0 && whole_; --n)
      values.push_back(read());
  }
  /// Whether there was neither too little nor too much.
  bool at_end() const { return whole_ && at_ == bytes_.size(); }

private:
  bool has(std::size_t n) {
    whole_ = whole_ && n <= bytes_.size() - at_;
    return whole_;
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool whole_ = true;
};

} // namespace tegula

// JSON files that nobody vouches for, read with limits; whatever is wrong in them is said with the file and the place in it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::llm {

/// What a file may have at most. Values are counted with those inside them; they cost more memory than their text.
struct JsonLimits {
  std::uint64_t bytes = 1 << 20, values = 1 << 16;
  int depth = 32;
};

/// A value, or a place where one could be. The getters throw an Error with the file, the keys that lead here, what is there
/// and what was expected, if this is anything else or is missing. Copies share the document and keep it alive.
class JsonValue {
public:
  const std::string& file() const noexcept;
  /// Of an object or of nothing: its member, which may be missing.
  JsonValue operator[](std::string_view key) const;
  /// There, and not null.
  bool given() const noexcept;

  std::string text() const;
  /// The text, which is one of a few. `because` says why others are not.
  std::string one_of(const std::vector<std::string_view>& words, std::string_view because) const;
  bool truth() const;
  /// A number that is written without a point and an exponent.
  std::int64_t whole(std::int64_t low, std::int64_t high) const;
  double number(double low, double high) const;
  /// In the order of their keys.
  std::vector<std::pair<std::string, JsonValue>> members() const;
  std::vector<JsonValue> elements() const;
  bool is_list() const noexcept;

  /// Throws the Error: what is here is not as expected.
  [[noreturn]] void refuse(const std::string& expected) const;

private:
  struct Document;
  friend JsonValue parse_json(std::string, std::string_view, const JsonLimits&);
  JsonValue(std::shared_ptr<const Document> document, const nlohmann::json* value, std::string place)
      : document_(std::move(document)), value_(value), place_(std::move(place)) {}
  JsonValue inside(const nlohmann::json* value, const std::string& step) const;

  std::shared_ptr<const Document> document_;
  const nlohmann::json* value_; // null if it is missing
  std::string place_;           // the keys that lead here
};

/// Throws an Error with line and column if the text is not JSON, an object has a key twice, or a limit is passed. `file` is its
/// name in messages.
JsonValue parse_json(std::string file, std::string_view text, const JsonLimits& limits);
JsonValue read_json(const std::filesystem::path& path, const JsonLimits& limits);

} // namespace tegula::llm

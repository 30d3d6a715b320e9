#include "tools/tegula/Arguments.h"

#include <algorithm>
#include <charconv>

namespace tegula {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

template <class T> T parsed(std::string_view name, const std::string& text, T least, T most) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) {
    const auto show = [](T number) {
      std::string shown = std::to_string(number);
      if (shown.find('.') != std::string::npos)
        shown.erase(std::max(shown.find_last_not_of('0') + 1, shown.find('.') + 2));
      return shown;
    };
    throw UsageError{std::string(name) + " takes a number from " + show(least) + " to " + show(most) + ", not '" + text + "'"};
  }
  return value;
}

} // namespace

bool Arguments::flag(std::string_view name) {
  const auto found = std::ranges::find(words_, name);
  if (found == words_.end())
    return false;
  words_.erase(found);
  return true;
}

std::optional<std::string> Arguments::text(std::string_view name) {
  const std::string joined = std::string(name) + "=";
  const auto found =
      std::ranges::find_if(words_, [&](const std::string& word) { return word == name || word.starts_with(joined); });
  if (found == words_.end())
    return std::nullopt;
  if (found->starts_with(joined)) {
    std::string value = found->substr(joined.size());
    words_.erase(found);
    return value;
  }
  if (found + 1 == words_.end())
    throw UsageError{std::string(name) + " is the last word; something comes behind it"};
  std::string value = *(found + 1);
  words_.erase(found, found + 2);
  return value;
}

std::optional<double> Arguments::number(std::string_view name, double least, double most) {
  const auto value = text(name);
  return value ? std::optional(parsed<double>(name, *value, least, most)) : std::nullopt;
}
std::optional<std::int64_t> Arguments::whole(std::string_view name, std::int64_t least, std::int64_t most) {
  const auto value = text(name);
  return value ? std::optional(parsed<std::int64_t>(name, *value, least, most)) : std::nullopt;
}

std::string Arguments::word(std::string_view what) {
  const auto found = std::ranges::find_if_not(words_, is_option);
  if (found == words_.end())
    throw UsageError{"say which " + std::string(what)};
  std::string value = std::move(*found);
  words_.erase(found);
  return value;
}

void Arguments::check_all_taken() const {
  if (!words_.empty())
    throw UsageError{"'" + words_.front() + "' is not understood here"};
}

} // namespace tegula

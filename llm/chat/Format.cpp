#include "llm/chat/Format.h"
#include "llm/chat/Literals.h"
#include "llm/chat/Show.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tegula::llm::jinja {
namespace {

/// Finds the values for the fields of a format.
class Fields {
public:
  Fields(Run& run, const Arguments& arguments) : run_(run), arguments_(arguments) {}

  const Value& find(const std::string& name) {
    const auto number = name.empty() ? std::optional(static_cast<std::int64_t>(next_++)) : to_integer(name, 10);
    if (number && *number >= 0 && static_cast<std::size_t>(*number) < arguments_.positional.size())
      return arguments_.positional[static_cast<std::size_t>(*number)];
    const auto named = std::ranges::find(arguments_.named, name, [](const auto& given) { return given.first; });
    if (number || named == arguments_.named.end())
      run_.fail("there is no value for the field {" + name.substr(0, 60) + "} of a format");
    return named->second;
  }

private:
  Run& run_;
  const Arguments& arguments_;
  std::size_t next_ = 0;
};

/// The values of `%`, one after another.
class Operands {
public:
  Operands(Run& run, const Value& values) : run_(run), values_(values), list_(values.as_list()) {
    if (list_ && list_->form != List::Form::tuple)
      list_ = nullptr;
    may_stay_ = values.is_undefined() || values.as_dict() || (values.as_list() && !list_);
  }

  const Value& next() {
    if (next_ == count())
      run_.fail("a format with % has more fields than values");
    const std::size_t number = next_++;
    return list_ ? list_->items[number] : values_;
  }
  void finish() const {
    if (next_ < count() && !may_stay_)
      run_.fail("a format with % has fewer fields than values");
  }

private:
  std::size_t count() const { return list_ ? list_->items.size() : 1; }

  Run& run_;
  const Value& values_;
  const List* list_;
  bool may_stay_; ///< unused, as what Python might take elements of for %(name)s
  std::size_t next_ = 0;
};

double real_of(Run& run, const Value& value) {
  const auto real = as_real(value);
  if (!real)
    run.fail("a format asks for a number, and gets a value of type " + std::string(type_name(value)));
  return *real;
}

std::string fixed(Run& run, double value, int digits) {
  if (!std::isfinite(value))
    return real_text(value);
  char buffer[400]; // of 309 digits before the point at most
  run.make(sizeof buffer);
  return {buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.*f", digits, value))};
}

std::string integer(Run& run, const Value& value) {
  if (const auto whole = as_integer(value))
    return std::to_string(*whole);
  const double real = std::trunc(real_of(run, value));
  if (!(std::fabs(real) < 0x1p63))
    run.fail("a number for %d does not fit an integer of 64 bits");
  return std::to_string(static_cast<std::int64_t>(real));
}

} // namespace

Text format_braces(Run& run, const Text& format, const Arguments& arguments) {
  const std::string& bytes = format.bytes();
  Fields fields(run, arguments);
  Text result;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t brace = std::min(bytes.find_first_of("{}", at), bytes.size());
    result.append(format, at, brace);
    if (brace == bytes.size())
      break;
    if (brace + 1 < bytes.size() && bytes[brace + 1] == bytes[brace]) {
      result.append(format, brace, brace + 1);
      at = brace + 2;
      continue;
    }
    const std::size_t end = bytes.find_first_of("{}", brace + 1);
    if (bytes[brace] == '}' || end == std::string::npos || bytes[end] == '{')
      run.fail("a brace in a format has no other; write {{ or }} for a brace itself");
    const std::string name = bytes.substr(brace + 1, end - brace - 1);
    if (name.find_first_of(".[]!:") != std::string::npos)
      run.fail("in a format, only fields such as {}, {0} and {name} are supported");
    const Text value = to_text(run, fields.find(name));
    run.make(value.weight());
    result.append(value);
    at = end + 1;
  }
  return result;
}

Text format_percent(Run& run, const Text& format, const Value& values) {
  const std::string& bytes = format.bytes();
  Operands operands(run, values);
  Text result;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t percent = std::min(bytes.find('%', at), bytes.size());
    result.append(format, at, percent);
    if (percent == bytes.size())
      break;
    std::size_t end = percent + 1;
    int digits = 6;
    if (end + 1 < bytes.size() && bytes[end] == '.' && bytes[end + 1] >= '0' && bytes[end + 1] <= '9') {
      digits = bytes[end + 1] - '0';
      end += 2;
    }
    const char kind = end < bytes.size() ? bytes[end] : '\0';
    const bool plain = end == percent + 1;
    Text value;
    if (kind == '%' && plain)
      value = format.slice(end, end + 1);
    else if (kind == 's' && plain)
      value = to_text(run, operands.next());
    else if ((kind == 'd' || kind == 'i') && plain)
      value = Text::of_value(integer(run, operands.next()));
    else if (kind == 'f')
      value = Text::of_value(fixed(run, real_of(run, operands.next()), digits));
    else
      run.fail("in a format with %, only %s, %d, %i, %f, %.2f and %% are supported");
    run.make(value.weight());
    result.append(value);
    at = end + 1;
  }
  operands.finish();
  return result;
}

} // namespace tegula::llm::jinja

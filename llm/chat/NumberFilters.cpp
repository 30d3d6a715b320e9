// Filters that make numbers, and `default`.
#include "llm/chat/Arithmetic.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"
#include "llm/chat/Literals.h"
#include "llm/chat/Unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tegula::llm::jinja {
namespace {

/// A number as Python reads it: within space, with a sign and single `_` between digits.
struct Written {
  std::string digits;
  bool minus = false;
};
std::optional<Written> read(Run& run, const Text& text) {
  run.look(text.size());
  run.make(text.size());
  if (!is_ascii(text.bytes()))
    run.fail("to make a number of text beyond ASCII is not supported");
  std::string_view bytes = text.bytes();
  bytes = bytes.substr(0, end_without_space(bytes));
  bytes = bytes.substr(start_without_space(bytes));
  Written written;
  if (!bytes.empty() && (bytes.front() == '+' || bytes.front() == '-')) {
    written.minus = bytes.front() == '-';
    bytes = bytes.substr(1);
  }
  const auto is_digit_at = [&](std::size_t at) { return at < bytes.size() && bytes[at] >= '0' && bytes[at] <= '9'; };
  for (std::size_t at = 0; at < bytes.size(); ++at)
    if (bytes[at] != '_')
      written.digits += bytes[at];
    else if (at == 0 || !is_digit_at(at - 1) || !is_digit_at(at + 1))
      return std::nullopt;
  return written;
}

bool has_digits_only(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<double> read_real(Run& run, const Text& text) {
  const auto written = read(run, text);
  if (!written || written->digits.empty() || written->digits.front() == '-')
    return std::nullopt;
  double value = 0;
  const char* const end = written->digits.data() + written->digits.size();
  const auto [stop, error] = std::from_chars(written->digits.data(), end, value);
  if (error == std::errc::result_out_of_range)
    run.fail("a number in a string does not fit a floating-point number of 64 bits");
  if (error != std::errc() || stop != end || written->digits.find('(') != std::string::npos) // nan(text)
    return std::nullopt;
  return written->minus ? -value : value;
}

std::optional<Value> whole(Run& run, std::optional<double> real) {
  if (!real || !std::isfinite(*real))
    return std::nullopt;
  if (!(std::fabs(*real) < 0x1p63))
    run.fail("a number does not fit an integer of 64 bits");
  return Value::integer(static_cast<std::int64_t>(*real));
}

std::optional<Value> read_integer(Run& run, const Text& text) {
  const auto written = read(run, text);
  if (!written || !has_digits_only(written->digits))
    return whole(run, read_real(run, text));
  const auto value = to_integer((written->minus ? "-" : "") + written->digits, 10);
  if (!value)
    run.fail("an integer in a string does not fit 64 bits");
  return Value::integer(*value);
}

void require_defined(Run& run, const Value& value) {
  if (const auto* undefined = value.get<Undefined>())
    run.fail(*undefined->why);
}

Value integer(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "int", arguments, {"default", "base"});
  require_defined(run, of);
  if (given.integer(1, 10) != 10)
    run.fail("int is supported for numbers of base 10 only");
  if (const auto* real = of.get<double>(); real && std::isinf(*real))
    run.fail("infinity is no integer");
  const Text* text = of.as_text();
  const auto whole_number = as_integer(of);
  const auto value = text ? read_integer(run, *text) : whole_number ? Value::integer(*whole_number) : whole(run, as_real(of));
  return value ? *value : given[0] ? *given[0] : Value::integer(0);
}

Value real(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "float", arguments, {"default"});
  require_defined(run, of);
  const auto value = of.as_text() ? read_real(run, *of.as_text()) : as_real(of);
  return value ? Value::real(*value) : given[0] ? *given[0] : Value::real(0);
}

Value absolute(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "abs", arguments, {});
  if (const auto* real = of.get<double>())
    return Value::real(std::fabs(*real));
  return apply_sign(run, as_integer(of).value_or(0) < 0, of);
}

Value otherwise(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "default", arguments, {"default_value", "boolean"});
  if (!of.is_undefined() && !(given.flag(1) && !is_truthy(of)))
    return of;
  return given[0] ? *given[0] : Value::text({});
}

constexpr Filter filters[] = {{"int", integer}, {"float", real}, {"abs", absolute}, {"default", otherwise}, {"d", otherwise}};

} // namespace

std::span<const Filter> number_filters() { return filters; }

} // namespace tegula::llm::jinja

#include "lib/prove/Proof.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace tegula {

const char* name(Rung rung) {
  switch (rung) {
  case Rung::proved:
    return "proved";
  case Rung::condition:
    return "condition";
  case Rung::checked:
    return "checked";
  case Rung::waived:
    return "waived";
  case Rung::refuted:
    return "refuted";
  }
  return "";
}

const char* name(ObligationKind kind) {
  switch (kind) {
  case ObligationKind::bounds:
    return "bounds";
  case ObligationKind::disjoint:
    return "disjoint";
  case ObligationKind::covered:
    return "covered";
  case ObligationKind::step:
    return "step";
  case ObligationKind::sub_tile:
    return "sub-tile";
  case ObligationKind::values:
    return "values";
  }
  return "";
}

namespace {

/// With a point whatever the program's locale is.
std::string decimal(double number, int digits) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, std::isfinite(number) ? number : 0.0, std::chars_format::fixed, digits);
  return end.ec == std::errc() ? std::string(text, end.ptr) : "0";
}

std::string counted(std::size_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); }

/// An author's words if there are some, else the inequalities.
std::string text_of(const LaunchCondition& condition) { return condition.text.empty() ? condition.str() : condition.text; }

/// What a terminal shows: a letter of several bytes counts once.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Rows of cells; a column is as wide as its widest cell. No spaces at the ends of lines.
class Table {
public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string str() const {
    std::vector<std::size_t> widths;
    for (const auto& cells : rows_)
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths.resize(std::max(widths.size(), i + 1));
        widths[i] = std::max(widths[i], width(cells[i]));
      }
    std::string text;
    for (const auto& cells : rows_) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        text += (i == 0 ? "  " : "") + cells[i];
        if (i + 1 < cells.size() && widths[i] > 0)
          text.append(widths[i] - width(cells[i]) + 2, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n";
    }
    return text;
  }

private:
  std::vector<std::vector<std::string>> rows_;
};

/// Of the character that the text begins with; 0 if it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first >= 0xF0 && first <= 0xF4  ? 4
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xC2 && first < 0xE0 ? 2
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  const unsigned second = byte(1); // no longer than it must be, no surrogate, none too large
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

/// Writes JSON without spaces or newlines.
class Json {
public:
  Json& begin(char bracket) { return separate(), text_ += bracket, first_ = true, *this; }
  Json& end(char bracket) { return text_ += bracket, first_ = false, *this; }
  Json& key(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    first_ = true;
    return *this;
  }
  void field(std::string_view name, std::string_view value) { key(name).separate(), quote(value); }
  void field(std::string_view name, const char* value) { field(name, std::string_view(value)); }
  void field(std::string_view name, std::int64_t value) { key(name).separate(), text_ += std::to_string(value); }
  void milliseconds(double value) { key("ms").separate(), text_ += decimal(value, 3); }
  void place(const trace::Location& location) {
    field("file", location.file);
    field("line", std::int64_t{location.line});
  }
  std::string str() && { return std::move(text_); }

private:
  void separate() {
    if (!first_)
      text_ += ',';
    first_ = false;
  }
  void quote(std::string_view value) {
    constexpr char digits[] = "0123456789abcdef";
    text_ += '"';
    for (std::size_t i = 0; i < value.size(); ++i) {
      const char c = value[i];
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x80) { // a name may be any bytes, JSON is UTF-8
        const std::size_t length = utf8_length(value.substr(i));
        text_ += length > 0 ? value.substr(i, length) : "\\ufffd";
        i += length > 0 ? length - 1 : 0;
        continue;
      }
      if (c == '"' || c == '\\')
        (text_ += '\\') += c;
      else if (c == '\n')
        text_ += "\\n";
      else if (byte < 0x20 || byte == 0x7F)
        ((text_ += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
      else
        text_ += c;
    }
    text_ += '"';
  }
  std::string text_;
  bool first_ = true;
};

} // namespace

std::string place(const trace::Location& location) {
  return location.line == 0 ? "?" : location.file + ":" + std::to_string(location.line);
}

std::string Proof::text() const {
  std::string text = "kernel '" + kernel + "'";
  if (!location.file.empty())
    text += " (" + place(location) + ")";
  text += ": " + counted(obligations.size(), "obligation") + ", " + counted(conditions.size(), "launch condition") + ", " +
          decimal(ms, 1) + (refuted() ? " ms, refuted\n" : " ms\n");
  Table table;
  for (const Obligation& o : obligations)
    table.row({place(o.location), name(o.kind), o.what, name(o.rung), decimal(o.ms, 2) + " ms", o.how});
  text += table.str();
  Table advice;
  for (const Obligation& o : obligations)
    if (o.rung == Rung::checked && !o.instead.empty())
      advice.row({place(o.location), "instead", o.instead});
  text += advice.str();
  Table launch;
  for (const LaunchCondition& c : conditions) {
    const auto mentions = [&](const Obligation& o) { return o.how.find(c.str()) != std::string::npos; };
    if (!c.text.empty() || std::none_of(obligations.begin(), obligations.end(), mentions))
      launch.row({place(c.location), "a launch needs", text_of(c), c.text.empty() ? "so that " + c.purpose : ""});
  }
  text += launch.str();
  if (refuted())
    text += refutation + (refutation.ends_with('\n') ? "" : "\n");
  return text;
}

std::string Proof::json() const {
  Json json;
  json.begin('{');
  json.field("kernel", kernel);
  json.place(location);
  json.milliseconds(ms);
  json.key("obligations").begin('[');
  for (const Obligation& o : obligations) {
    json.begin('{');
    json.field("kind", name(o.kind));
    json.field("what", o.what);
    json.field("parameter", std::int64_t{o.parameter});
    json.field("axis", std::int64_t{o.axis});
    json.place(o.location);
    json.field("other_line", std::int64_t{o.other.line});
    json.field("rung", name(o.rung));
    json.field("how", o.how);
    if (o.rung == Rung::checked)
      json.field("instead", o.instead);
    json.milliseconds(o.ms);
    json.end('}');
  }
  json.end(']').key("conditions").begin('[');
  for (const LaunchCondition& c : conditions) {
    json.begin('{');
    json.field("text", text_of(c));
    json.field("purpose", c.purpose);
    json.place(c.location);
    json.end('}');
  }
  json.end(']');
  json.field("refutation", refutation);
  return std::move(json.end('}')).str();
}

} // namespace tegula

#include "llm/chat/Show.h"
#include "llm/chat/Unicode.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace tegula::llm::jinja {
namespace {

void append_escaped(std::string& out, char32_t point) {
  char buffer[16];
  const auto number = static_cast<unsigned>(point);
  std::snprintf(buffer, sizeof buffer, point < 0x100 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x", number);
  out += buffer;
}

void append_quoted(std::string& out, std::string_view text) {
  const char quote = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char32_t point = next_point(text, at);
    if (point == static_cast<char32_t>(quote) || point == '\\')
      (out += '\\') += static_cast<char>(point);
    else if (point == '\n')
      out += "\\n";
    else if (point == '\r')
      out += "\\r";
    else if (point == '\t')
      out += "\\t";
    else if (is_printable(point))
      out += text.substr(start, at - start);
    else
      append_escaped(out, point);
  }
  out += quote;
}

class Writer {
public:
  explicit Writer(Run& run) : run_(run) {}
  std::string out;

  void write(const Value& value) {
    run_.step();
    const std::size_t before = out.size();
    if (const Text* text = value.as_text()) {
      run_.make(text->size());
      append_quoted(out, text->bytes());
    } else if (const List* list = value.as_list()) {
      return write(*list);
    } else if (const Dict* dict = value.as_dict()) {
      return write(*dict);
    } else {
      write_scalar(value);
    }
    run_.make(out.size() - before);
  }

private:
  void write_scalar(const Value& value) {
    if (const auto* boolean = value.get<bool>())
      out += *boolean ? "True" : "False";
    else if (const auto* integer = value.get<std::int64_t>())
      out += std::to_string(*integer);
    else if (const auto* real = value.get<double>())
      out += real_text(*real);
    else if (value.is_none())
      out += "None";
    else if (value.is_undefined())
      out += "Undefined";
    else
      run_.fail("a " + std::string(type_name(value)) + " cannot be printed");
  }

  void write(const List& list) {
    using Form = List::Form;
    if (list.form == Form::range || list.form == Form::generator)
      run_.fail("a " + std::string(list.form == Form::range ? "range" : "generator") +
                " cannot be printed; make a list of it with | list");
    if (list.form == Form::keys || list.form == Form::values || list.form == Form::items)
      out += list.form == Form::keys ? "dict_keys(" : list.form == Form::values ? "dict_values(" : "dict_items(";
    out += list.form == Form::tuple ? '(' : '[';
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (i > 0)
        out += ", ";
      write(list.items[i]);
    }
    if (list.form == Form::tuple)
      out += list.items.size() == 1 ? ",)" : ")";
    else
      out += list.form == Form::list ? "]" : "])";
  }

  void write(const Dict& dict) {
    out += '{';
    for (const auto& [key, value] : dict.entries()) {
      if (&key != &dict.entries().front().first)
        out += ", ";
      write(key);
      out += ": ";
      write(value);
    }
    out += '}';
  }

  Run& run_;
};

} // namespace

Text to_text(Run& run, const Value& value) {
  if (const Text* text = value.as_any_text())
    return *text;
  if (value.is_undefined())
    return {};
  return Text::of_value(to_source(run, value));
}

std::string to_source(Run& run, const Value& value) {
  Writer writer(run);
  writer.write(value);
  return std::move(writer.out);
}

std::string real_text(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view written(buffer, static_cast<std::size_t>(end - buffer));
  const std::size_t e = written.find('e');
  int exponent = 0;
  std::from_chars(written.data() + e + (written[e + 1] == '+' ? 2 : 1), end, exponent);
  if (exponent < -4 || exponent >= 16)
    return std::string(written);
  const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
  std::string text(buffer, fixed);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

} // namespace tegula::llm::jinja

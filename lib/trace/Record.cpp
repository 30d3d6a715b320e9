// A record as text, and whether two records are the same.
#include "lib/trace/Record.h"
#include "lib/trace/RecorderState.h"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace tegula::trace {

std::string text_of(const Type& t) {
  std::string s;
  for (std::int64_t extent : t.shape)
    s += std::to_string(extent) + "x";
  return s + tegula::name(t.dtype);
}

namespace {

std::string text_of(double d) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", d);
  double back = 0;
  for (int digits = 1; digits < 17; ++digits) {
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, d);
    if (std::sscanf(shorter, "%lf", &back) == 1 && back == d)
      return shorter;
  }
  return text;
}

/// Prints values by number, in the order in which they are defined.
class Printer {
public:
  explicit Printer(const Record& record) : record_(record), numbers_(record.types.size()) {}

  std::string print() {
    text_ = "kernel @" + record_.name + "(";
    for (std::size_t i = 0; i < record_.parameters.size(); ++i) {
      const Parameter& p = record_.parameters[i];
      const std::string type = text_of(p.type);
      text_ += (i ? ", " : "") + define(p.id) + ": " + (p.is_view() ? std::string(tegula::name(p.kind)) + "<" + type + ">" : type);
    }
    text_ += ") {\n";
    operations(record_.body, 1);
    return text_ + "}\n";
  }

private:
  std::string define(Id id) {
    numbers_[id] = ++defined_;
    return name(id);
  }
  std::string name(Id id) const { return numbers_[id] ? "%" + std::to_string(numbers_[id]) : "%?"; }

  static std::string attribute(const Attribute& a) {
    if (const bool* flag = std::get_if<bool>(&a.value))
      return a.name + (*flag ? "" : " = false");
    std::string s = a.name + " = ";
    if (const auto* i = std::get_if<std::int64_t>(&a.value))
      return s + std::to_string(*i);
    if (const auto* d = std::get_if<double>(&a.value))
      return s + text_of(*d);
    if (const auto* t = std::get_if<std::string>(&a.value))
      return s + "\"" + *t + "\"";
    const auto& list = std::get<std::vector<std::int64_t>>(a.value);
    s += "[";
    for (std::size_t i = 0; i < list.size(); ++i)
      s += (i ? ", " : "") + std::to_string(list[i]);
    return s + "]";
  }

  void operations(const Region& region, int depth) {
    for (const Operation& op : region.operations)
      operation(op, depth);
  }

  void operation(const Operation& op, int depth) {
    const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
    std::string line = op.name, types;
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      line += (i ? ", " : " ") + name(op.operands[i]);
    for (std::size_t i = 0; i < op.attributes.size(); ++i)
      line += (i ? ", " : " {") + attribute(op.attributes[i]) + (i + 1 == op.attributes.size() ? "}" : "");
    for (std::size_t i = 0; i < op.results.size(); ++i)
      types += (i ? ", " : " : ") + text_of(record_.types[op.results[i]]);
    std::string results;
    for (std::size_t i = 0; i < op.results.size(); ++i)
      results += (i ? ", " : "") + define(op.results[i]) + (i + 1 == op.results.size() ? " = " : "");
    text_ += indent + results + line + types;
    for (const Region& region : op.regions) {
      text_ += " {";
      for (std::size_t i = 0; i < region.arguments.size(); ++i)
        text_ += (i ? ", " : " |") + define(region.arguments[i]) + ": " + text_of(record_.types[region.arguments[i]]) +
                 (i + 1 == region.arguments.size() ? "|" : "");
      text_ += "\n";
      operations(region, depth + 1);
      text_ += indent + "}";
    }
    text_ += "\n";
  }

  const Record& record_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t defined_ = 0;
  std::string text_;
};

/// Numbers by their bits: a NaN equals itself.
bool same_attribute(const Attribute& a, const Attribute& b) {
  const double *x = std::get_if<double>(&a.value), *y = std::get_if<double>(&b.value);
  if (x && y)
    return a.name == b.name && std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
  return a == b;
}

bool same_head(const Operation& a, const Operation& b) {
  return a.name == b.name && a.operands == b.operands && a.results == b.results && a.regions.size() == b.regions.size() &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(), same_attribute);
}

const Location* difference(const Region& a, const Region& b, const Location& whole) {
  for (std::size_t i = 0; i < a.operations.size() && i < b.operations.size(); ++i) {
    const Operation &x = a.operations[i], &y = b.operations[i];
    if (!same_head(x, y))
      return &x.location;
    for (std::size_t r = 0; r < x.regions.size(); ++r)
      if (const Location* l = difference(x.regions[r], y.regions[r], x.location))
        return l;
  }
  if (a.operations.size() != b.operations.size())
    return a.operations.size() < b.operations.size() ? &b.operations[a.operations.size()].location
                                                     : &a.operations[b.operations.size()].location;
  return a.arguments == b.arguments ? nullptr : &whole;
}

} // namespace

std::string Record::str() const { return Printer(*this).print(); }

bool same(std::span<const Region> a, std::span<const Region> b) {
  return std::ranges::equal(a, b, [](const Region& x, const Region& y) { return !difference(x, y, {}); });
}

const Location* difference(const Record& a, const Record& b) {
  if (const Location* l = difference(a.body, b.body, a.location))
    return l;
  return a.types == b.types ? nullptr : &a.location;
}

} // namespace tegula::trace

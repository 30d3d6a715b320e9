#include "test/prove/Reduce.h"

#include <exception>
#include <vector>

namespace tegula::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = text.find('\n', from);
    lines.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

std::string without(const std::vector<std::string>& lines, std::size_t first, std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (i < first || i >= first + length)
      text += lines[i] + "\n";
  return text;
}

} // namespace

std::string reduced(std::string ir, const std::function<bool(const std::string&)>& is_bad) {
  const auto stays_bad = [&](const std::string& text) {
    try {
      return is_bad(text);
    } catch (const std::exception&) {
      return false;
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<std::string> lines = lines_of(ir);
    for (std::size_t first = lines.size(); first-- > 1;)
      for (const std::size_t length : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{8}}) {
        if (first + length >= lines.size())
          break;
        const std::string text = without(lines, first, length);
        if (!stays_bad(text))
          continue;
        ir = text;
        lines = lines_of(ir);
        changed = true;
        break;
      }
  }
  return ir;
}

} // namespace tegula::test

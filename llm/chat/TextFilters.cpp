// Filters that make strings.
#include "llm/chat/Access.h"
#include "llm/chat/Elements.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"
#include "llm/chat/Json.h"
#include "llm/chat/Show.h"
#include "llm/chat/Strings.h"

namespace tegula::llm::jinja {
namespace {

template <auto change> Value changed(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "this filter", arguments, {});
  return run.text(change(run, to_text(run, of)));
}

Value trim(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "trim", arguments, {"chars"});
  return run.text(strip(run, to_text(run, of), given.unless_none(0) ? &given.text(0) : nullptr, {}));
}

Value string(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "string", arguments, {});
  return of.as_any_text() ? of : run.text(to_text(run, of));
}

Value safe(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "safe", arguments, {});
  if (of.get<Safe>())
    return of;
  const Text text = to_text(run, of);
  run.make(text.weight());
  return Value::Content(Safe{std::make_shared<const Text>(text)});
}

Value replace_filter(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "replace", arguments, {"old", "new", "count"}, 2);
  const std::int64_t most = given.unless_none(2) ? given.integer(2, -1) : -1;
  return run.text(replace(run, to_text(run, of), to_text(run, *given[0]), to_text(run, *given[1]), most));
}

Value join_filter(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "join", arguments, {"d", "attribute"});
  std::vector<Text> parts;
  Elements elements(run, of);
  while (const auto element = elements.next()) {
    parts.push_back(to_text(run, given.unless_none(1) ? item_at_path(run, *element, *given[1]) : *element));
    run.make(parts.back().weight());
  }
  return run.text(join(run, given[0] ? to_text(run, *given[0]) : Text(), parts));
}

/// The space in front of lines: what is given, or as many spaces.
Text margin(Run& run, const Value& width) {
  if (const Text* text = width.as_text())
    return *text;
  const auto count = as_integer(width);
  if (!count)
    run.fail("a width is an integer or a string, and not a value of type " + std::string(type_name(width)));
  const auto spaces = static_cast<std::size_t>(std::max<std::int64_t>(*count, 0));
  run.make(spaces);
  return Text::of_value(std::string(spaces, ' '));
}

Value indent(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "indent", arguments, {"width", "first", "blank"});
  const Text* text = of.as_text();
  if (!text)
    run.fail("indent takes a string, and not a value of type " + std::string(type_name(of)));
  const Text space = margin(run, given[0] ? *given[0] : Value::integer(4)), line_break = Text::of_value("\n");
  Text closed = *text; // so that a line break at its end has a line behind it
  closed.append(line_break);
  const Value lines = split_lines(run, closed, false);
  Text result;
  for (const Value& line : lines.as_list()->items) {
    const bool is_first = &line == &lines.as_list()->items.front();
    if (!is_first)
      result.append(line_break);
    const bool indented = is_first ? given.flag(1) : given.flag(2) || !line.as_text()->empty();
    run.make(space.weight());
    if (indented)
      result.append(space);
    result.append(*line.as_text());
  }
  return run.text(std::move(result));
}

std::string separator(Run& run, const Value& separators, std::size_t which) {
  const List* list = separators.as_list();
  const bool is_pair = list && list->items.size() == 2;
  const Text* text = is_pair ? list->items[which].as_text() : nullptr;
  if (!text)
    run.fail("the separators of tojson are two strings, as in (', ', ': ')");
  return text->bytes();
}

Value tojson(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "tojson", arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii = given.flag(0);
  style.sorted = given.flag(3);
  if (const Value* width = given.unless_none(1)) {
    style.indent = margin(run, *width).bytes();
    style.between = ",";
  }
  if (const Value* separators = given.unless_none(2)) {
    style.between = separator(run, *separators, 0);
    style.colon = separator(run, *separators, 1);
  }
  return run.text(to_json(run, of, style));
}

constexpr Filter filters[] = {{"upper", changed<upper>},
                              {"lower", changed<lower>},
                              {"capitalize", changed<capitalize>},
                              {"title", changed<title_words>},
                              {"trim", trim},
                              {"string", string},
                              {"safe", safe},
                              {"replace", replace_filter},
                              {"join", join_filter},
                              {"indent", indent},
                              {"tojson", tojson}};

} // namespace

std::span<const Filter> text_filters() { return filters; }

} // namespace tegula::llm::jinja

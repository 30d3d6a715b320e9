// Methods of strings.
#include "llm/chat/Elements.h"
#include "llm/chat/Format.h"
#include "llm/chat/Given.h"
#include "llm/chat/Methods.h"
#include "llm/chat/Search.h"
#include "llm/chat/Strings.h"
#include "llm/chat/Unicode.h"

#include <algorithm>
#include <array>

namespace tegula::llm::jinja {
namespace {

const Text& text_of(const Value& self) { return *self.as_text(); }
const Text* text_unless_none(const Given& given, std::size_t parameter) {
  return given.unless_none(parameter) ? &given.text(parameter) : nullptr;
}

/// Whether a string starts, or ends, with another, or with one of a tuple.
template <bool starts> Value has_end(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, starts ? "startswith" : "endswith", arguments, {starts ? "prefix" : "suffix"}, 1);
  const std::string_view bytes = text_of(self).bytes();
  const auto matches = [&](const Text& end) {
    run.look(end.size());
    return starts ? bytes.starts_with(end.bytes()) : bytes.ends_with(end.bytes());
  };
  const List* list = given[0]->as_list();
  if (!list || list->form != List::Form::tuple)
    return Value::boolean(matches(given.text(0)));
  return Value::boolean(std::ranges::any_of(list->items, [&](const Value& end) {
    if (!end.as_text())
      run.fail("startswith and endswith take strings and tuples of strings");
    return matches(*end.as_text());
  }));
}

template <bool start, bool end> Value stripped(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "strip", arguments, {"chars"});
  return run.text(strip(run, text_of(self), text_unless_none(given, 0), {start, end}));
}

template <bool from_end> Value split_method(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "split", arguments, {"sep", "maxsplit"});
  const Text* separator = text_unless_none(given, 0);
  const std::int64_t most = given.integer(1, -1);
  return from_end ? split_from_end(run, text_of(self), separator, most) : split(run, text_of(self), separator, most);
}

Value splitlines(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "splitlines", arguments, {"keepends"});
  return split_lines(run, text_of(self), given.flag(0));
}

template <bool from_end> Value partition(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "partition", arguments, {"sep"}, 1);
  const Value parts =
      from_end ? split_from_end(run, text_of(self), &given.text(0), 1) : split(run, text_of(self), &given.text(0), 1);
  std::vector<Value> items = parts.as_list()->items;
  const Value empty = Value::text({});
  if (items.size() == 2)
    items.insert(items.begin() + 1, *given[0]);
  else
    items.insert(from_end ? items.begin() : items.end(), {empty, empty});
  return run.list(std::move(items), List::Form::tuple);
}

Value replace_method(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "replace", arguments, {"old", "new", "count"}, 2);
  return run.text(replace(run, text_of(self), given.text(0), given.text(1), given.integer(2, -1)));
}

Value join_method(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "join", arguments, {"iterable"}, 1);
  std::vector<Text> parts;
  for (const Value& part : take_all(run, *given[0])) {
    if (!part.as_text())
      run.fail("join takes strings, and not values of type " + std::string(type_name(part)) + "; use | join, which makes strings");
    run.make(part.as_text()->weight());
    parts.push_back(*part.as_text());
  }
  return run.text(join(run, text_of(self), parts));
}

template <auto change> Value changed(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "this method", arguments, {});
  return run.text(change(run, text_of(self)));
}

template <bool last> Value find_method(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "find", arguments, {"sub"}, 1);
  return Value::integer(find_place(run, text_of(self), given.text(0).bytes(), last));
}

Value index(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "index", arguments, {"sub"}, 1);
  const std::int64_t place = find_place(run, text_of(self), given.text(0).bytes(), false);
  if (place < 0)
    run.fail("index finds no such part in the string; use find, which gives -1 then");
  return Value::integer(place);
}

Value count(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "count", arguments, {"sub"}, 1);
  return Value::integer(count_of(run, text_of(self), given.text(0).bytes()));
}

Value remove_prefix(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "removeprefix", arguments, {"prefix"}, 1);
  const Text &text = text_of(self), &prefix = given.text(0);
  return text.bytes().starts_with(prefix.bytes()) ? run.text(text.slice(prefix.size(), text.size())) : self;
}
Value remove_suffix(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "removesuffix", arguments, {"suffix"}, 1);
  const Text &text = text_of(self), &suffix = given.text(0);
  return text.bytes().ends_with(suffix.bytes()) ? run.text(text.slice(0, text.size() - suffix.size())) : self;
}

Value format_method(Run& run, const Value& self, const Arguments& arguments) {
  return run.text(format_braces(run, text_of(self), arguments));
}

template <auto is> Value all_are(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "this method", arguments, {});
  const std::string_view bytes = text_of(self).bytes();
  run.look(bytes.size());
  bool all = !bytes.empty();
  for (std::size_t at = 0; all && at < bytes.size();)
    all = is(next_point(bytes, at));
  return Value::boolean(all);
}
bool is_letter_or_number(char32_t point) { return is_letter(point) || is_numeric(point); }

template <bool upper> Value has_case(Run& run, const Value& self, const Arguments& arguments) {
  const Given given(run, "this method", arguments, {});
  run.look(text_of(self).size());
  return Value::boolean(jinja::has_case(text_of(self).bytes(), upper));
}

constexpr MethodEntry methods[] = {{"startswith", has_end<true>},
                                   {"endswith", has_end<false>},
                                   {"strip", stripped<true, true>},
                                   {"lstrip", stripped<true, false>},
                                   {"rstrip", stripped<false, true>},
                                   {"split", split_method<false>},
                                   {"rsplit", split_method<true>},
                                   {"splitlines", splitlines},
                                   {"partition", partition<false>},
                                   {"rpartition", partition<true>},
                                   {"replace", replace_method},
                                   {"join", join_method},
                                   {"upper", changed<upper>},
                                   {"lower", changed<lower>},
                                   {"capitalize", changed<capitalize>},
                                   {"title", changed<title>},
                                   {"find", find_method<false>},
                                   {"rfind", find_method<true>},
                                   {"index", index},
                                   {"count", count},
                                   {"removeprefix", remove_prefix},
                                   {"removesuffix", remove_suffix},
                                   {"format", format_method},
                                   {"isdigit", all_are<is_digit>},
                                   {"isalpha", all_are<is_letter>},
                                   {"isalnum", all_are<is_letter_or_number>},
                                   {"isspace", all_are<is_space>},
                                   {"isupper", has_case<true>},
                                   {"islower", has_case<false>},
                                   {"casefold", nullptr},
                                   {"center", nullptr},
                                   {"encode", nullptr},
                                   {"expandtabs", nullptr},
                                   {"format_map", nullptr},
                                   {"isascii", nullptr},
                                   {"isdecimal", nullptr},
                                   {"isidentifier", nullptr},
                                   {"isnumeric", nullptr},
                                   {"isprintable", nullptr},
                                   {"istitle", nullptr},
                                   {"ljust", nullptr},
                                   {"maketrans", nullptr},
                                   {"rindex", nullptr},
                                   {"rjust", nullptr},
                                   {"swapcase", nullptr},
                                   {"translate", nullptr},
                                   {"zfill", nullptr}};

} // namespace

const MethodEntry* find_string_method(std::string_view name) {
  const auto* found = std::ranges::find(methods, name, &MethodEntry::name);
  return found == std::end(methods) ? nullptr : found;
}

} // namespace tegula::llm::jinja

// The functions that every template may call.
#include "llm/chat/Elements.h"
#include "llm/chat/Filters.h"
#include "llm/chat/Given.h"
#include "llm/chat/Show.h"

#include <array>
#include <ctime>

namespace tegula::llm::jinja {
namespace {

constexpr std::size_t longest_range = 100'000; // as in Jinja's sandbox

Value range(Run& run, const Arguments& arguments) {
  const Given given(run, "range", arguments, {"start", "stop", "step"}, 1);
  const bool bounded = given[1];
  const std::int64_t first = bounded ? given.integer(0, 0) : 0, last = given.integer(bounded ? 1 : 0, 0),
                     step = given.integer(2, 1);
  if (step == 0)
    run.fail("the step of range cannot be 0");
  std::vector<Value> items;
  for (std::int64_t at = first; step > 0 ? at < last : at > last;) {
    if (items.size() == longest_range)
      run.fail("range gives more than " + std::to_string(longest_range) + " numbers");
    items.push_back(Value::integer(at));
    if (__builtin_add_overflow(at, step, &at))
      break;
  }
  return run.list(std::move(items), List::Form::range);
}

Dict entries_of(Run& run, const std::string& callee, const Arguments& arguments) {
  Dict dict;
  if (arguments.positional.size() > 1)
    run.fail(callee + " takes one dictionary at most, besides names with values");
  if (!arguments.positional.empty()) {
    const Dict* source = arguments.positional.front().as_dict();
    if (!source)
      run.fail(callee + " takes a dictionary, and not a value of type " + std::string(type_name(arguments.positional.front())));
    run.step(source->entries().size());
    dict = *source;
  }
  for (const auto& [name, value] : arguments.named)
    dict.set(Value::text(Text::of_template(std::string(name))), value);
  return dict;
}

Value make_dict(Run& run, const Arguments& arguments) { return run.dict(entries_of(run, "dict", arguments)); }

Value make_namespace(Run& run, const Arguments& arguments) {
  Namespace space;
  const Dict dict = entries_of(run, "namespace", arguments);
  for (const auto& [name, value] : dict.entries()) {
    if (!name.as_text() || name.as_text()->bytes().starts_with('_'))
      run.fail("attributes of a namespace have strings for names, which may not start with '_'");
    space.set(name.as_text()->bytes(), value);
    run.step(space.attributes.size() / 8);
  }
  return run.make_namespace(std::move(space));
}

Value raise_exception(Run& run, const Arguments& arguments) {
  const Given given(run, "raise_exception", arguments, {"message"}, 1);
  run.fail("the template refuses this conversation: " + to_text(run, *given[0]).bytes());
}

Value strftime_now(Run& run, const Arguments& arguments) {
  const Given given(run, "strftime_now", arguments, {"format"}, 1);
  if (!run.now())
    run.fail("the template asks for the date, and none is given; set RenderOptions::now");
  // A mark at the end tells a date that is empty from one that does not fit.
  const std::string format = given.text(0).bytes() + "|";
  std::array<char, 4096> buffer{};
  if (format.find('\0') != std::string::npos)
    run.fail("the format of a date has a NUL character");
  run.make(buffer.size());
  const std::size_t size = std::strftime(buffer.data(), buffer.size(), format.c_str(), &*run.now());
  if (size == 0)
    run.fail("the date is longer than " + std::to_string(buffer.size()) + " bytes in this format");
  return run.text(Text::of_value(std::string(buffer.data(), size - 1)));
}

} // namespace

std::optional<Value> find_function(std::string_view name) {
  static constexpr std::pair<std::string_view, Function> functions[] = {{"range", range},
                                                                        {"dict", make_dict},
                                                                        {"namespace", make_namespace},
                                                                        {"raise_exception", raise_exception},
                                                                        {"strftime_now", strftime_now}};
  for (const auto& [known, function] : functions)
    if (known == name)
      return Value::Content(std::make_shared<const Callable>(Callable{function}));
  return std::nullopt;
}

} // namespace tegula::llm::jinja

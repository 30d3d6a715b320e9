#include "llm/chat/Given.h"

#include <algorithm>

namespace tegula::llm::jinja {

Given::Given(Run& run, std::string_view callee, const Arguments& arguments, std::initializer_list<std::string_view> parameters,
             std::size_t required)
    : run_(run), callee_(callee), names_(parameters), values_(parameters.size()) {
  if (arguments.positional.size() > values_.size())
    run.fail(std::string(callee) + " takes " + std::to_string(values_.size()) + " arguments at most, and " +
             std::to_string(arguments.positional.size()) + " are given");
  for (std::size_t i = 0; i < arguments.positional.size(); ++i)
    values_[i] = &arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end())
      run.fail(std::string(callee) + " has no argument '" + std::string(name) + "'");
    const Value*& place = values_[static_cast<std::size_t>(found - names_.begin())];
    if (place)
      run.fail(std::string(callee) + " is given its argument '" + std::string(name) + "' twice");
    place = &value;
  }
  for (std::size_t i = 0; i < required; ++i)
    if (!values_[i])
      run.fail(std::string(callee) + " needs its argument '" + std::string(names_[i]) + "'");
}

void Given::fail_type(std::size_t parameter, std::string_view wanted) const {
  if (const auto* undefined = values_[parameter]->get<Undefined>())
    run_.fail(*undefined->why);
  run_.fail("the argument '" + std::string(names_[parameter]) + "' of " + std::string(callee_) + " is " + std::string(wanted) +
            ", and not a value of type " + std::string(type_name(*values_[parameter])));
}

const Text& Given::text(std::size_t parameter) const {
  const Text* text = values_[parameter]->as_text();
  if (!text)
    fail_type(parameter, "a string");
  return *text;
}

std::int64_t Given::integer(std::size_t parameter, std::int64_t otherwise) const {
  if (!values_[parameter])
    return otherwise;
  const auto integer = as_integer(*values_[parameter]);
  if (!integer)
    fail_type(parameter, "an integer");
  return *integer;
}

} // namespace tegula::llm::jinja

// What stands behind `is`.
#include "llm/chat/Compare.h"
#include "llm/chat/Elements.h"
#include "llm/chat/FilterTables.h"
#include "llm/chat/Given.h"
#include "llm/chat/Operators.h"
#include "llm/chat/Show.h"
#include "llm/chat/Unicode.h"

namespace tegula::llm::jinja {
namespace {

bool is_boolean_of(const Value& value, bool wanted) {
  const auto* boolean = value.get<bool>();
  return boolean && *boolean == wanted;
}
bool is_list(const Value& value) {
  const List* list = value.as_list();
  return list && (list->form == List::Form::list || list->form == List::Form::tuple || list->form == List::Form::range);
}

bool is_undefined(const Value& value) { return value.is_undefined(); }
bool is_defined(const Value& value) { return !value.is_undefined(); }
bool is_none(const Value& value) { return value.is_none(); }
bool is_boolean(const Value& value) { return value.get<bool>(); }
bool is_true(const Value& value) { return is_boolean_of(value, true); }
bool is_false(const Value& value) { return is_boolean_of(value, false); }
bool is_integer(const Value& value) { return value.get<std::int64_t>(); }
bool is_float(const Value& value) { return value.get<double>(); }
bool is_number(const Value& value) { return as_real(value).has_value(); }
bool is_string(const Value& value) { return value.as_any_text(); }
bool is_mapping(const Value& value) { return value.as_dict(); }
bool is_sequence(const Value& value) { return value.is_undefined() || value.as_any_text() || value.as_dict() || is_list(value); }
bool is_callable(const Value& value) { return value.as_callable() || value.is_undefined(); }

template <bool (*is)(const Value&)> bool plain(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "this test", arguments, {});
  return is(of);
}

template <bool upper> bool has_case_test(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "this test", arguments, {});
  const Text text = to_text(run, of);
  run.look(text.size());
  return has_case(text.bytes(), upper);
}

template <int rest> bool halves(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "this test", arguments, {});
  return equal(run, apply(run, Operator::modulo, of, Value::integer(2)), Value::integer(rest));
}

bool divisible(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "divisibleby", arguments, {"num"}, 1);
  return equal(run, apply(run, Operator::modulo, of, *given[0]), Value::integer(0));
}

bool same(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "sameas", arguments, {"other"}, 1);
  const Value& other = *given[0];
  if (!other.is_none() && !is_boolean(other))
    run.fail("sameas is supported for true, false and none only; use ==");
  return other.is_none() ? of.is_none() : is_boolean_of(of, is_true(other));
}

template <Operator op> bool compared(Run& run, const Value& of, const Arguments& arguments) {
  const Given given(run, "this test", arguments, {"other"}, 1);
  return compare(run, op, of, *given[0]);
}

constexpr Test all[] = {{"odd", halves<1>},
                        {"even", halves<0>},
                        {"divisibleby", divisible},
                        {"defined", plain<is_defined>},
                        {"undefined", plain<is_undefined>},
                        {"none", plain<is_none>},
                        {"boolean", plain<is_boolean>},
                        {"true", plain<is_true>},
                        {"false", plain<is_false>},
                        {"integer", plain<is_integer>},
                        {"float", plain<is_float>},
                        {"number", plain<is_number>},
                        {"string", plain<is_string>},
                        {"mapping", plain<is_mapping>},
                        {"sequence", plain<is_sequence>},
                        {"iterable", plain<Elements::are_in>},
                        {"callable", plain<is_callable>},
                        {"lower", has_case_test<false>},
                        {"upper", has_case_test<true>},
                        {"sameas", same},
                        {"in", compared<Operator::in>},
                        {"==", compared<Operator::equal>},
                        {"eq", compared<Operator::equal>},
                        {"equalto", compared<Operator::equal>},
                        {"!=", compared<Operator::not_equal>},
                        {"ne", compared<Operator::not_equal>},
                        {">", compared<Operator::greater>},
                        {"gt", compared<Operator::greater>},
                        {"greaterthan", compared<Operator::greater>},
                        {">=", compared<Operator::greater_equal>},
                        {"ge", compared<Operator::greater_equal>},
                        {"<", compared<Operator::less>},
                        {"lt", compared<Operator::less>},
                        {"lessthan", compared<Operator::less>},
                        {"<=", compared<Operator::less_equal>},
                        {"le", compared<Operator::less_equal>}};

} // namespace

std::span<const Test> tests() { return all; }

} // namespace tegula::llm::jinja

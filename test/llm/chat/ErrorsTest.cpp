// What goes wrong while a template is rendered: each error says where in the template, and what.
#include "Support.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

TEST(Errors, Undefined) {
  EXPECT_EQ(error("a\n{{ x.y }}"), "t:2:5: 'x' is not defined");
  EXPECT_EQ(error("{{ messages[0].x.y }}"), "t:1:17: a value of type dict has no attribute 'x'");
  EXPECT_EQ(error("{{ messages[7].x }}"), "t:1:15: a value of type list has no element 7");
  EXPECT_EQ(error("{{ messages[0]['x']['y'] }}"), "t:1:20: a value of type dict has no element 'x'");
  EXPECT_EQ(error("{{ x() }}"), "t:1:4: 'x' is not defined");
  EXPECT_EQ(error("{{ 'a' + x }}"), "t:1:8: 'x' is not defined");
  EXPECT_EQ(error("{{ x < 1 }}"), "t:1:4: 'x' is not defined");
  EXPECT_EQ(error("{{ x | tojson }}"), "t:1:6: 'x' is not defined");
  EXPECT_EQ(error("{{ ('a' if false).b }}"), "t:1:18: the condition of an 'if' without 'else' does not hold, so it has no value");
  EXPECT_EQ(error("{{ ([] | first).b }}"), "t:1:16: there is no first element, as there are none");
  EXPECT_EQ(error("{{ 'a'.split(x) }}"), "t:1:7: 'x' is not defined");
  EXPECT_EQ(error("{% for a in [1] %}{{ loop.previtem.x }}{% endfor %}"),
            "t:1:35: there is no element before the first one of a loop");
}

TEST(Errors, Types) {
  EXPECT_EQ(error("{{ 'a' + 1 }}"), "t:1:8: '+' does not work on values of type str and int; use ~, which makes strings of both");
  EXPECT_EQ(error("{{ [] - [] }}"), "t:1:7: '-' does not work on values of type list and list");
  EXPECT_EQ(error("{{ 1 < 'a' }}"), "t:1:4: a value of type int cannot be ordered against one of type str");
  EXPECT_EQ(error("{{ 1 in 'a' }}"), "t:1:4: only a string can be in a string, and not a value of type int");
  EXPECT_EQ(error("{{ -'a' }}"), "t:1:4: a value of type str has no sign");
  EXPECT_EQ(error("{{ 1 // 0 }}"), "t:1:6: division by zero");
  EXPECT_EQ(error("{% for a in 5 %}{% endfor %}"), "t:1:8: a value of type int has no elements to iterate over");
  EXPECT_EQ(error("{{ 5 | length }}"), "t:1:6: a value of type int has no length");
  EXPECT_EQ(error("{{ [1] | select | length }}"), "t:1:17: a value of type generator has no length; make a list of it with | list");
  EXPECT_EQ(error("{{ {[1]: 2} }}"),
            "t:1:4: keys that are strings, numbers, true, false or none are supported, and not one of type list");
  EXPECT_EQ(error("{{ [1]['a':'b'] }}"), "t:1:7: the bounds of a slice are integers, and not values of type str");
  EXPECT_EQ(error("{{ 'abc'[::0] }}"), "t:1:9: the step of a slice cannot be 0");
  EXPECT_EQ(error("{{ 5[1:] }}"), "t:1:5: a value of type int has no slices");
  EXPECT_EQ(error("{{ 'a'() }}"), "t:1:4: a value of type str cannot be called");
  EXPECT_EQ(error("{{ range }}"), "t:1:4: a function cannot be printed");
  EXPECT_EQ(error("{{ range(2) }}"), "t:1:4: a range cannot be printed; make a list of it with | list");
  EXPECT_EQ(error("{{ namespace() | tojson }}"), "t:1:16: a value of type namespace cannot be written as JSON");
}

TEST(Errors, Arguments) {
  EXPECT_EQ(error("{{ 'a'.startswith() }}"), "t:1:7: startswith needs its argument 'prefix'");
  EXPECT_EQ(error("{{ 'a'.startswith(1) }}"),
            "t:1:7: the argument 'prefix' of startswith is a string, and not a value of type int");
  EXPECT_EQ(error("{{ 'a'.split('b', 'c') }}"),
            "t:1:7: the argument 'maxsplit' of split is an integer, and not a value of type str");
  EXPECT_EQ(error("{{ 'a' | trim('a', 'b') }}"), "t:1:8: trim takes 1 arguments at most, and 2 are given");
  EXPECT_EQ(error("{{ 'a' | trim(x=1) }}"), "t:1:8: trim has no argument 'x'");
  EXPECT_EQ(error("{{ 'a' | replace('a', old='b') }}"), "t:1:8: replace is given its argument 'old' twice");
  EXPECT_EQ(error("{% macro f(a) %}{% endmacro %}{{ f(1, 2) }}"),
            "t:1:34: the macro 'f' takes 1 arguments at most, and 2 are given");
  EXPECT_EQ(error("{% macro f(a) %}{% endmacro %}{{ f(b=2) }}"), "t:1:34: the macro 'f' has no argument 'b'");
  EXPECT_EQ(error("{% macro f(a) %}{% endmacro %}{{ f(1, a=2) }}"), "t:1:34: the macro 'f' is given twice its argument 'a'");
  EXPECT_EQ(error("{% macro f(a) %}{{ a.b }}{% endmacro %}{{ f() }}"), "t:1:21: the macro's argument 'a' is not given");
  EXPECT_EQ(error("{{ [1] | map(5) | list }}"), "t:1:8: the name of a filter is a string, and not a value of type int");
  EXPECT_EQ(error("{{ [1] | map(messages[0].role) | list }}").substr(0, 41), "t:1:8: the filter 'user' is not supported");
}

TEST(Errors, Functions) {
  EXPECT_EQ(error("a {{ raise_exception('No ' ~ messages[0].role) }}"), "t:1:6: the template refuses this conversation: No user");
  EXPECT_EQ(error("{{ strftime_now('%Y') }}"), "t:1:4: the template asks for the date, and none is given; set RenderOptions::now");
  RenderOptions options;
  options.now = std::tm{};
  EXPECT_EQ(error("{{ strftime_now('%Y' * 2000) }}", one_message(), options),
            "t:1:4: the date is longer than 4096 bytes in this format");
  EXPECT_EQ(error("{{ range(1, 2, 0) }}"), "t:1:4: the step of range cannot be 0");
  EXPECT_EQ(error("{{ dict([1]) }}"), "t:1:4: dict takes a dictionary, and not a value of type list");
  EXPECT_EQ(error("{{ namespace(_a=1) }}"),
            "t:1:4: attributes of a namespace have strings for names, which may not start with '_'");
}

TEST(Errors, Assignments) {
  EXPECT_EQ(error("{% set a = 1 %}{% set a.b = 2 %}"),
            "t:1:23: 'a' is no namespace, so its attributes cannot be set; make it one with namespace()");
  EXPECT_EQ(error("{% set a = namespace() %}{% set a._b = 2 %}"), "t:1:33: attributes of a namespace may not start with '_'");
  EXPECT_EQ(error("{% set a, b = [1] %}"), "t:1:8: there are 1 values for 2 names");
}

TEST(Errors, Methods) {
  EXPECT_EQ(error("{{ messages[0].pop('role') }}"), "t:1:15: the method 'pop' would change a dict, and templates may not do that");
  EXPECT_EQ(error("{% set _ = messages.append(1) %}"),
            "t:1:20: the method 'append' would change a list, and templates may not do that");
  EXPECT_EQ(error("{{ 'a'['encode'] }}"), "t:1:7: the method 'encode' of str is not supported in templates here");
  EXPECT_EQ(error("{{ 'a'.index('b') }}"), "t:1:7: index finds no such part in the string; use find, which gives -1 then");
  EXPECT_EQ(error("{{ [1].index(2) }}"), "t:1:7: index finds no such element in the list");
  EXPECT_EQ(error("{{ 'a'.split('') }}"), "t:1:7: a string cannot be split at an empty separator");
  EXPECT_EQ(error("{{ ','.join([1]) }}"), "t:1:7: join takes strings, and not values of type int; use | join, which makes strings");
  EXPECT_EQ(error("{{ 'é'.title() }}"), "t:1:7: to capitalize text beyond ASCII is not supported");
}

TEST(Errors, SafeStrings) {
  EXPECT_EQ(error("{{ ('a' | safe).upper() }}"), "t:1:16: methods of a string made with | safe are not supported; put | safe last");
  EXPECT_EQ(error("{{ 'a' | safe | trim }}"),
            "t:1:15: the filter 'trim' is not supported for a string made with | safe; put | safe last");
  EXPECT_EQ(error("{{ ['a' | safe] | map('trim') | list }}"),
            "t:1:17: the filter 'trim' is not supported for a string made with | safe; put | safe last");
  EXPECT_EQ(error("{{ ('a' | safe)[0] }}"),
            "t:1:16: to take parts of a string made with | safe, or by one, is not supported; put | safe last");
  EXPECT_EQ(error("{{ messages[0]['role' | safe] }}"),
            "t:1:15: to take parts of a string made with | safe, or by one, is not supported; put | safe last");
  EXPECT_EQ(error("{{ ['a' | safe] }}"), "t:1:4: a safe string cannot be printed");
  EXPECT_EQ(error("{{ {'a' | safe: 1} }}"),
            "t:1:4: keys that are strings, numbers, true, false or none are supported, and not one of type safe string");
  EXPECT_EQ(error("{{ ('a' | safe) < 'b' }}"), "t:1:4: a value of type safe string cannot be ordered against one of type str");
}

TEST(Errors, Formats) {
  EXPECT_EQ(error("{{ '{}'.format() }}"), "t:1:8: there is no value for the field {} of a format");
  EXPECT_EQ(error("{{ '{a}'.format(b=1) }}"), "t:1:9: there is no value for the field {a} of a format");
  EXPECT_EQ(error("{{ '{'.format(1) }}"), "t:1:7: a brace in a format has no other; write {{ or }} for a brace itself");
  EXPECT_EQ(error("{{ '{0:>5}'.format(1) }}"), "t:1:12: in a format, only fields such as {}, {0} and {name} are supported");
  EXPECT_EQ(error("{{ '%x' % 1 }}"), "t:1:9: in a format with %, only %s, %d, %i, %f, %.2f and %% are supported");
  EXPECT_EQ(error("{{ '%s' % () }}"), "t:1:9: a format with % has more fields than values");
  EXPECT_EQ(error("{{ 'a' % 1 }}"), "t:1:8: a format with % has fewer fields than values");
  EXPECT_EQ(error("{{ '%d' % 'a' }}"), "t:1:9: a format asks for a number, and gets a value of type str");
}

TEST(Errors, Filters) {
  EXPECT_EQ(error("{{ 5 | items | list }}"), "t:1:6: items takes a dictionary, and not a value of type int");
  EXPECT_EQ(error("{{ [1] | select | last }}"), "t:1:17: a generator has no last element; make a list of it with | list");
  EXPECT_EQ(error("{{ 5 | indent }}"), "t:1:6: indent takes a string, and not a value of type int");
  EXPECT_EQ(error("{{ [1] | tojson(separators=1) }}"), "t:1:8: the separators of tojson are two strings, as in (', ', ': ')");
  EXPECT_EQ(error("{{ [[1]] | unique | list }}"), "t:1:10: unique does not compare values of type list");
  EXPECT_EQ(error("{{ [1] | sort(attribute='a,b') }}"),
            "t:1:8: to compare by several attributes is not supported; sort by one after the other");
  EXPECT_EQ(error("{{ {} | dictsort(by='x') }}"), "t:1:7: dictsort sorts by 'key' or by 'value'");
  EXPECT_EQ(error("{{ ['a'] | sum(start='') }}"), "t:1:10: sum does not take strings; use join");
  EXPECT_EQ(error("{{ '11' | int(0, 2) }}"), "t:1:9: int is supported for numbers of base 10 only");
  EXPECT_EQ(error("{{ [1] | selectattr }}"), "t:1:8: selectattr and rejectattr need the name of an attribute");
  EXPECT_EQ(error("{{ 1 is sameas 1 }}"), "t:1:6: sameas is supported for true, false and none only; use ==");
}

} // namespace

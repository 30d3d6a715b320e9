// What is wrong or not supported is an error when the template is read, and says where.
#include "Support.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

std::string parse_error(std::string_view source) {
  return error_of([&] { ChatTemplate("t", source); });
}

TEST(ParseErrors, Tags) {
  EXPECT_EQ(parse_error("a\nbc{{ 1"), "t:2:7: expected '}}', found the end of the template");
  EXPECT_EQ(parse_error("{{ 1 %}"), "t:1:7: there is no bracket open that '}' could close");
  EXPECT_EQ(parse_error("{{ (1] }}"), "t:1:6: there is no bracket open that ']' could close; expected ')'");
  EXPECT_EQ(parse_error("{{ 1 $ 2 }}"), "t:1:6: the character '$' means nothing in a tag");
  EXPECT_EQ(parse_error("é {{ ü }}"), "t:1:6: the character 'ü' means nothing in a tag");
  EXPECT_EQ(parse_error("a {# b"), "t:1:3: this comment has no end; close it with '#}'");
  EXPECT_EQ(parse_error("a\n {% raw %} b"), "t:2:2: this 'raw' has no end; close it with '{% endraw %}'");
  EXPECT_EQ(parse_error("{% 5 %}"), "t:1:4: expected the name of a tag, found '5'");
  EXPECT_EQ(parse_error("{% block a %}{% endblock %}"),
            "t:1:4: the tag 'block' is not supported; there are break, continue, for, generation, if, macro, raw, set and with");
  EXPECT_EQ(parse_error("{% endif %}"), "t:1:4: there is nothing open that 'endif' could belong to");
  EXPECT_EQ(parse_error("{% for a in b %}{% endif %}"), "t:1:20: there is nothing open that 'endif' could belong to");
  EXPECT_EQ(parse_error("{% else %}"), "t:1:4: there is nothing open that 'else' could belong to");
  EXPECT_EQ(parse_error("\xc3"), "t:1:1: the template is not UTF-8: see byte 0");
}

TEST(ParseErrors, Statements) {
  EXPECT_EQ(parse_error("a\n  {% if true %}b"), "t:2:6: this 'if' has no end; close it with '{% endif %}'");
  EXPECT_EQ(parse_error("{% if a %}{% else %}"), "t:1:4: this 'if' has no end; close it with '{% endif %}'");
  EXPECT_EQ(parse_error("{% if %}{% endif %}"), "t:1:7: expected an expression, found '%}'");
  EXPECT_EQ(parse_error("{% if a b %}{% endif %}"), "t:1:9: expected '%}', found 'b'");
  EXPECT_EQ(parse_error("{% for a b %}{% endfor %}"), "t:1:10: expected 'in', found 'b'");
  EXPECT_EQ(parse_error("{% for 'a' in b %}{% endfor %}"), "t:1:8: expected the name of a variable, found a string");
  EXPECT_EQ(parse_error("{% for a in b recursive %}{% endfor %}"), "t:1:15: recursive loops are not supported");
  EXPECT_EQ(parse_error("{% for loop in a %}{% set loop = 1 %}{% endfor %}"),
            "t:1:27: 'loop' cannot be set in a loop, which sets it");
  EXPECT_EQ(parse_error("{% break %}"), "t:1:4: 'break' is of use in a for loop only");
  EXPECT_EQ(parse_error("{% for a in b %}{% generation %}{% continue %}{% endgeneration %}{% endfor %}"),
            "t:1:36: 'continue' is of use in a for loop only");
  EXPECT_EQ(parse_error("{% set true = 1 %}"), "t:1:8: 'true' is a value, and cannot be set");
  EXPECT_EQ(parse_error("{% set a.b.c = 1 %}"), "t:1:11: expected '%}', found '.'");
  EXPECT_EQ(parse_error("{% set a %}b"), "t:1:4: this 'set' has no end; close it with '{% endset %}'");
  EXPECT_EQ(parse_error("{% with a %}{% endwith %}"), "t:1:11: expected '=', found '%}'");
  EXPECT_EQ(parse_error("{% if true: %}x{% endif %}"), "");
}

TEST(ParseErrors, Macros) {
  EXPECT_EQ(parse_error("{% macro f(a=1, b) %}{% endmacro %}"),
            "t:1:17: a parameter without a default value cannot follow one that has one");
  EXPECT_EQ(parse_error("{% macro f %}{% endmacro %}"), "t:1:12: expected '(', found '%}'");
  for (const char* source :
       {"{% for a in b %}{% macro f() %}{% endmacro %}{% endfor %}", "{% macro g() %}{% macro f() %}{% endmacro %}{% endmacro %}",
        "{% with a=1 %}{% macro f() %}{% endmacro %}{% endwith %}"})
    EXPECT_NE(parse_error(source).find("a macro within a loop, a macro or another scope is not supported; define it at the top"),
              std::string::npos)
        << source;
  EXPECT_EQ(parse_error("{% call f() %}{% endcall %}").substr(0, 40), "t:1:4: the tag 'call' is not supported; ");
  EXPECT_EQ(parse_error("{{ caller() }}"), "t:1:4: the function 'caller' is not supported in templates here");
}

TEST(ParseErrors, Expressions) {
  EXPECT_EQ(parse_error("{{ }}"), "t:1:4: expected an expression, found '}}'");
  EXPECT_EQ(parse_error("{{ 1 + }}"), "t:1:8: expected an expression, found '}}'");
  EXPECT_EQ(parse_error("{{ a in }}"), "t:1:9: expected an expression, found '}}'");
  EXPECT_EQ(parse_error("{{ and }}"), "t:1:4: expected an expression, found 'and'");
  EXPECT_EQ(parse_error("{{ a b }}"), "t:1:6: expected '}}', found 'b'");
  EXPECT_EQ(parse_error("{{ a[] }}"), "t:1:6: expected an index, found ']'");
  EXPECT_EQ(parse_error("{{ a[1, 2] }}"), "t:1:7: expected ']' (several indices at once are not supported), found ','");
  EXPECT_EQ(parse_error("{{ a. }}"), "t:1:7: expected the name of an attribute, found '}}'");
  EXPECT_EQ(parse_error("{{ {1} }}"), "t:1:6: expected ':', found '}'");
  EXPECT_EQ(parse_error("{{ {'a': 1 'b': 2} }}"), "t:1:12: expected ',', found a string");
  EXPECT_EQ(parse_error("{{ [1 2] }}"), "t:1:7: expected ',', found '2'");
  EXPECT_EQ(parse_error("{{ f(a=1, 2) }}"), "t:1:11: an argument without a name cannot follow one with a name");
  EXPECT_EQ(parse_error("{{ f(a=1, a=2) }}"), "t:1:11: the argument 'a' is given twice");
  EXPECT_EQ(parse_error("{{ f(*a) }}"), "t:1:6: arguments from a list or a dictionary, as in f(*list), are not supported");
  EXPECT_EQ(parse_error("{{ a is b is c }}").substr(0, 36), "t:1:9: the test 'b' is not supported");
  EXPECT_EQ(parse_error("{{ a is defined is none }}"), "t:1:17: tests cannot follow each other; combine them with 'and'");
  EXPECT_EQ(parse_error("{{ joiner(',') }}"), "t:1:4: the function 'joiner' is not supported in templates here");
}

TEST(ParseErrors, Literals) {
  EXPECT_EQ(parse_error("{{ 'a }}"), "t:1:4: this string has no end; close it with '");
  EXPECT_EQ(parse_error("{{ '\\x4' }}"), "t:1:7: this escape sequence needs 2 hexadecimal digits that are a character of Unicode");
  EXPECT_EQ(parse_error("{{ '\\ud800' }}"),
            "t:1:7: this escape sequence needs 4 hexadecimal digits that are a character of Unicode");
  EXPECT_EQ(parse_error("{{ '\\N{DASH}' }}"),
            "t:1:6: characters by name, as in '\\N{name}', are not supported; write the character itself");
  EXPECT_EQ(parse_error("{{ '\\é' }}"), "t:1:6: a backslash before this character is not supported; write two for a backslash");
  EXPECT_EQ(parse_error("{{ 9223372036854775808 }}"), "t:1:4: the integer 9223372036854775808 does not fit 64 bits");
  EXPECT_EQ(parse_error("{{ 1e999 }}"), "t:1:4: the number 1e999 does not fit a floating-point number of 64 bits");
  EXPECT_EQ(parse_error("{{ 1__0 }}"), "t:1:5: expected '}}', found '__0'");
}

TEST(ParseErrors, WhatIsNotSupportedWhereItIsNotReached) {
  EXPECT_EQ(
      parse_error("{% if false %}\n{{ a | wordwrap }}{% endif %}"),
      "t:2:8: the filter 'wordwrap' is not supported; there are abs, capitalize, count, d, default, dictsort, first, float, "
      "indent, int, "
      "items, join, last, length, list, lower, map, max, min, reject, rejectattr, replace, reverse, safe, select, selectattr, "
      "sort, string, "
      "sum, title, tojson, trim, unique and upper");
  EXPECT_EQ(parse_error("{% if false %}{{ a is escaped }}{% endif %}"),
            "t:1:23: the test 'escaped' is not supported; there are boolean, callable, defined, divisibleby, eq, equalto, even, "
            "false, float, "
            "ge, greaterthan, gt, in, integer, iterable, le, lessthan, lower, lt, mapping, ne, none, number, odd, sameas, "
            "sequence, string, "
            "true, undefined and upper");
  EXPECT_EQ(parse_error("{{ a | map('nothing') | list }}").substr(0, 45), "t:1:12: the filter 'nothing' is not supported");
  EXPECT_EQ(parse_error("{{ a | selectattr('b', 'nothing') }}").substr(0, 43), "t:1:24: the test 'nothing' is not supported");
  EXPECT_EQ(parse_error("{{ a | select('nothing') }}").substr(0, 43), "t:1:15: the test 'nothing' is not supported");
  EXPECT_EQ(parse_error("{{ a.encode('utf-8') }}"), "t:1:5: the method 'encode' is not supported in templates here");
  EXPECT_EQ(parse_error("{{ {}.fromkeys([1]) }}"), "t:1:6: the method 'fromkeys' is not supported in templates here");
  EXPECT_EQ(parse_error("{% for a in b %}{{ loop }}{% endfor %}"), "t:1:20: 'loop' is supported only as in loop.index");
  EXPECT_EQ(parse_error("{% for a in b %}{{ loop.parent }}{% endfor %}"), "t:1:20: 'loop.parent' is not supported");
}

} // namespace

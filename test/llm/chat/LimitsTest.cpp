// Templates and messages that are broken or hostile end with an error, soon.
#include "Support.h"
#include "llm/chat/Conversation.h"

#include <chrono>
#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

std::string repeated(std::string_view part, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += part;
  return all;
}

TEST(Limits, Steps) {
  const std::string loops = "{% set r = range(100000) %}" + repeated("{% for a in r %}", 3) + repeated("{% endfor %}", 3);
  EXPECT_EQ(error(loops), "t:1:67: the template takes more than 20000000 steps for this conversation; shorten it, or allow more in "
                          "Limits::steps");
  RenderOptions options;
  options.limits.steps = 50;
  EXPECT_NE(error("{% for a in range(100) %}{{ a }}{% endfor %}", one_message(), options), "");
  EXPECT_EQ(error("{{ 1 + 1 }}", one_message(), options), "");
}

TEST(Limits, Bytes) {
  EXPECT_EQ(error("{{ 'a' * 9000000000000 }}"), "t:1:8: the template makes strings and lists of more than 268435456 bytes for this "
                                                "conversation; shorten it, or allow more in "
                                                "Limits::bytes");
  for (const char* source :
       {"{{ [0] * 999999999 }}", "{% set s = 'a' * 100000000 %}{{ s ~ s ~ s ~ s ~ s ~ s ~ s ~ s }}",
        "{% set ns = namespace(s='abcdefgh') %}{% for a in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for a in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{{ 'a' | indent(99999999999, true) }}", "{{ [1] | tojson(indent=99999999999) }}",
        "{{ ('a' * 100000) | replace('', 'b' * 100000) }}", "{{ ('a' * 100000) | list | join('b' * 100000) }}",
        "{% for a in range(100000) %}{{ 'a' * 10000 }}{% endfor %}",
        "{% for a in range(100000) %}{% set b %}{{ 'a' * 10000 }}{% endset %}{% endfor %}"})
    EXPECT_NE(error(source).find("Limits::bytes"), std::string::npos) << source << ": " << error(source);
}

TEST(Limits, ComparisonsAreCounted) {
  const std::string twins =
      "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(99) %}{% set ns.a = [ns.a, ns.a] %}{% set ns.b = "
      "[ns.b, ns.b] %}{% endfor %}";
  for (const char* use : {"{{ ns.a == ns.b }}", "{{ ns.a }}", "{{ ns.a | tojson }}", "{{ ns.a < ns.b }}", "{{ ns.a in [ns.b] }}"})
    EXPECT_NE(error(twins + use).find("Limits::steps"), std::string::npos) << error(twins);
}

TEST(Limits, SearchingTakesNoLongerThanTheText) {
  const auto start = std::chrono::steady_clock::now();
  const Json messages = one_message(std::string(2'000'000, 'a'));
  EXPECT_EQ(text("{% set c = messages[0].content %}{{ (c[:1000000] ~ 'b') in c }}{{ c.find('a' * 999999 ~ 'b') }}", messages),
            "False-1");
  EXPECT_NE(error("{% set c = messages[0].content %}{{ c.rfind(c[:1000000] ~ 'b') }}", messages), "");
  EXPECT_NE(error("{% set c = messages[0].content %}{{ c.rsplit(c[:1000000] ~ 'b') }}", messages), "");
  EXPECT_NE(error("{% set c = messages[0].content %}{{ c.strip(c ~ 'b') }}", messages), "");
  EXPECT_NE(error("{% set c = messages[0].content %}{% for i in range(100000) %}{{ c[i] }}{% endfor %}", messages), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Limits, Depth) {
  EXPECT_EQ(error("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
            "t:1:19: calls and expressions are nested more than 600 deep; does a macro call itself without an end?");
  EXPECT_EQ(error("{{ " + repeated("(", 100) + "1" + repeated(")", 100) + " }}"),
            "t:1:33: the template is nested more than 60 deep here");
  EXPECT_NE(error("{{ " + repeated("[", 5000) + " }}"), "");
  EXPECT_NE(error("{{ " + repeated("not ", 1500) + "1 }}"), "");
  EXPECT_NE(error("{{ " + repeated("-", 1500) + "1 }}"), "");
  EXPECT_NE(error(repeated("{% if true %}", 3000)), "");
  EXPECT_NE(error("{% for " + repeated("(", 1500) + "a"), "");
  EXPECT_EQ(error("{{ 1" + repeated(" + 1", 1500) + " }}"),
            "t:1:4005: a tag of more than 2000 names, strings and symbols is not supported")
      << "as deep as it is long";
  EXPECT_NE(error("{{ 1" + repeated(" + 1", 900) + " }}").find("nested more than 600 deep"), std::string::npos);
  EXPECT_EQ(text("{{ 1" + repeated(" + 1", 500) + " }}"), "501");
  EXPECT_EQ(error("{% set ns = namespace(a=[]) %}{% for i in range(999) %}{% set ns.a = [ns.a] %}{% endfor %}"),
            "t:1:70: lists and dictionaries are nested more than 200 deep");
  EXPECT_NE(error("{% set ns = namespace(a={}) %}{% for i in range(999) %}{% set ns.a = {'a': ns.a} %}{% endfor %}"), "");
}

TEST(Limits, NamespacesMayHoldEachOther) {
  EXPECT_EQ(text("{% set a = namespace(n=1) %}{% set b = namespace(a=a) %}{% set a.b = [b] %}{{ a.b[0].a.n }}{{ a == b.a }}"),
            "1True");
}

TEST(Limits, Integers) {
  for (const char* source : {"{{ 9223372036854775807 + 1 }}", "{{ -9223372036854775807 - 2 }}", "{{ 9223372036854775807 * 2 }}",
                             "{{ 3 ** 99 }}", "{{ (-2) ** 63 // -1 }}", "{{ -((-2) ** 63) }}", "{{ ((-2) ** 63) | abs }}"})
    EXPECT_NE(error(source).find("the result does not fit an integer of 64 bits"), std::string::npos) << source << error(source);
  EXPECT_EQ(text("{{ (-2) ** 63 }} {{ 9223372036854775807 }} {{ (-2) ** 63 % -1 }}"), "-9223372036854775808 9223372036854775807 0");
  EXPECT_EQ(error("{{ '9223372036854775808' | int }}"), "t:1:26: an integer in a string does not fit 64 bits");
  EXPECT_EQ(error("{{ 1e300 | int }}"), "t:1:10: a number does not fit an integer of 64 bits");
  EXPECT_EQ(text("{{ 'abc'[9223372036854775807:] }}{{ 'abc'[-9223372036854775807::9223372036854775807] }}{{ "
                 "'abc'[::-9223372036854775807] }}"),
            "ac");
  EXPECT_EQ(text("{{ range(9223372036854775800, 9223372036854775807, 5) | list }}"), "[9223372036854775800, 9223372036854775805]");
  EXPECT_EQ(error("{{ 9007199254740993 / 2 }}"), "t:1:21: integers of more than 53 bits cannot be divided; use //");
}

TEST(Limits, Range) { EXPECT_EQ(error("{{ range(100001) }}"), "t:1:4: range gives more than 100000 numbers"); }

TEST(Limits, Json) {
  EXPECT_EQ(error_of([] { parse_conversation(repeated("[", 100000), "f"); }), "f: lists and objects are nested more than 150 deep");
  std::string keys = "{";
  for (int i = 0; i <= 10000; ++i)
    keys += "\"" + std::to_string(i) + "\": 0, ";
  EXPECT_EQ(error_of([&] { parse_conversation(keys, "f"); }), "f: an object has more than 10000 keys");
  EXPECT_EQ(error_of([] { parse_conversation("[123456789012345678901]", "f"); }),
            "f: the integer 123456789012345678901 does not fit 64 bits");
}

} // namespace

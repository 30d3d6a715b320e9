// What the tests against Jinja cannot say: options, variables, the date, several templates at once.
#include "Support.h"

#include <gtest/gtest.h>
#include <thread>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

TEST(Render, Options) {
  constexpr std::string_view source =
      "{{ add_generation_prompt }} {{ enable_thinking is defined }} {{ enable_thinking }} {{ tools }} {{ x }}";
  EXPECT_EQ(text(source), "False False  None ");
  RenderOptions options;
  options.add_generation_prompt = true;
  options.enable_thinking = false;
  options.tools = Json::array({Json::object()});
  options.variables["x"] = {{"a", 1}};
  EXPECT_EQ(text(source, one_message(), options), "True True False [{}] {'a': 1}");
}

TEST(Render, TheDateIsTheCallers) {
  RenderOptions options;
  options.now = std::tm{};
  options.now->tm_year = 99;
  options.now->tm_mday = 7;
  EXPECT_EQ(text("{{ strftime_now('%Y-%m-%d') }}|{{ strftime_now('') }}|{{ strftime_now('%%') }}", one_message(), options),
            "1999-01-07||%");
}

TEST(Render, MessagesAreAsTransformersGivesThem) {
  const Json messages = {{{"role", "assistant"}, {"content", nullptr}, {"tool_calls", Json::array()}, {"reasoning", "r"}}};
  EXPECT_EQ(text("{{ messages[0] | tojson }}", messages),
            R"({"thinking": "r", "role": "assistant", "tool_calls": [], "reasoning": "r", "reasoning_content": "r"})");
  const Json both = {{{"role", "a"}, {"reasoning_content", "x"}, {"thinking", "y"}}};
  EXPECT_EQ(text("{{ messages[0] | tojson }}", both), R"({"thinking": "y", "role": "a", "reasoning_content": "x"})");
}

TEST(Render, KeysKeepTheirOrder) {
  RenderOptions options;
  options.tools = Json::parse(R"([{"z": 1, "a": {"y": 2, "b": 3}, "m": []}])");
  EXPECT_EQ(text("{{ tools[0] | tojson }}", one_message(), options), R"({"z": 1, "a": {"y": 2, "b": 3}, "m": []})");
}

TEST(Render, OneTemplateForSeveralThreads) {
  const ChatTemplate chat(
      "t", "{% set ns = namespace(n=0) %}{% for c in messages[0].content %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}");
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] { results[i] = chat.render(one_message(std::string(100 * (i + 1), 'x'))).text(); });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(results, (std::vector<std::string>{"100", "200", "300", "400"}));
}

TEST(Render, CarriageReturnsEndLinesOfTemplates) {
  EXPECT_EQ(text("a\r\nb\rc\r\n"), "a\nb\nc");
  EXPECT_EQ(text("{% if true %}\r\n x{% endif %}\r\n"), " x");
  EXPECT_EQ(text("{{ messages[0].content }}", one_message("a\r\nb\r")), "a\r\nb\r");
}

} // namespace

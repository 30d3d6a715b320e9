// Conversations as files have them, and what is said of those that are wrong.
#include "llm/chat/Conversation.h"
#include "Support.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

std::string wrong(std::string_view json) {
  return error_of([&] { parse_conversation(json, "f.json"); });
}
std::string wrong_message(const std::string& message) { return wrong(R"([{"role": "user", "content": "a"}, )" + message + "]"); }

TEST(Conversation, AList) {
  const Conversation conversation = parse_conversation(R"([{"role": "user", "content": "a"}])", "f.json");
  EXPECT_EQ(conversation.messages.size(), 1U);
  EXPECT_FALSE(conversation.options.add_generation_prompt);
  EXPECT_FALSE(conversation.options.enable_thinking);
  EXPECT_TRUE(conversation.options.tools.is_null());
}

TEST(Conversation, AnObject) {
  const Conversation conversation = parse_conversation(
      R"({"tools": [{"name": "f"}], "messages": [{"role": "user", "content": "a"}], "add_generation_prompt": true, "enable_thinking": false, "x": [1]})",
      "f.json");
  EXPECT_EQ(conversation.messages[0]["content"], "a");
  EXPECT_TRUE(conversation.options.add_generation_prompt);
  EXPECT_EQ(conversation.options.enable_thinking, false);
  EXPECT_EQ(conversation.options.tools[0]["name"], "f");
  EXPECT_EQ(conversation.options.variables, Json({{"x", {1}}}));
}

TEST(Conversation, WhatMessagesMayBe) {
  for (
      const char* message :
      {R"({"role": "assistant", "tool_calls": [{"name": "f"}]})", R"({"role": "assistant", "content": null, "tool_calls": []})",
       R"({"role": "assistant", "reasoning_content": "r"})", R"({"role": "tool", "content": ""})",
       R"({"role": "other", "content": []})",
       R"({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image", "url": "b"}], "name": "n"})",
       R"({"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]})",
       R"({"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]})"})
    EXPECT_EQ(wrong_message(message), "") << message;
}

TEST(Conversation, WhatIsNoConversation) {
  EXPECT_EQ(wrong("[1,"),
            "f.json: this is not JSON: parse error at line 1, column 4: syntax error while parsing value - unexpected end of "
            "input; expected '[', '{', or a literal");
  EXPECT_EQ(wrong("\"a\""), "f.json: expected a list of messages, or an object with \"messages\", found a string");
  EXPECT_EQ(wrong(R"([{"role": "user", "role": "system", "content": ""}])"), "f.json: an object has the key \"role\" twice");
  EXPECT_EQ(wrong("{}"), "f.json: an object needs its list of messages as \"messages\"");
  EXPECT_EQ(wrong(R"({"messages": 5})"), "f.json: messages: expected a list of messages, found a number");
  EXPECT_EQ(wrong("[]"), "f.json: messages: there are no messages; give one at least");
  EXPECT_EQ(wrong(R"({"messages": [{"role": "a", "content": ""}], "add_generation_prompt": "yes"})"),
            "f.json: add_generation_prompt: expected true or false, found a string");
  EXPECT_EQ(wrong(R"({"messages": [{"role": "a", "content": ""}], "enable_thinking": null})"),
            "f.json: enable_thinking: expected true or false, found null");
  EXPECT_EQ(wrong(R"({"messages": [{"role": "a", "content": ""}], "tools": {}})"),
            "f.json: tools: expected a list of definitions of tools, found an object");
  EXPECT_EQ(wrong(R"({"messages": [{"role": "a", "content": ""}], "tools": [true]})"),
            "f.json: tools[0]: expected an object that defines a tool, found a boolean");
  EXPECT_NE(wrong("[\"\xff\"]").find("this is not JSON"), std::string::npos);
  EXPECT_NE(wrong("[\"\\ud800\"]").find("this is not JSON"), std::string::npos);
}

TEST(Conversation, WhatIsNoMessage) {
  const std::string place = "f.json: messages[1]";
  EXPECT_EQ(wrong_message("[]"), place + R"(: expected an object such as {"role": "user", "content": "..."}, found a list)");
  EXPECT_EQ(wrong_message("{}"), place + R"(: a message needs a "role", such as "user")");
  EXPECT_EQ(wrong_message(R"({"role": 1})"), place + ".role: expected a string, found a number");
  EXPECT_EQ(wrong_message(R"({"role": "user"})"),
            place + R"(: a message needs "content", unless it has "tool_calls" or "reasoning_content")");
  EXPECT_EQ(wrong_message(R"({"role": "user", "content": {}})"),
            place + ".content: expected a string or a list of parts, found an object");
  EXPECT_EQ(wrong_message(R"({"role": "user", "content": ["a"]})"),
            place + R"(.content[0]: expected an object such as {"type": "text", "text": "..."}, found a string)");
  EXPECT_EQ(wrong_message(R"({"role": "user", "content": [{}]})"),
            place + R"(.content[0]: a part of a message needs a "type", such as "text")");
  EXPECT_EQ(wrong_message(R"({"role": "user", "content": [{"type": "text"}]})"),
            place + R"(.content[0]: a part of type "text" needs a string as "text")");
  EXPECT_EQ(wrong_message(R"({"role": "user", "reasoning_content": 1})"),
            place + ".reasoning_content: expected a string, found a number");
}

TEST(Conversation, WhatIsNoCall) {
  const std::string place = "f.json: messages[1].tool_calls";
  EXPECT_EQ(wrong_message(R"({"role": "a", "tool_calls": {}})"), place + ": expected a list, found an object");
  EXPECT_EQ(wrong_message(R"({"role": "a", "tool_calls": [null]})"),
            place + R"([0]: expected an object such as {"function": {"name": "f", "arguments": {}}}, found null)");
  EXPECT_EQ(wrong_message(R"({"role": "a", "tool_calls": [{}]})"), place + R"([0]: a call of a tool needs a string as "name")");
  EXPECT_EQ(wrong_message(R"({"role": "a", "tool_calls": [{"function": "f"}]})"),
            place + "[0].function: expected an object, found a string");
  EXPECT_EQ(wrong_message(R"({"role": "a", "tool_calls": [{"function": {"name": "f", "arguments": [1]}}]})"),
            place + "[0].function.arguments: expected an object, or a string that has one as JSON, found a list");
}

TEST(Conversation, RenderChecksWhatItIsGiven) {
  EXPECT_EQ(error("x", Json::object()), "messages: expected a list of messages, found an object");
  EXPECT_EQ(error("x", {{{"role", 5}}}), "messages[0].role: expected a string, found a number");
  EXPECT_EQ(error("x", {{{"role", "a"}, {"content", "b"}, {"n", 9223372036854775808U}}}),
            "messages[0].n: the integer 9223372036854775808 does not fit 64 bits with a sign");
  RenderOptions options;
  options.variables = {1};
  EXPECT_EQ(error("x", one_message(), options), "variables: expected an object with the variables by their names, found a list");
  EXPECT_EQ(error_of([] { ChatTemplate("t", "x", {1}); }),
            "tokens: expected an object with the variables by their names, found a list");
  EXPECT_EQ(error("x", one_message("a\xff")), "messages[0].content: the string is not UTF-8: see byte 1");
  EXPECT_EQ(error("x", {{{"role", "a"}, {"content", "b"}, {"c", {{"\xc3", 1}}}}}),
            "messages[0].c: the string is not UTF-8: see byte 0");
}

} // namespace

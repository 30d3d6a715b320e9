#include "llm/chat/Conversation.h"
#include "tegula/error.hpp"

namespace tegula::llm {
namespace {

using Json = nlohmann::ordered_json;

std::string kind(const Json& json) {
  switch (json.type()) {
  case Json::value_t::null:
    return "null";
  case Json::value_t::boolean:
    return "a boolean";
  case Json::value_t::string:
    return "a string";
  case Json::value_t::array:
    return "a list";
  case Json::value_t::object:
    return "an object";
  default:
    return "a number";
  }
}

[[noreturn]] void fail(const std::string& place, const std::string& message) { throw Error(place + ": " + message); }

void require(bool holds, const std::string& place, std::string_view wanted, const Json& found) {
  if (!holds)
    fail(place, "expected " + std::string(wanted) + ", found " + kind(found));
}

/// Null, if it is missing or null.
const Json* find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

void check_content(const Json& content, const std::string& place) {
  require(content.is_string() || content.is_array(), place, "a string or a list of parts", content);
  if (content.is_string())
    return;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const std::string part = place + "[" + std::to_string(i) + "]";
    require(content[i].is_object(), part, R"(an object such as {"type": "text", "text": "..."})", content[i]);
    const Json* type = find(content[i], "type");
    if (!type || !type->is_string())
      fail(part, R"(a part of a message needs a "type", such as "text")");
    const Json* text = find(content[i], "text");
    if (*type == "text" && (!text || !text->is_string()))
      fail(part, R"(a part of type "text" needs a string as "text")");
  }
}

void check_call(const Json& call, const std::string& place) {
  require(call.is_object(), place, R"(an object such as {"function": {"name": "f", "arguments": {}}})", call);
  const Json* function = find(call, "function");
  const std::string inner = function ? place + ".function" : place;
  if (function)
    require(function->is_object(), inner, "an object", *function);
  const Json& called = function ? *function : call;
  const Json* name = find(called, "name");
  if (!name || !name->is_string())
    fail(inner, R"(a call of a tool needs a string as "name")");
  if (const Json* arguments = find(called, "arguments"))
    require(arguments->is_object() || arguments->is_string(), inner + ".arguments", "an object, or a string that has one as JSON",
            *arguments);
}

void check_message(const Json& message, const std::string& place) {
  require(message.is_object(), place, R"(an object such as {"role": "user", "content": "..."})", message);
  const auto role = message.find("role");
  if (role == message.end())
    fail(place, R"(a message needs a "role", such as "user")");
  require(role->is_string(), place + ".role", "a string", *role);
  const Json* calls = find(message, "tool_calls");
  if (calls) {
    require(calls->is_array(), place + ".tool_calls", "a list", *calls);
    for (std::size_t i = 0; i < calls->size(); ++i)
      check_call((*calls)[i], place + ".tool_calls[" + std::to_string(i) + "]");
  }
  const Json* reasoning = find(message, "reasoning_content");
  if (reasoning)
    require(reasoning->is_string(), place + ".reasoning_content", "a string", *reasoning);
  if (const Json* content = find(message, "content"))
    check_content(*content, place + ".content");
  else if (!calls && !reasoning)
    fail(place, R"(a message needs "content", unless it has "tool_calls" or "reasoning_content")");
}

bool take_boolean(const Json& value, const std::string& place) {
  require(value.is_boolean(), place, "true or false", value);
  return value.get<bool>();
}

} // namespace

void check_messages(const Json& messages, const std::string& name) {
  require(messages.is_array(), name, "a list of messages", messages);
  if (messages.empty())
    fail(name, "there are no messages; give one at least");
  for (std::size_t i = 0; i < messages.size(); ++i)
    check_message(messages[i], name + "[" + std::to_string(i) + "]");
}

void check_tools(const Json& tools, const std::string& name) {
  if (tools.is_null())
    return;
  require(tools.is_array(), name, "a list of definitions of tools", tools);
  for (std::size_t i = 0; i < tools.size(); ++i)
    require(tools[i].is_object(), name + "[" + std::to_string(i) + "]", "an object that defines a tool", tools[i]);
}

void check_variables(const Json& variables, const std::string& name) {
  require(variables.is_object(), name, "an object with the variables by their names", variables);
}

Conversation parse_conversation(std::string_view json, const std::string& name) {
  Json parsed = parse_json(json, name);
  Conversation conversation;
  if (parsed.is_object()) {
    if (!parsed.contains("messages"))
      fail(name, R"(an object needs its list of messages as "messages")");
    const std::string start = name + ": ";
    for (auto& [key, value] : parsed.items()) {
      const std::string place = start + key;
      if (key == "messages")
        conversation.messages = std::move(value);
      else if (key == "add_generation_prompt")
        conversation.options.add_generation_prompt = take_boolean(value, place);
      else if (key == "enable_thinking")
        conversation.options.enable_thinking = take_boolean(value, place);
      else if (key == "tools")
        conversation.options.tools = std::move(value);
      else
        conversation.options.variables[key] = std::move(value);
    }
  } else {
    require(parsed.is_array(), name, R"(a list of messages, or an object with "messages")", parsed);
    conversation.messages = std::move(parsed);
  }
  check_messages(conversation.messages, name + ": messages");
  check_tools(conversation.options.tools, name + ": tools");
  return conversation;
}

} // namespace tegula::llm

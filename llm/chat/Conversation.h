// Conversations as files have them.
#pragma once
#include "llm/chat/ChatTemplate.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tegula::llm {

struct Conversation {
  nlohmann::ordered_json messages;
  RenderOptions options;
};

/// Of a list of messages; or of an object that has it as "messages", and beside it "add_generation_prompt", "enable_thinking",
/// "tools" and other variables of the template. `name` is what errors call the text, usually its file.
Conversation parse_conversation(std::string_view json, const std::string& name);

/// Fails where this is no list of messages, and says which part of it is wrong. `name` is what errors call it.
void check_messages(const nlohmann::ordered_json& messages, const std::string& name);
void check_tools(const nlohmann::ordered_json& tools, const std::string& name);
void check_variables(const nlohmann::ordered_json& variables, const std::string& name);

/// JSON of a depth, of objects and of numbers such that it can be worked with; else it fails.
nlohmann::ordered_json parse_json(std::string_view json, const std::string& name);

} // namespace tegula::llm

// From a template's text to its tree.
#pragma once
#include "llm/chat/Tree.h"

#include <string>
#include <string_view>

namespace tegula::llm::jinja {

/// `name` is what errors call the template. Fails where something is wrong, and where something is not supported, whether or not
/// a conversation would come to it.
Body parse(const std::string& name, std::string_view source);

} // namespace tegula::llm::jinja

// Templates and conversations in a few words.
#pragma once
#include "llm/chat/ChatTemplate.h"
#include "tegula/error.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

namespace tegula::llm::test {

using Json = nlohmann::ordered_json;

inline Json one_message(std::string_view content = "Hi") { return {{{"role", "user"}, {"content", content}}}; }

inline Rendered render(std::string_view source, const Json& messages = one_message(), const RenderOptions& options = {}) {
  return ChatTemplate("t", source).render(messages, options);
}
inline std::string text(std::string_view source, const Json& messages = one_message(), const RenderOptions& options = {}) {
  return render(source, messages, options).text();
}

/// The message of the error that something ends with; empty, if it does not.
template <class F> std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}
inline std::string error(std::string_view source, const Json& messages = one_message(), const RenderOptions& options = {}) {
  return error_of([&] { render(source, messages, options); });
}

/// Segments in a line: those of the template in [], the others in ().
inline std::string marked(const Rendered& rendered) {
  std::string all;
  for (const Segment& segment : rendered.segments)
    all += segment.from_template ? "[" + segment.text + "]" : "(" + segment.text + ")";
  return all;
}
inline std::string marked(std::string_view source, const Json& messages = one_message(), const RenderOptions& options = {}) {
  return marked(render(source, messages, options));
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
/// Of this folder.
inline std::filesystem::path source_folder() { return TEGULA_CHAT_TESTS; }

} // namespace tegula::llm::test

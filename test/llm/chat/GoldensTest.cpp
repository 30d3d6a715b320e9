// What templates print, against what Jinja prints: make_goldens.py wrote it.
#include "Support.h"
#include "llm/chat/Conversation.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

Json read_json(const char* name) { return Json::parse(read_file(source_folder() / name)); }

std::tm date() {
  std::tm time{};
  time.tm_year = 125;
  time.tm_mon = 2;
  time.tm_mday = 9;
  time.tm_hour = 14;
  time.tm_min = 5;
  time.tm_sec = 6;
  return time;
}

/// What it prints, or null where it fails.
Json rendered(const std::function<ChatTemplate()>& make, const Json& conversation) {
  Conversation parsed = parse_conversation(conversation.dump(), "conversation");
  parsed.options.now = date();
  try {
    return make().render(parsed.messages, parsed.options).text();
  } catch (const tegula::Error&) {
    return nullptr;
  }
}

TEST(Goldens, Cases) {
  const Json conversation = {
      {"messages",
       {{{"role", "user"}, {"content", "Hi <|im_end|>"}},
        {{"role", "assistant"}, {"content", "<think>\nhm\n</think>\n\nyes"}, {"n", 1}}}},
      {"tools", Json::array({{{"type", "function"}, {"function", {{"name", "f"}}}}})},
  };
  const Json goldens = read_json("goldens.json")["cases"];
  EXPECT_GT(goldens.size(), 200U);
  for (const Json& golden : goldens) {
    const std::string source = golden[0].get<std::string>();
    EXPECT_EQ(rendered([&] { return ChatTemplate("t", source); }, conversation), golden[1]) << source;
  }
}

TEST(Goldens, Templates) {
  const Json conversations = read_json("conversations.json"), goldens = read_json("goldens.json")["templates"];
  const Json tokens = {{"bos_token", "<s>"}, {"eos_token", "</s>"}};
  EXPECT_EQ(goldens.size(), 4U);
  for (const auto& [name, texts] : goldens.items()) {
    const std::string source = read_file(source_folder() / "templates" / (name + ".jinja"));
    ASSERT_EQ(texts.size(), conversations.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(rendered([&] { return ChatTemplate("t", source, tokens); }, conversations[i]), texts[i]) << name << " " << i;
  }
}

TEST(Goldens, Qwen3) {
  const char* named = std::getenv("TEGULA_TEST_QWEN3_DIR");
  const std::filesystem::path folder = named ? std::filesystem::path(named) : TEGULA_REPOSITORY "/../shared/data/qwen3";
  if (!named && !std::filesystem::exists(folder / "tokenizer_config.json"))
    GTEST_SKIP() << "the template of Qwen3 is not here; set TEGULA_TEST_QWEN3_DIR to a folder with its tokenizer_config.json";
  const Json conversations = read_json("qwen3-conversations.json"), goldens = read_json("qwen3.json");
  ASSERT_EQ(goldens.size(), conversations.size());
  for (std::size_t i = 0; i < goldens.size(); ++i)
    EXPECT_EQ(rendered([&] { return ChatTemplate::load(folder); }, conversations[i]), goldens[i]) << i;
}

} // namespace

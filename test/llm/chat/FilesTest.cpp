// Templates from a model's folder.
#include "Support.h"

#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using namespace tegula::llm::test;

class Files : public testing::Test {
protected:
  Files() : folder(std::filesystem::path(testing::TempDir()) / "tegula-chat") {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~Files() override { std::filesystem::remove_all(folder); }

  void write(const char* name, const std::string& content) const { std::ofstream(folder / name, std::ios::binary) << content; }
  std::string loaded(const RenderOptions& options = {}) const {
    return marked(ChatTemplate::load(folder).render(one_message(), options));
  }
  std::string load_error() const {
    return error_of([&] { ChatTemplate::load(folder); });
  }
  std::string at(const char* name) const { return (folder / name).string(); }

  std::filesystem::path folder;
};

TEST_F(Files, TheTemplateOfTheConfiguration) {
  write(
      "tokenizer_config.json",
      R"({"chat_template": "{{ bos_token }}{{ messages[0].role }}{{ eos_token }}{{ pad_token is defined }}{{ additional_special_tokens[0] }}",
            "bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false}, "pad_token": null,
            "additional_special_tokens": ["<x>"]})");
  EXPECT_EQ(loaded(), "[<s>](user)[</s>](False)[<x>]");
}

TEST_F(Files, AFileOfItsOwnComesFirst) {
  write("tokenizer_config.json", R"({"chat_template": "a", "eos_token": "</s>"})");
  write("chat_template.jinja", "b{{ eos_token }}\n");
  EXPECT_EQ(loaded(), "[b</s>]");
  write("chat_template.jinja", "\n {{");
  EXPECT_EQ(load_error(), at("chat_template.jinja") + ":2:4: expected an expression, found the end of the template");
}

TEST_F(Files, AFileOfItsOwnNeedsNoConfiguration) {
  EXPECT_FALSE(ChatTemplate::is_in(folder));
  write("chat_template.jinja", "a{{ eos_token is defined }}");
  EXPECT_TRUE(ChatTemplate::is_in(folder));
  EXPECT_EQ(loaded(), "[a](False)");
}

TEST_F(Files, ALinkThatLeadsNowhereIsATemplateThatIsMissing) {
  write("tokenizer_config.json", R"({"chat_template": "of another model"})");
  std::filesystem::create_symlink("nowhere", folder / "chat_template.jinja");
  EXPECT_TRUE(ChatTemplate::is_in(folder));
  EXPECT_EQ(load_error(), at("chat_template.jinja") + ": cannot be opened: No such file or directory");
  std::filesystem::remove(folder / "chat_template.jinja");
  std::filesystem::create_directory(folder / "chat_template.jinja");
  EXPECT_EQ(load_error(), at("chat_template.jinja") + ": is a folder; it must be a plain file, or a link to one");
}

TEST_F(Files, AConfigurationMayHaveNone) {
  write("tokenizer_config.json", R"({"eos_token": "</s>", "chat_template": null})");
  EXPECT_FALSE(ChatTemplate::is_in(folder));
  write("tokenizer_config.json", R"({"chat_template": 5})");
  EXPECT_TRUE(ChatTemplate::is_in(folder)) << "and load() says what is wrong with it";
}

TEST_F(Files, SeveralTemplates) {
  write(
      "tokenizer_config.json",
      R"({"chat_template": [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}, {"name": "rag", "template": "c"}]})");
  EXPECT_EQ(loaded(), "[a]");
  RenderOptions options;
  options.tools = Json::array();
  EXPECT_EQ(loaded(options), "[b]");
  write("tokenizer_config.json", R"({"chat_template": [{"name": "default", "template": "a"}, {"name": "b", "template": "{{"}]})");
  EXPECT_EQ(load_error(),
            at("tokenizer_config.json") + ": chat_template 'b':1:3: expected an expression, found the end of the template");
}

TEST_F(Files, WhatIsWrongWithThem) {
  const std::string config = at("tokenizer_config.json");
  EXPECT_EQ(load_error(), config + ": cannot be opened: No such file or directory");
  write("tokenizer_config.json", "{");
  EXPECT_NE(load_error().find(config + ": this is not JSON: "), std::string::npos);
  write("tokenizer_config.json", "[]");
  EXPECT_EQ(load_error(), config + ": expected an object");
  write("tokenizer_config.json", "{}");
  EXPECT_EQ(load_error(), config +
                              R"(: there is no "chat_template", and no chat_template.jinja beside it: the model is not made for )" +
                              "conversations, or its files are incomplete");
  for (const char* wrong : {R"({"chat_template": 5})", R"({"chat_template": ["a"]})", R"({"chat_template": [{"name": "default"}]})",
                            R"({"chat_template": {"default": "a"}})"}) {
    write("tokenizer_config.json", wrong);
    EXPECT_EQ(load_error(), config + R"(: expected as "chat_template" a string, or a list of objects with "name" and "template")")
        << wrong;
  }
  write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "a"}]})");
  EXPECT_EQ(load_error(), config + R"(: none of the templates in "chat_template" is called "default")");
  write("tokenizer_config.json", R"({"chat_template": "a", "eos_token": 5})");
  EXPECT_EQ(load_error(), config + R"(: eos_token: expected a string, or an object with a string as "content")");
  write("tokenizer_config.json", R"({"chat_template": "{{ 1"})");
  EXPECT_EQ(load_error(), config + ": chat_template:1:5: expected '}}', found the end of the template");
}

} // namespace

// generation_config.json: what it may say, and in which ranges.
#include "llm/checkpoint/GenerationConfig.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

namespace {

using namespace tegula;
using namespace tegula::llm;

GenerationConfig parse(std::string_view text) { return parse_generation_config(parse_json("g.json", text, {}), 1000); }

TEST(GenerationConfig, OfQwen3) {
  const GenerationConfig config = parse(R"({"bos_token_id": 3, "do_sample": true, "eos_token_id": [645, 643], "pad_token_id": 643,
    "temperature": 0.6, "top_k": 20, "top_p": 0.95, "transformers_version": "4.51.0"})");
  EXPECT_EQ(config.do_sample, true);
  EXPECT_EQ(config.temperature, 0.6);
  EXPECT_EQ(config.top_k, 20);
  EXPECT_EQ(config.top_p, 0.95);
  EXPECT_EQ(config.pad_token_id, 643);
  EXPECT_EQ(config.eos_token_ids, (std::vector<std::int64_t>{645, 643}));
  EXPECT_EQ(config.min_p, std::nullopt);
  EXPECT_EQ(config.repetition_penalty, std::nullopt);
  EXPECT_EQ(config.max_new_tokens, std::nullopt);
}

TEST(GenerationConfig, TheOtherFields) {
  const GenerationConfig config = parse(
      R"({"eos_token_id": 2, "min_p": 0.05, "repetition_penalty": 1.1, "max_new_tokens": 512, "temperature": 1, "top_k": null, "do_sample": false})");
  EXPECT_EQ(config.eos_token_ids, std::vector<std::int64_t>{2});
  EXPECT_EQ(config.min_p, 0.05);
  EXPECT_EQ(config.repetition_penalty, 1.1);
  EXPECT_EQ(config.max_new_tokens, 512);
  EXPECT_EQ(config.temperature, 1.0);
  EXPECT_EQ(config.top_k, std::nullopt) << "null says nothing";
  EXPECT_EQ(config.do_sample, false);
  EXPECT_TRUE(parse("{}").eos_token_ids.empty());
}

TEST(GenerationConfig, Ranges) {
  EXPECT_MESSAGE(parse(R"({"temperature": -0.1})"), "g.json: \"temperature\" is -0.1; it must be a number from 0 to 100");
  EXPECT_MESSAGE(parse(R"({"temperature": 0.0001})"), "\"temperature\" is 0.0001; it must be 0, or from 0.001 to 100");
  EXPECT_MESSAGE(parse(R"({"temperature": "hot"})"), "\"temperature\" is \"hot\"; it must be a number");
  EXPECT_MESSAGE(parse(R"({"top_p": 1.5})"), "\"top_p\" is 1.5; it must be a number from 0 to 1");
  EXPECT_MESSAGE(parse(R"({"min_p": -1})"), "\"min_p\" is -1; it must be a number from 0 to 1");
  EXPECT_MESSAGE(parse(R"({"top_k": -1})"), "\"top_k\" is -1; it must be a whole number from 0 to 2147483647");
  EXPECT_MESSAGE(parse(R"({"top_k": 20.5})"), "\"top_k\" is 20.5; it must be a whole number");
  EXPECT_MESSAGE(parse(R"({"repetition_penalty": 0})"), "\"repetition_penalty\" is 0; it must be a number from 0.01 to 100");
  EXPECT_MESSAGE(parse(R"({"max_new_tokens": 0})"), "\"max_new_tokens\" is 0; it must be a whole number from 1 to");
  EXPECT_MESSAGE(parse(R"({"do_sample": 1})"), "\"do_sample\" is 1; it must be true or false");
  EXPECT_MESSAGE(parse(R"({"pad_token_id": 1000})"), "\"pad_token_id\" is 1000; it must be a whole number from 0 to 999");
  EXPECT_MESSAGE(parse(R"({"eos_token_id": 1000})"), "\"eos_token_id\" is 1000; it must be a whole number from 0 to 999");
  EXPECT_MESSAGE(parse(R"({"eos_token_id": [1, -1]})"), "\"eos_token_id\"[1] is -1; it must be a whole number from 0 to 999");
  EXPECT_MESSAGE(parse(R"({"eos_token_id": [1, 1]})"), "\"eos_token_id\"[1] is 1; it must be another than those before it");
  EXPECT_MESSAGE(parse("[]"), "g.json: the whole is []; it must be an object");
}

TEST(GenerationConfig, AListOfEndsIsShort) {
  std::string list = "0";
  for (int id = 1; id < 256; ++id)
    list += "," + std::to_string(id);
  EXPECT_EQ(parse(R"({"eos_token_id": [)" + list + "]}").eos_token_ids.size(), 256u);
  EXPECT_MESSAGE(parse(R"({"eos_token_id": [)" + list + ",256]}"), "is a list of 257; it must be an id, or a list of at most 256");
}

TEST(GenerationConfig, EndsAreThoseOfTheModelWhereItNamesNone) {
  const TemporaryFolder folder;
  write_file(folder.path() / "config.json", R"({"eos_token_id": [5, 6]})");
  EXPECT_EQ(read_generation_config(folder.path(), 1000).eos_token_ids, (std::vector<std::int64_t>{5, 6}));
  write_file(folder.path() / "generation_config.json", R"({"temperature": 0.7})");
  EXPECT_EQ(read_generation_config(folder.path(), 1000).eos_token_ids, (std::vector<std::int64_t>{5, 6}));
  write_file(folder.path() / "generation_config.json", R"({"eos_token_id": 7})");
  EXPECT_EQ(read_generation_config(folder.path(), 1000).eos_token_ids, std::vector<std::int64_t>{7});
  write_file(folder.path() / "generation_config.json", "{}");
  write_file(folder.path() / "config.json", R"({"eos_token_id": 1000})");
  EXPECT_MESSAGE(read_generation_config(folder.path(), 1000), "config.json: \"eos_token_id\" is 1000");
}

TEST(GenerationConfig, TheFileMayBeMissing) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_generation_config(folder.path(), 1000).temperature, std::nullopt);
  write_file(folder.path() / "generation_config.json", R"({"temperature": 0.7})");
  EXPECT_EQ(read_generation_config(folder.path(), 1000).temperature, 0.7);
  std::filesystem::remove(folder.path() / "generation_config.json");
  std::filesystem::create_directory(folder.path() / "generation_config.json");
  EXPECT_MESSAGE(read_generation_config(folder.path(), 1000), "generation_config.json: is a folder");
}

} // namespace

// What Hugging Face's tokenizers makes of some hundred texts and tokens: with small.json, and with Qwen3's file where it is.
#include "test/llm/tokenizer/Small.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace {

using namespace tegula::llm;
using nlohmann::json;
using Ids = std::vector<TokenId>;

void compare(const Tokenizer& tokenizer, const json& goldens) {
  EXPECT_EQ(tokenizer.size(), goldens["size"].get<std::size_t>());
  ASSERT_GT(goldens["encode"].size(), 300u);
  for (const json& golden : goldens["encode"]) {
    const auto text = golden["text"].get<std::string>();
    EXPECT_EQ(tokenizer.encode(text, AddedTokensIn::as_text), golden["as_text"].get<Ids>()) << golden["text"];
    EXPECT_EQ(tokenizer.encode(text, AddedTokensIn::as_tokens), golden.value("as_tokens", golden["as_text"]).get<Ids>())
        << golden["text"];
  }
  ASSERT_GT(goldens["decode"].size(), 200u);
  for (const json& golden : goldens["decode"]) {
    const auto ids = golden["ids"].get<Ids>();
    EXPECT_EQ(tokenizer.decode(ids, SpecialTokens::keep), golden["keep"].get<std::string>()) << golden["ids"];
    EXPECT_EQ(tokenizer.decode(ids, SpecialTokens::skip), golden["skip"].get<std::string>()) << golden["ids"];
  }
}

std::filesystem::path qwen3_folder() {
  const char* set = std::getenv("TEGULA_TEST_QWEN3_DIR");
  return set && *set ? set : TEGULA_QWEN3_BESIDE;
}

TEST(Goldens, OfTheSmallTokenizer) { compare(small(), json::parse(read_data("small_goldens.json"))); }

TEST(Goldens, OfQwen3) {
  if (!std::filesystem::exists(qwen3_folder() / "tokenizer.json"))
    GTEST_SKIP() << "Qwen3's tokenizer.json is not in " << qwen3_folder() << "; set TEGULA_TEST_QWEN3_DIR to a folder that has it";
  const Tokenizer tokenizer = Tokenizer::load(qwen3_folder());
  compare(tokenizer, json::parse(read_data("qwen3_goldens.json")));
  EXPECT_EQ(tokenizer.find("<|im_end|>"), 151645);
  EXPECT_TRUE(tokenizer.is_special(151645));
  EXPECT_FALSE(tokenizer.is_special(*tokenizer.find("<think>")));
}

} // namespace

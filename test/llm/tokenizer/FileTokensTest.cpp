// The lists of tokens and merges in a file: what may be in them, and what is refused.
#include "test/llm/tokenizer/Small.h"
#include "test/runtime/Expect.h"

namespace {

using namespace tegula::llm;
using Json = nlohmann::ordered_json;

std::string refusal(const std::string& text) {
  return message_of<tegula::Error>([&] { Tokenizer::parse(text, "F"); });
}
std::string refusal_with(const std::string& pointer, const Json& value) { return refusal(small_with(pointer, value)); }

const std::size_t tokens = small_json()["model"]["vocab"].size(), merges = small_json()["model"]["merges"].size();
const std::string past_merges = "/model/merges/" + std::to_string(merges);

TEST(FileTokens, MergesAreArraysOrTexts) {
  Json json = small_json();
  for (Json& merge : json["model"]["merges"])
    merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  const Tokenizer tokenizer = Tokenizer::parse(json.dump(), "F");
  const std::string text = "A tile is a block of numbers that one program of a kernel reads.";
  EXPECT_EQ(tokenizer.encode(text, AddedTokensIn::as_text), small().encode(text, AddedTokensIn::as_text));
  EXPECT_LT(small().encode(text, AddedTokensIn::as_text).size(), text.size() / 2);
}

TEST(FileTokens, ListsMayComeInEitherOrder) {
  Json json = small_json();
  const Json vocabulary = json["model"]["vocab"];
  json["model"].erase("vocab");
  json["model"]["vocab"] = vocabulary; // now behind the merges
  EXPECT_EQ(Tokenizer::parse(json.dump(), "F").size(), small().size());
}

TEST(FileTokens, AddedTokensMayBeInTheVocabulary) {
  Json json = small_json();
  Json& added = json["added_tokens"];
  json["model"]["vocab"]["\u27E8x\u27E9"] = tokens; // no characters for bytes
  for (Json& token : added)
    token["id"] = token["id"].get<int>() + 1;
  Json in_both = added[0];
  in_both["content"] = "\u27E8x\u27E9";
  in_both["id"] = tokens;
  added.push_back(in_both);
  const Tokenizer tokenizer = Tokenizer::parse(json.dump(), "F");
  EXPECT_EQ(tokenizer.size(), small().size() + 1);
  EXPECT_EQ(tokenizer.encode("\u27E8x\u27E9", AddedTokensIn::as_tokens), std::vector<TokenId>{static_cast<TokenId>(tokens)});
  EXPECT_EQ(tokenizer.bytes(static_cast<TokenId>(tokens)), "\u27E8x\u27E9");
  added.back()["id"] = 5;
  EXPECT_EQ(refusal(json.dump()),
            "tegula: F: /added_tokens/10: the id of \"\\u27e8x\\u27e9\" is 5; by /model/vocab it is " + std::to_string(tokens));
}

TEST(FileTokens, IdsThatAreNoIds) {
  EXPECT_EQ(refusal_with("/model/vocab/a", "1"), R"(tegula: F: /model/vocab: the id of "a" is "1"; it is a number from 0 up)");
  EXPECT_EQ(refusal_with("/model/vocab/a", -1), R"(tegula: F: /model/vocab: the id of "a" is -1; it is a number from 0 up)");
  EXPECT_EQ(refusal_with("/model/vocab/a", 1.5), R"(tegula: F: /model/vocab: the id of "a" is 1.5; it is a number from 0 up)");
  EXPECT_EQ(refusal_with("/model/vocab/a", Json::object()),
            R"(tegula: F: /model/vocab: the id of "a" is {}; it is a number from 0 up)");
  EXPECT_EQ(refusal_with("/model/vocab/a", {1}), R"(tegula: F: /model/vocab: the id of "a" is []; it is a number from 0 up)");
  EXPECT_EQ(refusal_with("/model/vocab/a", 2147483648),
            R"(tegula: F: /model/vocab: the id of "a" is 2147483648; an id is less than 2^31)");
  EXPECT_EQ(
      refusal_with("/model/vocab/a", 2147483647),
      R"(tegula: F: /model/vocab: the id of "a" is 2147483647, but there are 656 tokens; supported are ids from 0 up that leave none out)");
  EXPECT_EQ(refusal_with("/model/vocab/a", small_json()["model"]["vocab"]["b"]),
            R"(tegula: F: /model/vocab: "b" and "a" both have the id )" + small_json()["model"]["vocab"]["b"].dump());
}

TEST(FileTokens, TokensThatAreNoTokens) {
  EXPECT_EQ(refusal_with("/model/vocab", Json::object()),
            "tegula: F: /model/vocab: there are no tokens; supported is an object of tokens and ids");
  EXPECT_EQ(refusal(small_without("/model/vocab")),
            "tegula: F: /model/vocab: there are no tokens; supported is an object of tokens and ids");
  Json plain = small_json();
  plain["added_tokens"] = Json::array();
  Json spaced = plain;
  spaced["model"]["vocab"]["a b"] = tokens;
  EXPECT_EQ(refusal(spaced.dump()),
            R"(tegula: F: /model/vocab: "a b" has a character that stands for no byte, and is not an added token)");
  Json huge = plain;
  huge["model"]["vocab"][std::string(65537, 'x')] = tokens;
  EXPECT_EQ(refusal(huge.dump()),
            "tegula: F: /model/vocab: \"" + std::string(119, 'x') + "... is a token of 65537 bytes; supported are at most 65536");
  std::string twice = plain.dump();
  const std::string first = "\"vocab\":{";
  twice.insert(twice.find(first) + first.size(), "\"a\": " + std::to_string(tokens) + ", ");
  EXPECT_EQ(refusal(twice), R"(tegula: F: /model/vocab: "a" is there twice)");
  // The byte 'a' is there, but as another token.
  Json json = small_json();
  const Json id = json["model"]["vocab"]["a"];
  json["model"]["vocab"].erase("a");
  json["model"]["vocab"]["~~~~~~"] = id;
  json["model"]["merges"] = Json::array();
  EXPECT_EQ(refusal(json.dump()),
            "tegula: F: /model/vocab: no token is the single byte 97; supported is a vocabulary with all 256");
}

TEST(FileTokens, MergesThatAreNoMerges) {
  const std::string at = "tegula: F: " + past_merges + ": ", what = R"(; a merge is ["a", "b"] or "a b")";
  EXPECT_EQ(refusal_with(past_merges, 5), at + "5" + what);
  EXPECT_EQ(refusal_with(past_merges, nullptr), at + "null" + what);
  EXPECT_EQ(refusal_with(past_merges, Json::object()), at + "{}" + what);
  EXPECT_EQ(refusal_with(past_merges, {"a", 5}), at + "5" + what);
  EXPECT_EQ(refusal_with(past_merges, {"a", {"b"}}), at + "[]" + what);
  EXPECT_EQ(refusal_with(past_merges, {"a"}), at + "a merge of 1 parts; it has two");
  EXPECT_EQ(refusal_with(past_merges, {"a", "b", "c"}), at + "a merge of 3 parts; it has two");
  EXPECT_EQ(refusal_with(past_merges, "ab"), at + R"("ab"; in a merge, one space stands between two tokens)");
  EXPECT_EQ(refusal_with(past_merges, "a b c"), at + R"("a b c"; in a merge, one space stands between two tokens)");
  EXPECT_EQ(refusal_with(past_merges, {"zzzz", "b"}), at + R"("zzzz" is not in /model/vocab)");
  EXPECT_EQ(refusal_with(past_merges, {"a", "b c"}), at + R"("b c" is not in /model/vocab)");
  EXPECT_EQ(refusal_with(past_merges, {"z", "@"}), at + R"("z" and "@" make a token that is not in /model/vocab)");
  EXPECT_EQ(refusal_with(past_merges, small_json()["model"]["merges"][3]), at + "it is also /model/merges/3");
}

TEST(FileTokens, WithoutMergesTokensAreBytes) {
  const Tokenizer bytes = Tokenizer::parse(small_with("/model/merges", Json::array()), "F");
  EXPECT_EQ(bytes.encode("tile", AddedTokensIn::as_text).size(), 4u);
  EXPECT_EQ(refusal(small_without("/model/merges")),
            "tegula: F: /model/merges: there is none; supported is an array of merges, which may be empty");
}

} // namespace

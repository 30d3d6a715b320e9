// Files that are refused, and what is said about them.
#include "test/llm/tokenizer/Small.h"
#include "test/runtime/Expect.h"

namespace {

using tegula::llm::Tokenizer;
using Json = nlohmann::ordered_json;

std::string refusal(const std::string& text) {
  return message_of<tegula::Error>([&] { Tokenizer::parse(text, "F"); });
}
/// Of small.json with a value at a place.
std::string refusal_with(const std::string& pointer, const Json& value) { return refusal(small_with(pointer, value)); }

TEST(File, TextThatIsNotJson) {
  EXPECT_EQ(refusal(""), "tegula: F: not JSON at byte 1; fetch the file again");
  EXPECT_EQ(refusal("{\"version\": nul}"), "tegula: F: not JSON at byte 16; fetch the file again");
  EXPECT_EQ(refusal("{\"a\xFF\": 1}"), "tegula: F: not JSON at byte 4; fetch the file again");
  const std::string whole = read_data("small.json");
  EXPECT_EQ(refusal(whole + "x"), "tegula: F: not JSON at byte " + std::to_string(whole.size() + 1) + "; fetch the file again");
  for (const std::size_t size : {1000, 5000, 9000, 15000})
    EXPECT_NE(refusal(whole.substr(0, size)).find("tegula: F: not JSON at byte "), std::string::npos);
}

TEST(File, JsonThatIsNoTokenizer) {
  EXPECT_EQ(refusal("[]"), "tegula: F: /: []; a tokenizer is an object");
  EXPECT_EQ(refusal("17"), "tegula: F: /: 17; a tokenizer is an object");
  EXPECT_EQ(refusal("{}"), R"(tegula: F: /version: null; supported is "1.0", as in the tokenizers of Qwen2 and Qwen3)");
}

TEST(File, HostileShapes) {
  EXPECT_EQ(
      refusal(R"({"version": )" + std::string(100000, '[')), "tegula: F: /version" + [] {
        std::string zeros;
        for (int i = 0; i < 15; ++i)
          zeros += "/0";
        return zeros;
      }() + ": values are nested more than 16 deep");
  std::string many = R"({"version": [)";
  for (int i = 0; i < 300000; ++i)
    many += "0,";
  EXPECT_EQ(refusal(many + "0]}"), "tegula: F: /version/262142: there are more than 262144 values beside tokens and merges");
  EXPECT_EQ(refusal(R"({"version": "1.0", "version": "1.0"})"), "tegula: F: /version: it is there twice");
  EXPECT_EQ(refusal(R"({"model": {"vocab": {}, "vocab": {}}})"), "tegula: F: /model/vocab: it is there twice");
  EXPECT_EQ(refusal(R"({"model": {"merges": [], "merges": []}})"), "tegula: F: /model/merges: it is there twice");
  EXPECT_EQ(refusal(R"({"a/b\u0000": {"x": 1, "x": 2}})"), R"(tegula: F: /"a/b\u0000"/x: it is there twice)");
}

struct Refused {
  std::string pointer;
  Json value;
  std::string message; // without the file
};

void expect_refused(const std::vector<Refused>& all) {
  for (const auto& [pointer, value, message] : all)
    EXPECT_EQ(refusal_with(pointer, value), "tegula: F: " + message) << pointer;
}

TEST(File, SettingsThatAreNotSupported) {
  const std::string as = ", as in the tokenizers of Qwen2 and Qwen3";
  const std::string unknown = ": it is not known what this means; supported is a file without it";
  const std::string split = "/pre_tokenizer/pretokenizers/0", bytes = "/pre_tokenizer/pretokenizers/1";
  expect_refused({
      {"/version", "2.0", R"(/version: "2.0"; supported is "1.0")" + as},
      {"/truncation", {{"max_length", 5}}, R"(/truncation: {"max_length":5}; supported is null)" + as},
      {"/padding", true, "/padding: true; supported is null" + as},
      {"/extra", 1, "/extra" + unknown},
      {"/model/extra thing", 1, R"(/model/"extra thing")" + unknown},
      {"/model/type", "WordPiece", R"(/model/type: "WordPiece"; supported is "BPE")" + as},
      {"/model/dropout", 0.5, "/model/dropout: 0.5; supported is null" + as},
      {"/model/unk_token", "<unk>", R"(/model/unk_token: "<unk>"; supported is null)" + as},
      {"/model/continuing_subword_prefix", "##", R"(/model/continuing_subword_prefix: "##"; supported is null or "")" + as},
      {"/model/end_of_word_suffix", "</w>", R"(/model/end_of_word_suffix: "</w>"; supported is null or "")" + as},
      {"/model/fuse_unk", true, "/model/fuse_unk: true; supported is null or false" + as},
      {"/model/byte_fallback", true, "/model/byte_fallback: true; supported is null or false" + as},
      {"/model/ignore_merges", true, "/model/ignore_merges: true; supported is null or false" + as},
      {"/model", 5, "/model: 5; supported is an object" + as},
      {"/model/vocab", Json::array(), "/model/vocab: []; supported is an object of tokens and ids" + as},
      {"/model/merges", Json::object(), "/model/merges: {}; supported is an array of merges" + as},
      {"/normalizer/type", "NFKC", R"(/normalizer/type: "NFKC"; supported is "NFC")" + as},
      {"/normalizer/extra", 1, "/normalizer/extra" + unknown},
      {"/pre_tokenizer", nullptr, "/pre_tokenizer: null; supported is an object" + as},
      {"/pre_tokenizer/type", "Metaspace", R"(/pre_tokenizer/type: "Metaspace"; supported is "Sequence")" + as},
      {"/pre_tokenizer/pretokenizers", Json::array(), "/pre_tokenizer/pretokenizers: []; supported is an array of 2" + as},
      {split + "/type", "Digits", split + R"(/type: "Digits"; supported is "Split")" + as},
      {split + "/pattern/Regex", "\\w+",
       split + R"(/pattern/Regex: "\\w+"; supported is "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?)" +
           R"(\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+")" + as},
      {split + "/pattern", {{"String", " "}}, split + "/pattern/String" + unknown},
      {split + "/behavior", "Removed", split + R"(/behavior: "Removed"; supported is "Isolated")" + as},
      {split + "/invert", true, split + "/invert: true; supported is false" + as},
      {bytes + "/type", "Whitespace", bytes + R"(/type: "Whitespace"; supported is "ByteLevel")" + as},
      {bytes + "/add_prefix_space", true, bytes + "/add_prefix_space: true; supported is false" + as},
      {bytes + "/use_regex", nullptr, bytes + "/use_regex: null; supported is false" + as},
      {bytes + "/trim_offsets", 0, bytes + "/trim_offsets: 0; supported is true or false" + as},
      {"/post_processor",
       {{"type", "TemplateProcessing"}},
       R"(/post_processor/type: "TemplateProcessing"; supported is "ByteLevel")" + as},
      {"/decoder", nullptr, "/decoder: null; supported is an object" + as},
      {"/decoder/type", "Metaspace", R"(/decoder/type: "Metaspace"; supported is "ByteLevel")" + as},
      {"/decoder/use_regex", 1, "/decoder/use_regex: 1; supported is true or false" + as},
  });
}

TEST(File, LongValuesAreCutInMessages) {
  EXPECT_EQ(refusal_with("/version", std::string(1000, 'v')),
            "tegula: F: /version: \"" + std::string(119, 'v') +
                R"(...; supported is "1.0", as in the tokenizers of Qwen2 and Qwen3)");
}

TEST(File, AddedTokensThatAreNotSupported) {
  const std::string as = ", as in the tokenizers of Qwen2 and Qwen3", third = "/added_tokens/3";
  expect_refused({
      {"/added_tokens", nullptr, "/added_tokens: null; supported is an array of at most 16384 tokens" + as},
      {third, "x", third + R"(: "x"; supported is an object)" + as},
      {third + "/extra", 1, third + "/extra: it is not known what this means; supported is a file without it"},
      {third + "/id", -1, third + "/id: -1; supported is a number from 0 to 2^31 - 1" + as},
      {third + "/id", 4e9, third + "/id: 4000000000.0; supported is a number from 0 to 2^31 - 1" + as},
      {third + "/id", 4000000000, third + "/id: 4000000000; supported is a number from 0 to 2^31 - 1" + as},
      {third + "/id", 665, third + R"(: the id of "<think>" is 665; by the number of tokens before it it is 659)"},
      {third + "/content", 5, third + "/content: 5; supported is a text" + as},
      {third + "/content", "", third + "/content: a text of 0 bytes; supported are 1 to 256"},
      {third + "/content", std::string(257, 'x'), third + "/content: a text of 257 bytes; supported are 1 to 256"},
      {third + "/content", "<|im_end|>", third + R"(: "<|im_end|>" is also /added_tokens/2)"},
      {third + "/single_word", true, third + "/single_word: true; supported is false" + as},
      {third + "/lstrip", true, third + "/lstrip: true; supported is false" + as},
      {third + "/rstrip", true, third + "/rstrip: true; supported is false" + as},
      {third + "/normalized", true, third + "/normalized: true; supported is false" + as},
      {third + "/special", nullptr, third + "/special: null; supported is true or false" + as},
  });
  EXPECT_EQ(refusal(small_without(third + "/normalized")), "tegula: F: " + third + "/normalized: null; supported is false" + as);
}

} // namespace

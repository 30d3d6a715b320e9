// JSON files: limits, what is not JSON, and values of the wrong kind.
#include "llm/checkpoint/Json.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

#include <algorithm>
#include <limits>

namespace {

using namespace tegula;
using namespace tegula::llm;

JsonValue parse(std::string_view text, const JsonLimits& limits = {}) { return parse_json("a.json", text, limits); }
std::string error_of(std::string_view text, const JsonLimits& limits = {}) {
  return message_of<Error>([&] { parse(text, limits); });
}

TEST(Json, GivesWhatIsThere) {
  const JsonValue root =
      parse(R"({"n": -3, "x": 1e-6, "whole": 1000000, "t": "caf\u00e9", "b": true, "z": null, "l": [1, 2], "o": {"k": 5}})");
  EXPECT_EQ(root["n"].whole(-3, 0), -3);
  EXPECT_EQ(root["x"].number(0, 1), 1e-6);
  EXPECT_EQ(root["whole"].number(0, 1e7), 1e6) << "a number may be written without a point";
  EXPECT_EQ(root["t"].text(), "caf\xc3\xa9");
  EXPECT_EQ(root["t"].one_of({"tea", "caf\xc3\xa9"}, ""), "caf\xc3\xa9");
  EXPECT_TRUE(root["b"].truth());
  EXPECT_EQ(root["l"].elements().at(1).whole(0, 9), 2);
  EXPECT_EQ(root["o"].members().at(0).first, "k");
  EXPECT_EQ(root["o"]["k"].whole(0, 9), 5);
  EXPECT_TRUE(root["n"].given());
  EXPECT_FALSE(root["z"].given());
  EXPECT_FALSE(root["missing"].given());
  EXPECT_FALSE(root["missing"]["deeper"].given());
  EXPECT_EQ(root.file(), "a.json");
}

TEST(Json, ValuesOutliveWhatTheyCameFrom) {
  const JsonValue inner = parse(R"({"o": {"k": "text"}})")["o"]["k"];
  EXPECT_EQ(inner.text(), "text");
}

TEST(Json, NamesThePlaceAndWhatIsThere) {
  const JsonValue root = parse(R"({"a": {"b": [0, -1]}, "t": "x", "big": [1,2,3,4,5,6,7,8,9], "o": {}})");
  EXPECT_MESSAGE(root["a"]["b"].elements()[1].whole(0, 7), "a.json: \"a\".\"b\"[1] is -1; it must be a whole number from 0 to 7");
  EXPECT_MESSAGE(root["a"]["c"].truth(), "a.json: \"a\".\"c\" is missing; it must be true or false");
  EXPECT_MESSAGE(root["t"].number(0, 0.5), "\"t\" is \"x\"; it must be a number from 0 to 0.5");
  EXPECT_MESSAGE(root["t"].whole(0, 1), "\"t\" is \"x\"; it must be a whole number from 0 to 1");
  EXPECT_MESSAGE(root["t"].one_of({"y", "z"}, "others do not fit"), "\"t\" is \"x\"; it must be \"y\" or \"z\": others do not fit");
  EXPECT_MESSAGE(root["t"]["u"], "\"t\" is \"x\"; it must be an object with \"u\"");
  EXPECT_MESSAGE(root["t"].elements(), "it must be a list");
  EXPECT_MESSAGE(root["t"].members(), "it must be an object");
  EXPECT_MESSAGE(root["a"].text(), "\"a\" is an object; it must be a text");
  EXPECT_MESSAGE(root["a"]["b"].text(), "\"a\".\"b\" is [0,-1]; it must be a text");
  EXPECT_MESSAGE(root["big"].text(), "\"big\" is a list of 9; it must be a text");
  EXPECT_MESSAGE(root["o"].text(), "\"o\" is an empty object; it must be a text");
  EXPECT_MESSAGE(parse("3").text(), "a.json: the whole is 3; it must be a text");
}

TEST(Json, NumbersKeepToTheirRange) {
  const JsonValue root =
      parse(R"({"float": 3.0, "huge": 18446744073709551615, "larger": 99999999999999999999, "low": -9223372036854775808})");
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  EXPECT_MESSAGE(root["float"].whole(0, 9), "is 3.0; it must be a whole number");
  EXPECT_MESSAGE(root["huge"].whole(least, most), "is 18446744073709551615; it must be");
  EXPECT_MESSAGE(root["larger"].whole(least, most), "it must be a whole number");
  EXPECT_EQ(root["low"].whole(least, most), least);
  EXPECT_MESSAGE(root["float"].number(3.5, 4), "it must be a number from 3.5 to 4");
}

TEST(Json, SaysWhereItIsNoJson) {
  EXPECT_EQ(error_of("{\n  \"a\": 1,\n  \"b\" 2\n}").substr(0, 26), "a.json:3:7: is not JSON: w");
  EXPECT_EQ(error_of(""),
            "a.json:1:1: is not JSON: while parsing value - unexpected end of input; expected '[', '{', or a literal");
  EXPECT_NE(error_of("{} x").find("a.json:1:4: is not JSON"), std::string::npos);
  EXPECT_NE(error_of("[1, 1e999]").find("number overflow"), std::string::npos);
  EXPECT_NE(error_of("[NaN]").find("is not JSON"), std::string::npos);
  EXPECT_NE(error_of("// x\n{}").find("is not JSON"), std::string::npos);
  EXPECT_NE(error_of("[\"\xff\"]").find("is not JSON"), std::string::npos) << "no UTF-8";
  const std::string garbled = error_of("[\"\xff\x1b[31m\"]");
  EXPECT_TRUE(std::ranges::all_of(garbled, [](char c) { return c >= 0x20 && c < 0x7f; })) << "a terminal is safe from it";
  EXPECT_EQ(error_of(std::string_view("{}\0{}", 5)), "a.json:1:3: is not JSON: it has a zero byte");
  EXPECT_LT(error_of("[" + std::string(100000, '7')).size(), 400u) << "long texts are cut";
}

TEST(Json, KeysOccurOnce) {
  EXPECT_EQ(error_of("{\"a\": 1,\n \"b\": {\"a\": 2},\n \"a\": 3}"),
            "a.json:3:4: has the key \"a\" for the second time in one object");
  EXPECT_EQ(error_of("[{\"a\": 1}, {\"a\": 1}]"), "no error");
}

TEST(Json, KeepsToLimits) {
  EXPECT_EQ(error_of("[[[]]]", {.depth = 3}), "no error");
  EXPECT_EQ(error_of("[[[]]]", {.depth = 2}), "a.json:1:3: has more than 2 lists and objects inside each other");
  EXPECT_EQ(error_of("[1, 2]", {.values = 3}), "no error");
  EXPECT_EQ(error_of("[1, 2]", {.values = 2}), "a.json:1:6: has more than 2 values, the most that are read of a file of this kind");
  EXPECT_EQ(error_of("[1, 2]", {.bytes = 5}), "a.json: has 6 bytes of JSON; at most 5 are read of a file of this kind");
  EXPECT_NE(error_of(std::string(1000000, '['), {}).find("more than 32"), std::string::npos);
}

TEST(Json, ReadsFiles) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.json";
  write_file(path, "{\"a\": 7}");
  EXPECT_EQ(read_json(path, {})["a"].whole(0, 9), 7);
  EXPECT_MESSAGE(read_json(path, {})["b"].text(), path.string() + ": \"b\" is missing");
  EXPECT_MESSAGE(read_json(path, {.bytes = 7}), path.string() + ": has 8 bytes; at most 7 are read of a file of this kind");
  EXPECT_MESSAGE(read_json(folder.path() / "y.json", {}), "y.json: cannot be opened: No such file or directory");
}

} // namespace

// The rules for one safetensors file, each with its message.
#include "llm/checkpoint/SafeTensors.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

namespace {

using namespace tegula;
using namespace tegula::llm;

SafeTensorsHeader header_of(const std::string& file) { return read_header("a.safetensors", std::as_bytes(std::span(file))); }
/// The message for a file with this header and some bytes of data.
std::string error_of(const std::string& header, std::size_t data) {
  return message_of<Error>([&] { header_of(safetensors_of(header, std::string(data, '\0'))); });
}
/// The same for one tensor, "x".
std::string error_of_tensor(const std::string& dtype, const std::string& shape, const std::string& offsets, std::size_t data) {
  return error_of(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}", data);
}
void expect_part(const std::string& text, const std::string& part) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(SafeTensors, MapsTensorsOfAFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "x.safetensors";
  write_file(path, safetensors_of({{"b", "F32", {2, 1}, "abcdefgh"}, {"a", "U8", {3}, "xyz"}}, {{"format", "pt"}}));
  SafeTensors opened(path);
  const SafeTensors file = std::move(opened);
  ASSERT_EQ(file.tensors().size(), 2u);
  EXPECT_EQ(file.tensors()[0].name, "b") << "in the order of their bytes";
  EXPECT_EQ(file.metadata().at("format"), "pt");
  const StoredTensor* a = file.find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->shape, Shape{3});
  EXPECT_EQ(a->type.dtype, DType::u8);
  EXPECT_EQ(static_cast<char>(file.bytes(*a)[1]), 'y');
  EXPECT_EQ(file.bytes(*file.find("b")).size(), 8u);
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(SafeTensors, AnyOrderOfNamesAndPadding) {
  const SafeTensorsHeader header = header_of(safetensors_of(
      R"({"a":{"data_offsets":[4,8],"dtype":"F32","shape":[]},"z":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}   )",
      "abcdefgh"));
  EXPECT_EQ(header.tensors[0].name, "z");
  EXPECT_EQ(header.tensors[1].shape, Shape{});
  EXPECT_TRUE(header_of(safetensors_of("{}")).tensors.empty());
}

TEST(SafeTensors, TheLengthOfTheHeader) {
  expect_part(message_of<Error>([] { header_of("1234567"); }), "a.safetensors: has 7 bytes; a safetensors file has at least 8");
  std::string file = safetensors_of("{}");
  file[0] = 3;
  expect_part(message_of<Error>([&] { header_of(file); }), "its header should have 3 bytes, but only 2 are there");
  file[7] = 1;
  expect_part(message_of<Error>([&] { header_of(file); }), "say that the header has 72057594037927939 bytes; at most 100000000");
  expect_part(error_of("", 0), "its header begins with \"\"; it must begin with \"{\"");
  expect_part(error_of(" {}", 0), "its header begins with \" \"");
  expect_part(error_of("{\"x\"", 0), "a.safetensors (header):1:4: is not JSON");
  expect_part(error_of(R"({"a":{},"a":{}})", 0), "has the key \"a\" for the second time");
}

TEST(SafeTensors, Elements) {
  EXPECT_EQ(error_of_tensor("BF16", "[2,3]", "[0,12]", 12), "no error");
  EXPECT_EQ(error_of_tensor("F4", "[2,3]", "[0,3]", 3), "no error");
  expect_part(error_of_tensor("F4", "[3]", "[0,2]", 2),
              "\"x\".\"shape\" is [3]; it must be a shape with whole bytes: [3] of F4 are 12 bits");
  expect_part(error_of_tensor("F7", "[1]", "[0,1]", 1),
              "a.safetensors (header): \"x\".\"dtype\" is \"F7\"; it must be one of F32, F16, BF16, F64");
  expect_part(error_of(R"({"x":{"shape":[1],"data_offsets":[0,4]}})", 4), "\"x\".\"dtype\" is missing; it must be a text");
}

TEST(SafeTensors, Shapes) {
  EXPECT_EQ(error_of_tensor("F32", "[1,1,1,1,1,1,1,1]", "[0,4]", 4), "no error");
  expect_part(error_of_tensor("F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]", 4),
              "\"x\".\"shape\" is a list of 9; it must be at most 8 extents");
  expect_part(error_of_tensor("F32", "[-1]", "[0,4]", 4),
              "\"x\".\"shape\"[0] is -1; it must be a whole number from 0 to 281474976710656");
  expect_part(error_of_tensor("F32", "[1.0]", "[0,4]", 4), "\"x\".\"shape\"[0] is 1.0; it must be a whole number");
  expect_part(error_of_tensor("F32", "4", "[0,4]", 4), "\"x\".\"shape\" is 4; it must be a list");
  expect_part(error_of_tensor("F32", "[281474976710657]", "[0,4]", 4), "it must be a whole number from 0 to 281474976710656");
  expect_part(error_of_tensor("F32", "[4294967296,4294967296]", "[0,0]", 0),
              "it must be a shape with less than 2^64 bits, unlike [4294967296, 4294967296]");
  expect_part(error_of_tensor("F32", "[4294967296,134217728]", "[0,0]", 0), "with less than 2^64 bits");
  EXPECT_EQ(error_of_tensor("F32", "[281474976710656,281474976710656,0]", "[0,0]", 0), "no error") << "it has no elements";
}

TEST(SafeTensors, Offsets) {
  expect_part(error_of_tensor("F32", "[2]", "[0,4]", 4),
              "\"x\".\"data_offsets\" is [0,4]; it must be 8 bytes apart, as [2] of F32 needs");
  expect_part(error_of_tensor("F32", "[1]", "[0,5]", 4),
              "\"x\".\"data_offsets\" is [0,5]; it must be 4 bytes apart, as [1] of F32 needs");
  expect_part(error_of_tensor("F32", "[1]", "[5,9]", 4), "bytes 0 to 5 of the data, before the tensor \"x\", belong to no tensor");
  expect_part(error_of_tensor("F32", "[0]", "[3,2]", 4),
              "\"x\".\"data_offsets\"[1] is 2; it must be a whole number from 3 to 1152921504606846976");
  expect_part(error_of_tensor("F32", "[1]", "[-4,0]", 4), "\"x\".\"data_offsets\"[0] is -4; it must be a whole number from 0 to");
  expect_part(error_of_tensor("F32", "[1]", "[0,4,8]", 4), "it must be two numbers, where the data begins and where it ends");
  expect_part(error_of_tensor("F32", "[1]", "[18446744073709551612,0]", 4),
              "it must be a whole number from 0 to 1152921504606846976");
}

TEST(SafeTensors, EachByteIsOfOneTensor) {
  const auto two = [](const std::string& first, const std::string& second, std::size_t data) {
    return error_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
                        R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second + "}}",
                    data);
  };
  EXPECT_EQ(two("[0,4]", "[4,8]", 8), "no error");
  EXPECT_EQ(two("[4,8]", "[0,4]", 8), "no error");
  EXPECT_EQ(two("[0,4]", "[3,7]", 7),
            "a.safetensors: the tensors \"a\" and \"b\" overlap: the first ends at byte 4 of the data, the second "
            "begins at byte 3. The file is damaged");
  expect_part(two("[0,4]", "[0,4]", 4), "the tensors \"a\" and \"b\" overlap");
  expect_part(two("[0,4]", "[5,9]", 9), "bytes 4 to 5 of the data, before the tensor \"b\", belong to no tensor");
  expect_part(two("[1,5]", "[5,9]", 9), "bytes 0 to 1 of the data, before the tensor \"a\", belong to no tensor");
  expect_part(two("[0,4]", "[4,8]", 9), "its tensors end at byte 8 of the data, but there are 9 bytes");
  expect_part(error_of("{}", 1), "its tensors end at byte 0 of the data, but there are 1 bytes");
}

TEST(SafeTensors, Entries) {
  expect_part(error_of(R"({"x":3})", 0), "\"x\" is 3; it must be an object");
  expect_part(error_of(R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"strides":[1]}})", 1),
              "\"x\".\"strides\" is [1]; it must be absent: a tensor has dtype, shape and data_offsets");
  expect_part(error_of(R"({"__metadata__":{"a":1}})", 0), "\"__metadata__\".\"a\" is 1; it must be a text");
  expect_part(error_of(R"({"__metadata__":[]})", 0), "\"__metadata__\" is []; it must be an object");
  expect_part(error_of(R"({"\u001b[31m":3})", 0), "\"\\x1b[31m\" is 3");
}

} // namespace

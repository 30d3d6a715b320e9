// Folders with weights: one file or shards, and how they can be wrong.
#include "llm/checkpoint/Checkpoint.h"
#include "llm/checkpoint/Bf16.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

namespace {

using namespace tegula;
using namespace tegula::llm;
namespace fs = std::filesystem;

const std::string index_name = "model.safetensors.index.json", first = "model-00001-of-00002.safetensors",
                  second = "model-00002-of-00002.safetensors";

class CheckpointTest : public testing::Test {
protected:
  TensorData tensor(const std::string& name, char c = 'x') const { return {name, "BF16", {2, 2}, std::string(8, c)}; }
  Checkpoint open() const { return Checkpoint::open(folder.path()); }
  std::string in_folder(const std::string& name) const { return (folder.path() / name).string(); }
  void write_index(const std::string& text) const { write_file(folder.path() / index_name, text); }

  TemporaryFolder folder;
};

char first_byte(const Weight& weight) { return static_cast<char>(weight.bytes[0]); }

TEST_F(CheckpointTest, OneFile) {
  write_single(folder.path(), {tensor("a", 'a'), tensor("b", 'b')});
  const Checkpoint checkpoint = open();
  const Weight b = checkpoint.find("b", Shape{2, 2});
  EXPECT_EQ(b.dtype, DType::bf16);
  EXPECT_EQ(b.bytes.size(), 8u);
  EXPECT_EQ(first_byte(b), 'b');
  EXPECT_EQ(b.file->path(), in_folder("model.safetensors"));
  b.file->load(b.bytes);
  EXPECT_EQ(first_byte(checkpoint.find({"a", {2, 2}})), 'a');
}

TEST_F(CheckpointTest, Shards) {
  write_sharded(folder.path(), {{tensor("a", 'a'), tensor("c", 'c')}, {tensor("b", 'b')}});
  Checkpoint opened = open();
  const Checkpoint checkpoint = std::move(opened);
  EXPECT_EQ(checkpoint.files().size(), 2u);
  EXPECT_EQ(first_byte(checkpoint.find("a", Shape{2, 2})), 'a');
  EXPECT_EQ(first_byte(checkpoint.find("b", Shape{2, 2})), 'b');
  EXPECT_EQ(first_byte(checkpoint.find("c", Shape{2, 2})), 'c');
  EXPECT_EQ(checkpoint.find("b", Shape{2, 2}).file->path(), in_folder(second));
}

TEST_F(CheckpointTest, FilesMayBeLinks) {
  fs::create_directory(folder.path() / "blobs");
  fs::create_directory(folder.path() / "snapshot");
  write_single(folder.path() / "blobs", {tensor("a", 'a')});
  fs::create_symlink("../blobs/model.safetensors", folder.path() / "snapshot" / "model.safetensors");
  EXPECT_EQ(first_byte(Checkpoint::open(folder.path() / "snapshot").find("a", Shape{2, 2})), 'a');
}

TEST_F(CheckpointTest, WhatIsNotThereOrTwice) {
  EXPECT_MESSAGE(open(),
                 folder.path().string() + ": has neither model.safetensors nor model.safetensors.index.json; name the folder");
  EXPECT_MESSAGE(Checkpoint::open(folder.path() / "nowhere"), "nowhere: has neither model.safetensors");
  write_single(folder.path(), {tensor("a")});
  write_index("{}");
  EXPECT_MESSAGE(open(), folder.path().string() + ": has both model.safetensors and model.safetensors.index.json; remove the one");
}

TEST_F(CheckpointTest, ALinkToNowhereIsNoMissingFile) {
  fs::create_symlink("nowhere", folder.path() / "model.safetensors");
  EXPECT_MESSAGE(open(), in_folder("model.safetensors") + ": cannot be opened: No such file or directory");
}

TEST_F(CheckpointTest, TensorsAreAsTheModelNeedsThem) {
  write_single(folder.path(), {tensor("a"), {"f", "F16", {1}, "12"}, {"i", "I64", {1}, "12345678"}, {"e", "F8_E4M3", {4}, "1234"}});
  const Checkpoint checkpoint = open();
  const std::string file = in_folder("model.safetensors");
  EXPECT_MESSAGE(checkpoint.find("b", Shape{2, 3}),
                 file +
                     ": has no tensor \"b\"; the model needs it of shape [2, 3] in F32, F16 or BF16. The weights are of another");
  EXPECT_MESSAGE(checkpoint.find("a", Shape{2, 3}),
                 file + ": the tensor \"a\" is of shape [2, 2] in BF16; the model needs it of shape "
                        "[2, 3] in F32, F16 or BF16");
  EXPECT_MESSAGE(checkpoint.find("a", Shape{4}), "the tensor \"a\" is of shape [2, 2] in BF16; the model needs it of shape [4]");
  EXPECT_MESSAGE(checkpoint.find("i", Shape{1}), "the tensor \"i\" is of shape [1] in I64; the model needs it of shape [1] in F32");
  EXPECT_MESSAGE(checkpoint.find("e", Shape{4}), "the tensor \"e\" is of shape [4] in F8_E4M3; the model needs it");
  EXPECT_EQ(checkpoint.find("f", Shape{1}).dtype, DType::f16);
}

TEST_F(CheckpointTest, WeightsMayLieAnywhere) {
  write_single(folder.path(), {{"odd", "U8", {1}, "x"}, {"w", "F32", {2}, bytes_of<float>({0.5f, -3.0f})}});
  const Checkpoint checkpoint = open();
  const Weight weight = checkpoint.find("w", Shape{2});
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(weight.bytes.data()) % sizeof(float), 0u);
  std::vector<bf16> converted(2);
  copy_as_bf16(converted, weight.bytes, weight.dtype);
  EXPECT_EQ(static_cast<float>(converted[0]), 0.5f);
  EXPECT_EQ(static_cast<float>(converted[1]), -3.0f);
}

TEST_F(CheckpointTest, TellsWhatNobodyAskedFor) {
  write_single(folder.path(), {tensor("a"), tensor("rotary.inv_freq"), tensor("b")});
  const std::vector<WeightShape> asked = {{"a", {2, 2}}, {"missing", {1}}};
  EXPECT_EQ(open().names_besides(asked), (std::vector<std::string>{"b", "rotary.inv_freq"}));
  EXPECT_EQ(open().names_besides({}).size(), 3u);
}

TEST_F(CheckpointTest, WhatTheIndexDoesNotListIsNotFound) {
  write_sharded(folder.path(), {{tensor("a")}, {tensor("b"), tensor("c")}});
  write_index(R"({"weight_map": {"a": ")" + first + R"(", "b": ")" + second + "\"}}");
  const Checkpoint checkpoint = open();
  const std::vector<WeightShape> asked = {{"a", {}}, {"b", {}}, {"c", {}}};
  EXPECT_EQ(checkpoint.names_besides(asked), std::vector<std::string>{"c"});
  EXPECT_MESSAGE(checkpoint.find("c", Shape{2, 2}), in_folder(index_name) + ": has no tensor \"c\"");
}

TEST_F(CheckpointTest, ShardsThatAreMissing) {
  write_sharded(folder.path(), {{tensor("a")}, {tensor("b")}});
  fs::remove(folder.path() / second);
  EXPECT_MESSAGE(open(),
                 in_folder(second) + ": is missing; " + in_folder(index_name) + " says that it has \"b\". Download the file");
}

TEST_F(CheckpointTest, ShardsWithoutATensorOfTheIndex) {
  write_sharded(folder.path(), {{tensor("a")}, {tensor("b")}});
  write_index(R"({"weight_map": {"a": ")" + first + R"(", "c": ")" + second + "\"}}");
  EXPECT_MESSAGE(open(), in_folder(second) + ": lacks the tensor \"c\", which " + in_folder(index_name) + " says it has");
}

TEST_F(CheckpointTest, ShardsWithTheSameTensor) {
  write_sharded(folder.path(), {{tensor("a"), tensor("c")}, {tensor("b"), tensor("c")}});
  EXPECT_MESSAGE(open(),
                 in_folder(second) + ": has the tensor \"c\", and so has " + in_folder(first) + "; one file alone may have it");
}

TEST_F(CheckpointTest, ShardsThatAreDamaged) {
  write_sharded(folder.path(), {{tensor("a")}, {tensor("b")}});
  fs::resize_file(folder.path() / second, 30);
  EXPECT_MESSAGE(open(), in_folder(second) + ": its header should have");
}

TEST_F(CheckpointTest, NamesOfFilesStayInTheFolder) {
  const std::string longest = std::string(244, 'a') + ".safetensors";
  for (const std::string name :
       {"../x.safetensors", "/etc/x.safetensors", "a/b.safetensors", "..", "", ".x.safetensors", "x.bin", "a b.safetensors",
        "a\\\\b.safetensors", "a\\u0000.safetensors", "\\u00e4.safetensors", longest.c_str()}) {
    write_index(R"({"weight_map": {"a": ")" + name + "\"}}");
    EXPECT_MESSAGE(open(), in_folder(index_name) + ": \"weight_map\".\"a\" is ");
    EXPECT_MESSAGE(open(), "; it must be the name of a file beside the index");
  }
  write_index(R"({"weight_map": {"a": "x..y-1_2.safetensors"}})");
  EXPECT_MESSAGE(open(), in_folder("x..y-1_2.safetensors") + ": is missing");
}

TEST_F(CheckpointTest, TheIndexIsAnIndex) {
  const std::string file = in_folder(index_name);
  write_index("[]");
  EXPECT_MESSAGE(open(), file + ": the whole is []; it must be an object with \"weight_map\"");
  write_index("{}");
  EXPECT_MESSAGE(open(), file + ": \"weight_map\" is missing; it must be an object");
  write_index(R"({"weight_map": {}})");
  EXPECT_MESSAGE(open(), file + ": \"weight_map\" is an empty object; it must be an object with the file of each tensor");
  write_index(R"({"weight_map": {"a": 3}})");
  EXPECT_MESSAGE(open(), file + ": \"weight_map\".\"a\" is 3; it must be a text");
  write_index(R"({"weight_map": {"a": "x.safetensors", "a": "y.safetensors"}})");
  EXPECT_MESSAGE(open(), "has the key \"a\" for the second time");
}

} // namespace

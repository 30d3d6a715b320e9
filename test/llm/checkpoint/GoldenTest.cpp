// Files that the package `safetensors` wrote (make_goldens.py): they are read, and our writer makes the same bytes.
#include "llm/checkpoint/Bf16.h"
#include "llm/checkpoint/Checkpoint.h"
#include "test/llm/support/CheckpointWriter.h"

#include <fstream>
#include <gtest/gtest.h>

namespace {

using namespace tegula;
using namespace tegula::llm;
namespace fs = std::filesystem;

const fs::path goldens = TEGULA_TEST_GOLDENS;
const std::vector<float> numbers = {-2, -1.25, -0.5, 0.25, 1, 1.75};

std::vector<float> values(const Weight& weight) {
  std::vector<bf16> converted(weight.bytes.size() / static_cast<std::size_t>(size_of(weight.dtype)));
  copy_as_bf16(converted, weight.bytes, weight.dtype);
  return {converted.begin(), converted.end()};
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The tensors of a file, as they are given to the writer.
std::vector<TensorData> contents(const SafeTensors& file) {
  std::vector<TensorData> tensors;
  for (const StoredTensor& tensor : file.tensors()) {
    const std::span<const std::byte> bytes = file.bytes(tensor);
    tensors.push_back({tensor.name, std::string(tensor.type.name), tensor.shape,
                       std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
  }
  return tensors;
}

TEST(Golden, OneFileWithManyTypes) {
  const Checkpoint checkpoint = Checkpoint::open(goldens / "single");
  EXPECT_EQ(values(checkpoint.find("f32", Shape{2, 3})), numbers);
  EXPECT_EQ(values(checkpoint.find("f16", Shape{3, 2})), numbers);
  EXPECT_EQ(values(checkpoint.find("bf16", Shape{6})), numbers);
  EXPECT_EQ(values(checkpoint.find("scalar", Shape{})), std::vector<float>{0.5});
  EXPECT_TRUE(checkpoint.find("empty", Shape{0, 4}).bytes.empty());
  EXPECT_EQ(checkpoint.names_besides({}), (std::vector<std::string>{"bf16", "bool", "empty", "f16", "f32", "f8", "i64", "scalar"}));
  const SafeTensors& file = checkpoint.files().at(0);
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_EQ(file.find("i64")->type.dtype, DType::i64);
  EXPECT_EQ(file.find("f8")->type.dtype, DType::f8e4m3);
  EXPECT_EQ(file.find("bool")->type.dtype, DType::boolean);
}

TEST(Golden, Shards) {
  const Checkpoint checkpoint = Checkpoint::open(goldens / "sharded");
  EXPECT_EQ(values(checkpoint.find("a.weight", Shape{6})), numbers);
  std::vector<float> negative;
  for (const float x : numbers)
    negative.push_back(-x);
  EXPECT_EQ(values(checkpoint.find("b.weight", Shape{2, 3})), negative);
  EXPECT_EQ(values(checkpoint.find("c.weight", Shape{1})), std::vector<float>{1});
}

TEST(Golden, TheWriterMakesTheSameBytes) {
  int files = 0;
  for (const char* folder : {"single", "sharded"}) {
    const Checkpoint checkpoint = Checkpoint::open(goldens / folder);
    for (const SafeTensors& file : checkpoint.files()) {
      EXPECT_EQ(safetensors_of(contents(file), file.metadata()), text_of(file.file().path())) << file.file().path();
      ++files;
    }
  }
  EXPECT_EQ(files, 3);
}

} // namespace

// Files that were cut or in which bits were flipped: refused, or still in one piece.
#include "llm/checkpoint/SafeTensors.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

namespace {

using namespace tegula;
using namespace tegula::llm;

std::string whole_file() {
  return safetensors_of({{"embed", "BF16", {4, 3}, std::string(24, 'e')}, {"norm", "F32", {3}, std::string(12, 'n')}},
                        {{"format", "pt"}});
}

std::span<const std::byte> bytes(const std::string& file) { return std::as_bytes(std::span(file)); }

TEST(Damage, CutAnywhere) {
  const std::string whole = whole_file();
  EXPECT_EQ(read_header("whole", bytes(whole)).tensors.size(), 2u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // Memory of exactly that size, so that sanitizers see what reads behind it.
    const std::vector<char> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_MESSAGE(read_header("cut.safetensors", std::as_bytes(std::span(cut))), "It was not written or downloaded to its end");
  }
}

TEST(Damage, CutFilesOnDisk) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "cut.safetensors";
  const std::string whole = whole_file();
  for (std::size_t size = 0; size < whole.size(); size += 13) {
    write_file(path, whole.substr(0, size));
    EXPECT_MESSAGE(SafeTensors{path}, path.string());
  }
}

TEST(Damage, CutInItsData) {
  const std::string whole = whole_file(), start = "cut.safetensors: ends at byte ";
  const std::string wanted = ", but the tensor \"norm\" needs bytes up to " + std::to_string(whole.size()) +
                             ". It was not written or downloaded to its end";
  for (const std::size_t missing : {1, 13, 36}) { // of the last tensor, of both, and all
    const std::size_t size = whole.size() - missing;
    EXPECT_MESSAGE(read_header("cut.safetensors", bytes(whole.substr(0, size))), start + std::to_string(size) + wanted);
  }
}

TEST(Damage, LongerThanItSays) { EXPECT_MESSAGE(read_header("long", bytes(whole_file() + "x")), "but there are 37 bytes"); }

/// A flipped bit may change a name or another type of the same size; whatever it does, all bytes are of one tensor each.
TEST(Damage, EachBitOfTheHeader) {
  const std::string whole = whole_file();
  const std::size_t data = 36;
  int refused = 0, read = 0;
  for (std::size_t bit = 0; bit < (whole.size() - data) * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      const SafeTensorsHeader header = read_header("flipped", bytes(flipped));
      std::uint64_t covered = whole.size() - data;
      for (const StoredTensor& tensor : header.tensors) {
        EXPECT_EQ(tensor.begin, covered) << bit;
        covered = tensor.end;
      }
      EXPECT_EQ(covered, whole.size()) << bit;
      ++read;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("flipped")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000) << "and only names and metadata could change: " << read;
  EXPECT_GT(read, 50);
}

} // namespace

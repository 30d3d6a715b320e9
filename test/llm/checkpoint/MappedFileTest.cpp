// Files as memory, and files that change or are no plain files.
#include "llm/checkpoint/MappedFile.h"
#include "test/llm/support/CheckpointWriter.h"
#include "test/llm/support/TemporaryFolder.h"
#include "test/runtime/Expect.h"

#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace tegula;
using namespace tegula::llm;
namespace fs = std::filesystem;

class MappedFileTest : public testing::Test {
protected:
  TemporaryFolder folder;
  fs::path path = folder.path() / "file";
};

std::string text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

TEST_F(MappedFileTest, HasTheBytes) {
  std::string text;
  for (int i = 0; i < 30000; ++i)
    text += static_cast<char>(i * 7);
  write_file(path, text);
  const MappedFile file(path);
  EXPECT_EQ(file.path(), path);
  file.will_need(file.bytes());
  file.will_need(file.bytes().subspan(5000, 10));
  file.load(file.bytes().subspan(4095, 2));
  file.load(file.bytes());
  EXPECT_EQ(text_of(file.bytes()), text);
}

TEST_F(MappedFileTest, MayBeEmpty) {
  write_file(path, "");
  const MappedFile file(path);
  EXPECT_TRUE(file.bytes().empty());
  file.load(file.bytes());
  file.will_need(file.bytes());
}

TEST_F(MappedFileTest, MovesWithItsBytes) {
  write_file(path, "one");
  const fs::path other = folder.path() / "other";
  write_file(other, "two");
  MappedFile file(path);
  const std::byte* bytes = file.bytes().data();
  MappedFile moved(std::move(file));
  EXPECT_EQ(moved.bytes().data(), bytes);
  moved = MappedFile(other);
  moved.load(moved.bytes());
  EXPECT_EQ(text_of(moved.bytes()), "two");
  EXPECT_EQ(moved.path(), other);
}

TEST_F(MappedFileTest, LinksAreFollowed) {
  write_file(path, "one");
  fs::create_symlink("file", folder.path() / "link");
  EXPECT_EQ(text_of(MappedFile(folder.path() / "link").bytes()), "one");
  fs::create_symlink("nowhere", folder.path() / "broken");
  EXPECT_MESSAGE(MappedFile(folder.path() / "broken"), "broken: cannot be opened: No such file or directory");
  EXPECT_TRUE(is_there(folder.path() / "broken"));
  EXPECT_FALSE(is_there(folder.path() / "nowhere"));
}

TEST_F(MappedFileTest, NothingButPlainFiles) {
  EXPECT_MESSAGE(MappedFile{path}, path.string() + ": cannot be opened: No such file or directory");
  EXPECT_MESSAGE(MappedFile(folder.path()), folder.path().string() + ": is a folder; it must be a plain file, or a link to one");
  EXPECT_MESSAGE(MappedFile("/dev/null"), "/dev/null: is no plain file; it must be");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_MESSAGE(MappedFile{path}, path.string() + ": is no plain file"); // and nobody waits for a writer
}

TEST_F(MappedFileTest, LoadFindsThatTheFileWasCut) {
  write_file(path, std::string(20000, 'x'));
  const MappedFile file(path);
  fs::resize_file(path, 100);
  EXPECT_MESSAGE(file.load(file.bytes().subspan(8192)), path.string() +
                                                            ": was changed while it was in use (20000 bytes when it was "
                                                            "opened, 100 now); start again");
}

TEST_F(MappedFileTest, LoadFindsThatTheFileWasWritten) {
  write_file(path, "one");
  const MappedFile file(path);
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1)); // clocks of file systems are coarse
  EXPECT_MESSAGE(file.load(file.bytes()), "was changed while it was in use (3 bytes when it was opened, 3 now)");
}

TEST_F(MappedFileTest, AFileThatIsReplacedStaysAsItWas) {
  write_file(path, "one");
  const MappedFile file(path);
  write_file(folder.path() / "new", "other");
  fs::rename(folder.path() / "new", path);
  file.load(file.bytes());
  EXPECT_EQ(text_of(file.bytes()), "one");
}

} // namespace

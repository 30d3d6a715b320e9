// Kernels that outlive the process: hits, misses, damage, crashes, limits, and many processes at once.
#include "lib/runtime/gpu/DiskCache.h"
#include "Expect.h"
#include "GpuKernels.h"
#include "lib/abi/KernelBytes.h"
#include "lib/runtime/gpu/StoredKernel.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tegula;
using gpu::DiskCache;
namespace fs = std::filesystem;

constexpr std::uint64_t much = std::uint64_t{1} << 30;

class DiskCacheTest : public testing::Test {
protected:
  DiskCacheTest() {
    std::string name = (fs::temp_directory_path() / "tegula-cache-XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }
  ~DiskCacheTest() override {
    fs::permissions(directory, fs::perms::owner_all);
    fs::remove_all(directory);
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(directory))
      paths.push_back(entry.path());
    return paths;
  }
  fs::path directory;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
void make_older(const fs::path& path, std::chrono::minutes age) { fs::last_write_time(path, fs::last_write_time(path) - age); }

TEST_F(DiskCacheTest, KeepsBytesByKey) {
  const DiskCache cache(directory / "new" / "folder", much);
  EXPECT_FALSE(cache.find("one"));
  cache.store("one", std::string("a\0b", 3));
  cache.store("two", "");
  EXPECT_EQ(cache.find("one"), std::string("a\0b", 3));
  EXPECT_EQ(cache.find("two"), "");
  EXPECT_FALSE(cache.find("three"));
  cache.store("one", "other");
  EXPECT_EQ(DiskCache(directory / "new" / "folder", much).find("one"), "other");
  EXPECT_EQ(fs::status(directory / "new" / "folder").permissions() & fs::perms::all, fs::perms::owner_all);
  cache.remove("one");
  EXPECT_FALSE(cache.find("one"));
}

TEST_F(DiskCacheTest, DamagedEntriesAreNotThereAndRemoved) {
  const DiskCache cache(directory, much);
  const std::string bytes(1000, 'x');
  cache.store("key", bytes);
  const fs::path path = files().at(0);
  const std::string whole = read(path);
  for (std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 4;
    write(path, damaged);
    EXPECT_FALSE(cache.find("key")) << at;
    EXPECT_FALSE(fs::exists(path)) << at;
    write(path, whole);
    EXPECT_EQ(cache.find("key"), bytes);
  }
  for (std::size_t size : {std::size_t{0}, std::size_t{10}, whole.size() - 1}) {
    write(path, whole.substr(0, size));
    EXPECT_FALSE(cache.find("key")) << size;
  }
  write(path, whole + "x");
  EXPECT_FALSE(cache.find("key"));
}

TEST_F(DiskCacheTest, ProcessesReadAndWriteAtOnce) {
  const DiskCache cache(directory, much);
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      bool right = true;
      for (int i = 0; i < 100; ++i) {
        const std::string key = std::to_string(i % 10), bytes(1000 + static_cast<std::size_t>(i % 10) * 5000, key[0]);
        cache.store(key, bytes);
        const auto found = cache.find(key);
        right &= found && *found == bytes; // whoever wrote it
      }
      ::_exit(right ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files().size(), 10u) << "nothing is left over";
}

/// A process that is killed while it stores an entry.
void store_and_die(const DiskCache& cache) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit few{60, 60}; // bytes in a file: more, and the signal kills it
    ::setrlimit(RLIMIT_FSIZE, &few);
    cache.store("killed", std::string(1000, 'x'));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(DiskCacheTest, WhatAKilledProcessLeftBehindIsRemovedByTheNext) {
  const DiskCache cache(directory, much);
  const auto is_removed_by = [&](const auto& use) {
    store_and_die(cache);
    ASSERT_EQ(files().size(), 1u);
    ASSERT_EQ(files()[0].extension(), ".writing");
    use();
    EXPECT_TRUE(files().empty());
  };
  is_removed_by([&] { cache.store("one", "1"), cache.remove("one"); });
  is_removed_by([&] { cache.summary(); });
  is_removed_by([&] { EXPECT_EQ(cache.clear(), 0u); });
  is_removed_by([&] { // nothing but a look at the environment, as when a device is made
    setenv("TEGULA_CACHE_DIR", directory.c_str(), 1);
    EXPECT_FALSE(DiskCache::from_environment()->find("killed"));
    unsetenv("TEGULA_CACHE_DIR");
  });
}

TEST_F(DiskCacheTest, WhatSomebodyWritesIsNotRemoved) {
  const DiskCache cache(directory, much);
  const fs::path path = directory / "tegula-abcdef.writing";
  write(path, "half an entry");
  const int file = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  cache.store("one", "1");
  EXPECT_EQ(cache.clear(), 1u);
  EXPECT_TRUE(fs::exists(path));
  ::close(file);
  cache.clear();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(DiskCacheTest, AnEntryBelongsToItsKey) {
  const DiskCache cache(directory, much);
  cache.store("one", "1");
  const fs::path one = files().at(0);
  cache.store("two", "2");
  const std::vector<fs::path> both = files();
  const fs::path two = both.at(0) == one ? both.at(1) : both.at(0);
  fs::rename(one, two);
  EXPECT_FALSE(cache.find("two")) << "another kernel's";
  EXPECT_FALSE(cache.find("one"));
}

TEST_F(DiskCacheTest, OnlyPlainFilesOfTheUserAreBelieved) {
  const DiskCache cache(directory, much);
  cache.store("key", "bytes");
  const fs::path path = files().at(0), other = directory / "elsewhere";
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(cache.find("key")) << "others could have written it";
  EXPECT_TRUE(fs::exists(path)) << "and it is not ours to remove";
  fs::permissions(path, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_EQ(cache.find("key"), "bytes");
  fs::rename(path, other);
  fs::create_symlink(other, path);
  EXPECT_FALSE(cache.find("key")) << "a link";
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("key")) << "a pipe, for which nobody waits";
  fs::remove(path);
  write(path, "");
  fs::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_FALSE(cache.find("key")) << "a terabyte, for which there is no memory";
  cache.store("key", "again");
  EXPECT_EQ(cache.find("key"), "again");
}

TEST_F(DiskCacheTest, ForeignFilesStay) {
  const DiskCache cache(directory, 100);
  const fs::path mine[] = {directory / "linux.kernel", directory / "notes.writing", directory / (std::string(64, 'A') + ".kernel")};
  for (const fs::path& path : mine)
    write(path, std::string(1000, 'x'));
  for (const fs::path& path : mine)
    make_older(path, std::chrono::minutes(100));
  cache.store("one", std::string(90, 'x'));
  cache.store("two", std::string(90, 'x'));
  cache.clear();
  for (const fs::path& path : mine)
    EXPECT_TRUE(fs::exists(path)) << path;
}

TEST_F(DiskCacheTest, TheLeastRecentlyUsedGoFirst) {
  const std::string bytes(1000, 'x');
  const DiskCache cache(directory, 3500);
  std::set<fs::path> known;
  for (const char* key : {"first", "second", "third"}) {
    cache.store(key, bytes);
    for (const fs::path& path : files())
      make_older(path, std::chrono::minutes(1));
  }
  EXPECT_TRUE(cache.find("first")); // used now
  cache.store("fourth", bytes);
  EXPECT_TRUE(cache.find("first"));
  EXPECT_FALSE(cache.find("second"));
  EXPECT_TRUE(cache.find("third"));
  EXPECT_TRUE(cache.find("fourth"));
  DiskCache(directory, 10).store("large", bytes);
  EXPECT_EQ(files().size(), 0u);
}

TEST_F(DiskCacheTest, SumsUpAndClears) {
  const DiskCache cache(directory, much);
  EXPECT_EQ(cache.summary().entries, 0u);
  EXPECT_FALSE(cache.summary().newest);
  cache.store("one", "1");
  cache.store("two", "22");
  write(directory / "tegula-abcdef.writing", "half an entry");
  write(directory / "notes.txt", "not ours");
  const DiskCache::Summary summary = cache.summary();
  EXPECT_EQ(summary.entries, 2u);
  EXPECT_EQ(summary.bytes, 2 * (56 + 3) + 3u);
  EXPECT_TRUE(summary.newest);
  EXPECT_EQ(cache.clear(), 2u);
  EXPECT_EQ(files(), std::vector<fs::path>{directory / "notes.txt"});
}

TEST_F(DiskCacheTest, WorksWithoutAFolderThatCanBeWritten) {
  write(directory / "file", "in the way");
  const DiskCache cache(directory / "file" / "folder", much);
  testing::internal::CaptureStderr();
  cache.store("key", "bytes");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.summary().entries, 0u);
  EXPECT_EQ(cache.clear(), 0u);
  setenv("TEGULA_CACHE_VERBOSE", "1", 1);
  testing::internal::CaptureStderr();
  cache.store("key", "bytes");
  cache.store("key", "bytes");
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("TEGULA_CACHE_VERBOSE");
  EXPECT_EQ(said, "tegula: kernels are not kept in '" + (directory / "file" / "folder").string() +
                      "': the folder cannot be made: Not a directory\n")
      << "once";
}

TEST_F(DiskCacheTest, TheEnvironmentSaysWhere) {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  set("TEGULA_CACHE_DIR", "/a");
  set("XDG_CACHE_HOME", "/b");
  EXPECT_EQ(DiskCache::from_environment()->directory(), "/a");
  unsetenv("TEGULA_CACHE_DIR");
  EXPECT_EQ(DiskCache::from_environment()->directory(), "/b/tegula");
  unsetenv("XDG_CACHE_HOME");
  set("HOME", "/c");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(DiskCache::from_environment()->directory(), "/c/.cache/tegula") << "not below the working directory";
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(DiskCache::from_environment()->directory(), "/c/.cache/tegula");
  unsetenv("HOME");
  EXPECT_FALSE(DiskCache::from_environment());
  set("HOME", home);
  set("TEGULA_CACHE_LIMIT", "many");
  EXPECT_MESSAGE(DiskCache::from_environment(),
                 "TEGULA_CACHE_LIMIT is 'many'; set it to a number of bytes from 0 to 18446744073709551615, or unset it");
  unsetenv("TEGULA_CACHE_LIMIT");
  set("TEGULA_CACHE", "off");
  EXPECT_FALSE(DiskCache::from_environment());
  set("TEGULA_CACHE", "no");
  EXPECT_MESSAGE(DiskCache::from_environment(), "TEGULA_CACHE is 'no'; set it to on or off, or unset it");
  unsetenv("TEGULA_CACHE");
}

TEST(KernelBytes, ComeBackAsTheyWere) {
  GpuKernel kernel = code("entry");
  kernel.shared_bytes = 70000;
  kernel.sites = {{Site::Kind::print, {"a.cpp", 3, 5}, "x =", {{DType::f32, {}}, {DType::i32, {2, 3}}}},
                  {Site::Kind::claim, {"b.cpp", 1, 2}, "", {}, 4}};
  kernel.claimed = {4, 5};
  kernel.covered_checked = {5};
  kernel.image = std::string("c\0de", 4);
  const std::string bytes = pack_kernel(kernel);
  const auto packed = unpack_kernel(bytes);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->image, std::string("c\0de", 4));
  EXPECT_EQ(packed->entry, "entry");
  EXPECT_EQ(packed->ptx, kernel.ptx);
  EXPECT_EQ(packed->target, "sm_90a");
  EXPECT_EQ(packed->threads, 128);
  EXPECT_EQ(packed->shared_bytes, 70000);
  EXPECT_EQ(packed->claimed, kernel.claimed);
  EXPECT_EQ(packed->covered_checked, kernel.covered_checked);
  ASSERT_EQ(packed->sites.size(), 2u);
  EXPECT_EQ(packed->sites[0].location.column, 5u);
  EXPECT_EQ(packed->sites[0].values, kernel.sites[0].values);
  EXPECT_EQ(packed->sites[1].kind, Site::Kind::claim);
  EXPECT_EQ(packed->sites[1].parameter, 4);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(unpack_kernel(bytes.substr(0, size))) << size;
  EXPECT_FALSE(unpack_kernel(bytes + "x"));
}

class StoredKernels : public DiskCacheTest {
protected:
  StoredKernels() { setenv("TEGULA_CACHE_DIR", directory.c_str(), 1); }
  ~StoredKernels() override { unsetenv("TEGULA_CACHE_DIR"); }
  /// Launches on a device of its own, as another process would.
  static void launch(const auto& kernel, fake::DriverOptions options = {}) {
    const Device d = fake::gpu(options);
    EXPECT_EQ(kernel(Tensor<i32, 1>::zeros(d, {2})).sync().to_host(), (std::vector<i32>{1, 2}));
  }
};

TEST_F(StoredKernels, AHitCompilesAndAssemblesNothing) {
  const auto k = counter("gpu stored");
  launch(k);
  EXPECT_EQ(fake::calls("cuLinkComplete"), 1);
  launch(k);
  EXPECT_EQ(fake::calls("cuLinkCreate_v2"), 0);
  EXPECT_EQ(fake::compiled("gpu stored").size(), 1u);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(StoredKernels, WhateverDiffersIsAMiss) {
  launch(counter("gpu different"));
  launch(counter("gpu different", {.warps = 2}));
  launch(counter("gpu different"), {.version = 12050});
  launch(counter("gpu different"), {.major = 8});
  EXPECT_EQ(files().size(), 4u);
  setenv("TEGULA_CACHE", "off", 1);
  launch(counter("gpu different"));
  EXPECT_EQ(fake::calls("cuLinkComplete"), 1);
  unsetenv("TEGULA_CACHE");
}

TEST_F(StoredKernels, WhatIsDamagedOrRefusedIsMadeAgain) {
  const auto k = counter("gpu damaged");
  launch(k);
  write(files().at(0), "nonsense");
  launch(k);
  EXPECT_EQ(fake::calls("cuLinkComplete"), 1);
  const Device d = fake::gpu();
  fake::fail_call("cuModuleLoadDataEx", 209);
  EXPECT_EQ(k(Tensor<i32, 1>::zeros(d, {1})).sync().size(), 1);
  EXPECT_EQ(fake::calls("cuLinkComplete"), 1);
  EXPECT_EQ(fake::calls("cuModuleLoadDataEx"), 2);
  launch(k);
  EXPECT_EQ(fake::calls("cuLinkComplete"), 0);
}

} // namespace

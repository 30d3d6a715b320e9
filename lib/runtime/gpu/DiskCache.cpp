#include "lib/runtime/gpu/DiskCache.h"
#include "lib/runtime/Environment.h"
#include "lib/trace/Sha256.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::gpu {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view entry_ending = ".kernel", temporary_beginning = "tegula-", temporary_ending = ".writing";
constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;

/// Before an entry's key and its bytes.
struct Header {
  char magic[8] = {'T', 'E', 'G', 'U', 'L', 'A', 'K', '3'};
  std::uint64_t key_bytes = 0, bytes = 0;
  Digest checksum{}; // of both
};
constexpr std::uint64_t largest_entry = std::uint64_t{1} << 30;

class File {
public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool write(const void* data, std::size_t bytes) const {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t n = ::write(descriptor_, from, bytes);
      if (n <= 0)
        return false;
      from += n;
      bytes -= static_cast<std::size_t>(n);
    }
    return true;
  }
  /// A plain file of this user's, or of root's, that nobody else can write: nothing else is believed, or removed.
  bool is_ours() const {
    struct stat status{};
    return ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode) && (status.st_uid == ::geteuid() || status.st_uid == 0) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && static_cast<std::uint64_t>(status.st_size) <= largest_entry;
  }
  std::string read_all() const {
    std::string text;
    struct stat status{};
    if (::fstat(descriptor_, &status) == 0)
      text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t n = ::read(descriptor_, text.data() + done, text.size() - done);
      if (n <= 0)
        break;
      done += static_cast<std::size_t>(n);
    }
    text.resize(done);
    return text;
  }

private:
  int descriptor_;
};

/// Without waiting for a pipe, and without following a link.
File open_entry(const fs::path& path) { return File(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)); }

bool is_ours(const fs::path& path) {
  const File file = open_entry(path);
  return file && file.is_ours();
}
/// Whether a file has the name of an entry, or of one that is being written: others in the folder are none of our business.
bool is_entry(const fs::path& path) {
  const std::string stem = path.stem().string();
  return path.extension() == entry_ending && stem.size() == 2 * sizeof(Digest) &&
         stem.find_first_not_of("0123456789abcdef") == std::string::npos && is_ours(path);
}
bool has_temporary_name(const fs::path& path) {
  const std::string stem = path.stem().string();
  return path.extension() == temporary_ending && stem.starts_with(temporary_beginning) &&
         stem.size() == temporary_beginning.size() + 6;
}
/// A new file that is locked, or -1. `name` is the pattern, and becomes its name.
int make_temporary(std::string& name) {
  const std::string pattern = name;
  while (true) {
    const int file = ::mkostemps((name = pattern).data(), static_cast<int>(temporary_ending.size()), O_CLOEXEC);
    if (file < 0)
      return file;
    struct stat status{};
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 ? ::fstat(file, &status) == 0 && status.st_nlink > 0 : errno != EWOULDBLOCK)
      return file;
    ::close(file); // it was taken for a leftover before it was locked
  }
}
/// Who writes a file has it locked until he ends, however he does: what is not locked was left behind.
void remove_leftovers(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    if (!has_temporary_name(it->path()))
      continue;
    if (const File file = open_entry(it->path()); file && file.is_ours() && ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0)
      ::unlink(it->path().c_str());
  }
}

/// Once per process, and only for those who ask.
void report(const fs::path& directory, const char* what) {
  static std::atomic<bool> reported{false};
  const char* verbose = std::getenv("TEGULA_CACHE_VERBOSE");
  if (verbose && *verbose && !reported.exchange(true))
    std::fprintf(stderr, "tegula: kernels are not kept in '%s': %s: %s\n", directory.c_str(), what, std::strerror(errno));
}

struct Entry {
  fs::path path;
  std::uint64_t bytes;
  fs::file_time_type used;
};

/// The entries, without what dead processes left.
std::vector<Entry> list(const fs::path& directory) {
  remove_leftovers(directory);
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone; // another process may remove what we see
    const fs::file_time_type used = it->last_write_time(gone);
    if (gone || !is_entry(it->path()))
      continue;
    const std::uintmax_t bytes = it->file_size(gone);
    if (!gone)
      entries.push_back({it->path(), bytes, used});
  }
  return entries;
}

std::uint64_t limit_from_environment() {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return runtime::number("TEGULA_CACHE_LIMIT", 0, most, "a number of bytes").value_or(default_limit);
}

} // namespace

std::optional<DiskCache> DiskCache::from_environment() {
  if (runtime::choice("TEGULA_CACHE", {"on", "off"}) == "off")
    return std::nullopt;
  // A relative folder of the user's directories counts as none, as the specification of them says: it would be another one in
  // every working directory.
  const auto absolute = [](const char* name) {
    fs::path path = runtime::setting(name).value_or("");
    return path.is_absolute() ? path : fs::path();
  };
  fs::path directory = runtime::setting("TEGULA_CACHE_DIR").value_or("");
  if (directory.empty()) {
    if (const fs::path cache = absolute("XDG_CACHE_HOME"); !cache.empty())
      directory = cache / "tegula";
    else if (const fs::path home = absolute("HOME"); !home.empty())
      directory = home / ".cache" / "tegula";
    else
      return std::nullopt;
  }
  DiskCache cache(std::move(directory), limit_from_environment());
  remove_leftovers(cache.directory());
  return cache;
}

fs::path DiskCache::path_of(std::string_view key) const { return directory_ / (hex(sha256(key)) + std::string(entry_ending)); }

std::optional<std::string> DiskCache::find(std::string_view key) const {
  const fs::path path = path_of(key);
  std::string text;
  {
    const File file = open_entry(path);
    if (!file || !file.is_ours())
      return std::nullopt;
    text = file.read_all();
    ::futimens(file.descriptor(), nullptr); // used now
  }
  Header header;
  const Header expected;
  if (text.size() >= sizeof header) {
    std::memcpy(&header, text.data(), sizeof header);
    text.erase(0, sizeof header);
    if (std::memcmp(header.magic, expected.magic, sizeof header.magic) == 0 && header.key_bytes == key.size() &&
        header.bytes == text.size() - std::min(text.size(), key.size()) && text.starts_with(key) &&
        header.checksum == sha256(text)) {
      text.erase(0, key.size());
      return text;
    }
  }
  remove(key);
  return std::nullopt;
}

void DiskCache::remove(std::string_view key) const noexcept {
  if (const fs::path path = path_of(key); is_ours(path))
    ::unlink(path.c_str());
}

void DiskCache::store(std::string_view key, std::string_view bytes) const {
  if (sizeof(Header) + key.size() + bytes.size() > largest_entry)
    return; // it would not be read
  std::error_code error;
  fs::create_directories(directory_.parent_path(), error);
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    return report(directory_, "the folder cannot be made");
  const std::string both = std::string(key) + std::string(bytes);
  Header header;
  header.key_bytes = key.size();
  header.bytes = bytes.size();
  header.checksum = sha256(both);
  const fs::path path = path_of(key); // what may throw comes before there is a file
  std::string temporary = (directory_ / (std::string(temporary_beginning) + "XXXXXX" + std::string(temporary_ending))).string();
  {
    const File file(make_temporary(temporary));
    if (!file)
      return report(directory_, "no file can be made in it");
    if (!file.write(&header, sizeof header) || !file.write(both.data(), both.size()) || ::fsync(file.descriptor()) != 0 ||
        ::rename(temporary.c_str(), path.c_str()) != 0) {
      report(directory_, "a file cannot be written");
      ::unlink(temporary.c_str());
      return;
    }
  }
  keep_to_limit();
}

void DiskCache::keep_to_limit() const {
  std::vector<Entry> entries = list(directory_);
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries)
    bytes += entry.bytes;
  if (bytes <= limit_)
    return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (bytes <= limit_)
      return;
    std::error_code gone;
    fs::remove(entry.path, gone);
    bytes -= entry.bytes;
  }
}

DiskCache::Summary DiskCache::summary() const {
  Summary summary;
  for (const Entry& entry : list(directory_)) {
    ++summary.entries;
    summary.bytes += entry.bytes;
    summary.newest = std::max(entry.used, summary.newest.value_or(entry.used));
  }
  return summary;
}

std::uint64_t DiskCache::clear() const {
  const std::vector<Entry> entries = list(directory_);
  for (const Entry& entry : entries) {
    std::error_code gone;
    fs::remove(entry.path, gone);
  }
  return entries.size();
}

} // namespace tegula::gpu

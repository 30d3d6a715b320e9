#include "lib/runtime/gpu/DiskCache.h"
#include "lib/trace/Sha256.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::gpu {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view entry_ending = ".kernel", temporary_ending = ".writing";
constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;
/// A file that is being written for longer belongs to a process that died.
constexpr std::chrono::minutes longest_write{10};

/// Before the bytes of an entry.
struct Header {
  char magic[8] = {'T', 'E', 'G', 'U', 'L', 'A', 'K', '2'};
  std::uint64_t bytes = 0;
  Digest checksum{};
};

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

/// The entries; leftovers that are older than `leftover_age` are removed on the way.
std::vector<Entry> list(const fs::path& directory, std::chrono::minutes leftover_age) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone; // another process may remove what we see
    const fs::file_time_type used = it->last_write_time(gone);
    if (gone)
      continue;
    if (it->path().extension() == temporary_ending) {
      if (fs::file_time_type::clock::now() - used >= leftover_age)
        fs::remove(it->path(), gone);
    } else if (it->path().extension() == entry_ending) {
      const std::uintmax_t bytes = it->file_size(gone);
      if (!gone)
        entries.push_back({it->path(), bytes, used});
    }
  }
  return entries;
}

std::uint64_t limit_from_environment() {
  const char* text = std::getenv("TEGULA_CACHE_LIMIT");
  if (!text || !*text)
    return default_limit;
  std::uint64_t limit = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, limit);
  if (error != std::errc{} || stop != end)
    throw Error("TEGULA_CACHE_LIMIT is '" + std::string(text) + "'; set it to a number of bytes, or unset it");
  return limit;
}

} // namespace

std::optional<DiskCache> DiskCache::from_environment() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text ? text : "");
  };
  if (value("TEGULA_CACHE") == "off")
    return std::nullopt;
  fs::path directory = value("TEGULA_CACHE_DIR");
  if (directory.empty()) {
    if (const std::string cache = value("XDG_CACHE_HOME"); !cache.empty())
      directory = fs::path(cache) / "tegula";
    else if (const std::string home = value("HOME"); !home.empty())
      directory = fs::path(home) / ".cache" / "tegula";
    else
      return std::nullopt;
  }
  return DiskCache(std::move(directory), limit_from_environment());
}

fs::path DiskCache::path_of(std::string_view key) const { return directory_ / (hex(sha256(key)) + std::string(entry_ending)); }

std::optional<std::string> DiskCache::find(std::string_view key) const {
  const fs::path path = path_of(key);
  std::string text;
  {
    const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
      return std::nullopt;
    text = file.read_all();
    ::futimens(file.descriptor(), nullptr); // used now
  }
  Header header;
  const Header expected;
  if (text.size() >= sizeof header) {
    std::memcpy(&header, text.data(), sizeof header);
    text.erase(0, sizeof header);
    if (std::memcmp(header.magic, expected.magic, sizeof header.magic) == 0 && header.bytes == text.size() &&
        header.checksum == sha256(text))
      return text;
  }
  remove(key);
  return std::nullopt;
}

void DiskCache::remove(std::string_view key) const noexcept { ::unlink(path_of(key).c_str()); }

void DiskCache::store(std::string_view key, std::string_view bytes) const {
  std::error_code error;
  fs::create_directories(directory_.parent_path(), error);
  if (::mkdir(directory_.c_str(), 0700) != 0 && errno != EEXIST)
    return report(directory_, "the folder cannot be made");
  std::string temporary = (directory_ / ("XXXXXX" + std::string(temporary_ending))).string();
  bool whole = false;
  {
    const File file(::mkostemps(temporary.data(), static_cast<int>(temporary_ending.size()), O_CLOEXEC));
    if (!file)
      return report(directory_, "no file can be made in it");
    Header header;
    header.bytes = bytes.size();
    header.checksum = sha256(bytes);
    whole = file.write(&header, sizeof header) && file.write(bytes.data(), bytes.size()) && ::fsync(file.descriptor()) == 0;
  }
  if (!whole || ::rename(temporary.c_str(), path_of(key).c_str()) != 0) {
    report(directory_, "a file cannot be written");
    ::unlink(temporary.c_str());
    return;
  }
  keep_to_limit();
}

void DiskCache::keep_to_limit() const {
  std::vector<Entry> entries = list(directory_, longest_write);
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
  for (const Entry& entry : list(directory_, longest_write)) {
    ++summary.entries;
    summary.bytes += entry.bytes;
    summary.newest = std::max(entry.used, summary.newest.value_or(entry.used));
  }
  return summary;
}

std::uint64_t DiskCache::clear() const {
  const std::vector<Entry> entries = list(directory_, std::chrono::minutes(0));
  for (const Entry& entry : entries) {
    std::error_code gone;
    fs::remove(entry.path, gone);
  }
  return entries.size();
}

} // namespace tegula::gpu

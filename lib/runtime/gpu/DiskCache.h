// A folder of files that outlive the process: bytes by key.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::gpu {

/// Safe for many processes and threads at once: entries appear whole or not at all. Nothing here fails: what cannot be read is not
/// there, and what cannot be written is not kept.
class DiskCache {
public:
  /// When the entries take more than `limit` bytes, those that were used least recently go.
  DiskCache(std::filesystem::path directory, std::uint64_t limit) : directory_(std::move(directory)), limit_(limit) {}

  /// As the environment says: TEGULA_CACHE_DIR, else $XDG_CACHE_HOME/tegula, else ~/.cache/tegula; at most TEGULA_CACHE_LIMIT
  /// bytes, else 1 GiB. Nothing with TEGULA_CACHE=off, or where no folder is named. Throws an Error for a limit that is no number.
  static std::optional<DiskCache> from_environment();

  /// What was stored under the key. Damaged entries are removed.
  std::optional<std::string> find(std::string_view key) const;
  void store(std::string_view key, std::string_view bytes) const;
  void remove(std::string_view key) const noexcept;

  struct Summary {
    std::uint64_t entries = 0, bytes = 0;
    std::optional<std::filesystem::file_time_type> newest; // of the last use
  };
  Summary summary() const;
  /// Removes every entry, and what crashed processes left behind. Returns how many entries there were.
  std::uint64_t clear() const;
  const std::filesystem::path& directory() const noexcept { return directory_; }
  std::uint64_t limit() const noexcept { return limit_; }

private:
  std::filesystem::path path_of(std::string_view key) const;
  void keep_to_limit() const;

  std::filesystem::path directory_;
  std::uint64_t limit_;
};

} // namespace tegula::gpu

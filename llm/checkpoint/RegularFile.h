// A file that is open for reading: what every reader of a folder begins with.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace tegula::llm {

/// A plain file (a link to one is followed: download caches are made of links), never a pipe, a device or a folder.
class RegularFile {
public:
  /// Throws an Error that names the file and says what is in the way.
  explicit RegularFile(std::filesystem::path path);
  RegularFile(RegularFile&&) noexcept;
  RegularFile& operator=(RegularFile&&) noexcept;
  ~RegularFile();

  const std::filesystem::path& path() const noexcept { return path_; }
  int descriptor() const noexcept { return descriptor_; }
  /// When it was opened.
  std::uint64_t size() const noexcept { return size_; }
  /// All of it. Throws if it has more than `limit` bytes, or changes meanwhile.
  std::string read_all(std::uint64_t limit) const;
  /// Throws if the file has been written or cut since it was opened, as far as the system tells.
  void check_unchanged() const;

private:
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_;
  std::int64_t modified_; // in nanoseconds
};

/// Whether there is anything of this name, be it a link that leads nowhere.
bool is_there(const std::filesystem::path& path);

} // namespace tegula::llm

// A file as memory.
#pragma once
#include "llm/checkpoint/RegularFile.h"

#include <cstddef>
#include <span>

namespace tegula::llm {

/// The bytes of a file, read only, mapped: they come from the disk when they are first touched, and cost no memory of their own.
///
/// Whoever touches a byte that is not in the file any more, because somebody cut it, or that the disk fails to deliver, gets the
/// signal SIGBUS, and the process ends. `load` makes errors of both. What remains is what happens between `load` and the use of the
/// bytes: a file that is cut, or a page that was dropped for want of memory and cannot be read again. Files that are replaced by
/// renaming a new one over them are safe: the mapping keeps the old one.
class MappedFile {
public:
  explicit MappedFile(std::filesystem::path path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();

  const std::filesystem::path& path() const noexcept { return file_.path(); }
  /// They begin at a page. The same after a move of this object.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Asks the system to read a part of `bytes()` from the disk, and does not wait for it.
  void will_need(std::span<const std::byte> part) const noexcept;
  /// Has a part of `bytes()` read, and mapped, before it returns. To stream a large tensor, call it for some megabytes at a time,
  /// and `will_need` for those after them. Throws an Error if the file was changed, or the disk fails.
  void load(std::span<const std::byte> part) const;

private:
  RegularFile file_;
  std::span<const std::byte> bytes_;
};

} // namespace tegula::llm

#include "llm/checkpoint/RegularFile.h"
#include "tegula/error.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tegula::llm {
namespace {

[[noreturn]] void cannot(const std::filesystem::path& path, const char* what) {
  const int reason = errno;
  throw Error(path.string() + ": cannot be " + what + ": " + std::strerror(reason));
}

std::int64_t modified(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

} // namespace

RegularFile::RegularFile(std::filesystem::path path)
    : path_(std::move(path)), // without waiting for the other end of a pipe
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0)
    cannot(path_, "opened");
  struct stat status{};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw Error(path_.string() + ": is " + (known && S_ISDIR(status.st_mode) ? "a folder" : "no plain file") +
                "; it must be a plain file, or a link to one");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  modified_ = modified(status);
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_),
      modified_(other.modified_) {}

RegularFile& RegularFile::operator=(RegularFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(modified_, other.modified_);
  return *this;
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

std::string RegularFile::read_all(std::uint64_t limit) const {
  if (size_ > limit)
    throw Error(path_.string() + ": has " + std::to_string(size_) + " bytes; at most " + std::to_string(limit) +
                " are read of a file of this kind");
  std::string text(size_, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno != EINTR)
      cannot(path_, "read");
    if (n == 0)
      break; // it was cut, as the check below finds
    done += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  check_unchanged();
  return text;
}

void RegularFile::check_unchanged() const {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0)
    cannot(path_, "examined");
  if (static_cast<std::uint64_t>(status.st_size) != size_ || modified(status) != modified_)
    throw Error(path_.string() + ": was changed while it was in use (" + std::to_string(size_) + " bytes when it was opened, " +
                std::to_string(status.st_size) +
                " now); start again, and replace such files by renaming new ones over them, not by writing into them");
}

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::not_found;
}

} // namespace tegula::llm

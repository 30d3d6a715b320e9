#include "llm/checkpoint/MappedFile.h"
#include "tegula/error.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace tegula::llm {
namespace {

/// The pages that a part lies in.
std::span<std::byte> pages_of(std::span<const std::byte> part) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(part.data());
  auto* begin = const_cast<std::byte*>(part.data()) - first % page;
  return {begin, part.size() + first % page};
}

} // namespace

MappedFile::MappedFile(std::filesystem::path path) : file_(std::move(path)) {
  if (file_.size() == 0)
    return; // there is nothing to map, and the system refuses to
  void* memory = ::mmap(nullptr, file_.size(), PROT_READ, MAP_SHARED, file_.descriptor(), 0);
  if (memory == MAP_FAILED) {
    const int reason = errno;
    throw Error(file_.path().string() + ": its " + std::to_string(file_.size()) +
                " bytes cannot be mapped: " + std::strerror(reason));
  }
  bytes_ = {static_cast<const std::byte*>(memory), file_.size()};
  ::madvise(memory, file_.size(), MADV_SEQUENTIAL);
}

MappedFile::MappedFile(MappedFile&& other) noexcept : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty())
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void MappedFile::will_need(std::span<const std::byte> part) const noexcept {
  if (part.empty())
    return;
  const std::span<std::byte> pages = pages_of(part);
  ::madvise(pages.data(), pages.size(), MADV_WILLNEED);
}

void MappedFile::load(std::span<const std::byte> part) const {
  const std::span<std::byte> pages = part.empty() ? std::span<std::byte>() : pages_of(part);
  int failed = 0;
  do {
    failed = pages.empty() || ::madvise(pages.data(), pages.size(), MADV_POPULATE_READ) == 0 ? 0 : errno;
  } while (failed == EINTR || failed == EAGAIN);
  // Even if nothing failed: what is behind the end of a file that was cut, but on its last page, reads as zeros.
  file_.check_unchanged();
  if (failed == EINVAL) // before Linux 5.14
    will_need(part);
  else if (failed != 0)
    throw Error(file_.path().string() + ": " + std::to_string(part.size()) + " bytes from byte " +
                std::to_string(part.data() - bytes_.data()) + " on cannot be read: " + std::strerror(failed) +
                "; the disk or its connection may be failing");
}

} // namespace tegula::llm

// Where the programs of a queue's launches leave what they say: memory of the host that the device writes by itself.
#pragma once
#include "lib/abi/GpuMessages.h"
#include "lib/runtime/gpu/Context.h"

#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

namespace tegula::gpu {

/// Thread-safe. Pieces are handed out one behind the other, and come back in about that order. Grows when all of it is in use.
class Ring {
  struct Memory;

public:
  explicit Ring(const Context& context) : context_(context) {}
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring();

  /// A header, ready for a launch, and room for records behind it, which are zeros. What the device writes there is not trusted.
  class Piece {
  public:
    Piece() noexcept = default;
    Piece(Piece&& other) noexcept { *this = std::move(other); }
    Piece& operator=(Piece&& other) noexcept {
      std::swap(ring_, other.ring_);
      std::swap(memory_, other.memory_);
      std::swap(header_, other.header_);
      std::swap(capacity_, other.capacity_);
      std::swap(is_known_, other.is_known_);
      return *this;
    }
    /// When no launch writes to it any more.
    ~Piece();

    explicit operator bool() const noexcept { return header_ != nullptr; }
    GpuMessagesHeader& header() const noexcept { return *header_; }
    std::size_t capacity() const noexcept { return capacity_; }
    std::size_t bytes() const noexcept { return header_ ? sizeof *header_ + capacity_ : 0; }
    /// What was written.
    std::span<std::byte> records() const noexcept;
    /// Whether the header tells how much was written: not while another one stands for it.
    void set_known(bool is_known) noexcept { is_known_ = is_known; }

  private:
    friend class Ring;
    Ring* ring_ = nullptr;
    Memory* memory_ = nullptr;
    GpuMessagesHeader* header_ = nullptr;
    std::size_t capacity_ = 0;
    bool is_known_ = true;
  };
  /// `capacity`: bytes for records, a multiple of `gpu_message_alignment`. False if there is no memory.
  Piece take(std::size_t capacity);

private:
  struct Used {
    std::size_t begin, end;
    bool is_free = false;
  };
  struct Memory {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::deque<Used> used; // from the oldest to the newest, which may have begun at 0 again
    /// Where so many bytes are free, if they are.
    std::optional<std::size_t> room(std::size_t wanted) const noexcept;
  };
  bool grow(std::size_t bytes);
  void give_back(Memory&, const std::byte* piece) noexcept;
  void unpin(const Memory&) noexcept;

  const Context& context_;
  std::mutex mutex_;
  std::list<Memory> memory_; // the last is the ring; others wait for their pieces
};

} // namespace tegula::gpu

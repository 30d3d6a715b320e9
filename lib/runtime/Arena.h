// Memory for what lives only while a graph runs: one node's memory is another's, once nobody needs it any more.
#pragma once
#include "lib/runtime/Control.h"
#include "lib/runtime/NodeSet.h"

#include <memory>
#include <mutex>

namespace tegula::host {

class Recording;

/// Shared by graphs that never run at once. Ranges are dealt out while one of them is recorded, and come back when the tensor is
/// gone; the range then remembers which nodes used it.
class Arena {
public:
  explicit Arena(DeviceState& device) : device_(device) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // With `mutex` held.
  /// Memory that only nodes have used that are among these: who comes after them need not wait for others. Unwritten; one owner.
  static Control* allocate(const std::shared_ptr<Arena>&, std::size_t bytes, const NodeSet& done);
  /// The memory that all is dealt out from.
  const std::vector<Control*>& chunks() const noexcept { return chunks_; }
  /// Whose nodes use the memory from now on, one at a time. Whether others have used it before.
  bool attach(Recording*);
  void detach(const Recording* recording) noexcept {
    if (recording_ == recording)
      recording_ = nullptr;
  }

  /// Of memory whose last owner is gone.
  void give_back(Control&) noexcept;

  std::mutex mutex; // taken before a device's `submitting`

private:
  struct Range {
    Control* chunk;
    std::size_t offset, bytes;
    NodeSet users;
    std::size_t end() const noexcept { return offset + bytes; }
  };
  /// Neighbours in one chunk. Without bytes, none.
  struct Run {
    std::size_t first = 0, bytes = 0;
  };
  Run find(std::size_t bytes, const NodeSet& done) const;
  void add_chunk(std::size_t bytes);
  void add_range(Range);

  DeviceState& device_; // which the chunks keep
  Recording* recording_ = nullptr;
  bool used_ = false; // by a recording
  std::vector<Control*> chunks_;
  std::vector<Range> free_; // by chunk and offset
};

} // namespace tegula::host

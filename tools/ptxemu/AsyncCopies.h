#pragma once

// Copies that a thread has started and not waited for.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "tools/ptxemu/TensorMap.h"

namespace ptxemu {

struct Copy {
  enum class Kind : std::uint8_t { to_shared, to_global, reduce };
  Kind kind = Kind::to_shared;
  std::uint64_t shared = 0, global = 0;
  std::uint32_t bytes = 0;  // of the destination
  std::uint32_t source = 0; // of the source; the rest is zeros
  std::uint32_t pc = 0;
  std::uint8_t type = 0, operation = 0; // of a reduction
  bool read = false;                    // the source may change again
  std::vector<std::uint8_t> data;       // of a store: what the source holds
  std::shared_ptr<TensorBox> tensor;    // what it writes, if not plain memory
};

// The groups of cp.async, or of cp.async.bulk, of one thread.
struct CopyGroups {
  std::vector<Copy> open;
  std::deque<std::vector<Copy>> committed;
  bool empty() const { return open.empty() && committed.empty(); }
  void clear() { open.clear(), committed.clear(); }
};

} // namespace ptxemu

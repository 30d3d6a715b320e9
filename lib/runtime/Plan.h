// What a launch finds out that depends on the shapes of its arguments alone, kept for the next one that is alike.
#pragma once
#include "lib/runtime/DeviceState.h"
#include "lib/trace/Record.h"
#include "tegula/host/op.hpp"

#include <array>
#include <mutex>
#include <span>
#include <vector>

namespace tegula::host {

/// What a launch asks of each parameter, at a glance.
struct ParameterFacts {
  u8 rank; // of a view
  bool is_view, is_output;
  bool is_only_written; // it may be given memory without values
  bool keeps;           // some of what it holds after the launch may be what it held before, or come of it
  bool is_index;        // an output whose values are certified
  bool is_decisive;     // a launch condition is about its value
};

/// Everything that the number of programs, the launch conditions and the code depend on: extents, strides and alignment of each
/// view, bounds of certificates, scalars that conditions are about, the number of programs that was asked for, and the device.
class PlanKey {
public:
  PlanKey(const DeviceState& device, i64 asked) noexcept {
    add(device.id);
    add(asked);
  }
  void add(const ParameterFacts&, const Argument&) noexcept;
  /// Launches of so many and such large arguments are planned anew each time.
  bool fits() const noexcept { return fits_; }
  std::span<const i64> words() const noexcept { return {words_.data(), size_}; }

private:
  void add(i64 word) noexcept {
    if (size_ < words_.size())
      words_[size_++] = word;
    else
      fits_ = false;
  }
  std::array<i64, 160> words_;
  std::size_t size_ = 0;
  bool fits_ = true;
};

struct Plan {
  std::vector<i64> key;
  i64 programs;
  std::shared_ptr<const void> code; // none, if there are no programs
};

/// The plans of one kernel that were used last. Thread-safe.
class Plans {
public:
  std::shared_ptr<const Plan> find(const PlanKey&) noexcept;
  void keep(std::shared_ptr<const Plan>) noexcept;

private:
  std::mutex mutex_;
  std::array<std::shared_ptr<const Plan>, 8> plans_; // enough for a loop over the layers and batches of a model
  std::size_t next_ = 0;
};

} // namespace tegula::host

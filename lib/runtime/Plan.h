// What a launch finds out that depends on the shapes of its arguments alone, kept for the next one that is alike.
#pragma once
#include "lib/abi/ArgumentWords.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/host/op.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace tegula::host {

/// What a launch asks of each parameter, at a glance.
struct ParameterFacts {
  u8 rank; // of a view
  bool is_view, is_output;
  bool is_only_written; // it may be given memory without values
  bool is_covered;      // and has values afterwards
  bool keeps;           // some of what it holds after the launch may be what it held before, or come of it
  bool is_index;        // an output whose values are certified
  bool has_bound;       // an index of either kind
  bool is_decisive;     // a launch condition is about its value
  ArgumentWords words() const noexcept { return {is_view, rank, has_bound}; }
};

/// Everything that the number of programs, the launch conditions and the code depend on: extents, strides and alignment of each
/// view, bounds of certificates, scalars that conditions are about, and the number of programs that was asked for.
struct PlanKey {
  std::span<const i64> words; // as programs read them: see Words.h
  std::span<const i64> masks; // which bits of each word matter
  i64 asked;
};

struct Plan {
  std::vector<i64> words;
  i64 asked;
  i64 programs;
  std::shared_ptr<const void> code; // none, if there are no programs
};

/// Which bits of the words matter to a plan.
std::vector<i64> masks_of(std::span<const ParameterFacts>);

/// The plans of one kernel that were used last, apart for each device.
class Plans {
public:
  Plans() = default;
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
  ~Plans();

  // While the device's `submitting` is held; so what is found stays as long.
  const std::shared_ptr<const Plan>* find(const DeviceState&, const PlanKey&) const noexcept;
  void keep(const DeviceState&, std::shared_ptr<const Plan>);
  /// When the device ends.
  void forget(const DeviceState&) noexcept;

private:
  struct OfDevice {
    i64 device; // its id
    OfDevice* next;
    std::array<std::shared_ptr<const Plan>, 8> plans{}; // enough for a loop over the layers and batches of a model
    std::size_t oldest = 0;
  };
  OfDevice* of(const DeviceState&) const noexcept;
  std::atomic<OfDevice*> first_{nullptr}; // devices are added in front, and never taken away
};

} // namespace tegula::host

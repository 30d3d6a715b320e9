#include "lib/runtime/Plan.h"

#include <algorithm>

namespace tegula::host {

PlanKey::PlanKey(const trace::Record& record, const std::vector<bool>& decisive, const DeviceState& device,
                 const Argument* arguments, i64 asked) noexcept {
  add(device.id);
  add(asked);
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view) {
      if (decisive[i])
        add(static_cast<i64>(arguments[i].scalar));
      continue;
    }
    const ViewData& view = arguments[i].view;
    constexpr std::uintptr_t alignment = 16; // as ViewFacts::aligned asks
    // Before there is memory, it is as good as aligned: it will be.
    add(reinterpret_cast<std::uintptr_t>(view.data) % alignment == 0 ? arguments[i].bound : -1 - arguments[i].bound);
    for (std::size_t axis = 0; axis < parameter.type.shape.size(); ++axis) {
      add(view.extents[axis]);
      add(view.strides[axis]);
    }
  }
}

std::shared_ptr<const Plan> Plans::find(const PlanKey& key) noexcept {
  if (!key.fits())
    return nullptr;
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<const Plan>& plan : plans_)
    if (plan && std::ranges::equal(plan->key, key.words()))
      return plan;
  return nullptr;
}

void Plans::keep(std::shared_ptr<const Plan> plan) noexcept {
  const std::lock_guard lock(mutex_);
  plans_[next_] = std::move(plan);
  next_ = (next_ + 1) % plans_.size();
}

} // namespace tegula::host

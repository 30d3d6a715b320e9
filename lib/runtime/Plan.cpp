#include "lib/runtime/Plan.h"

#include <algorithm>

namespace tegula::host {

void PlanKey::add(const ParameterFacts& facts, const Argument& argument) noexcept {
  if (!facts.is_view) {
    if (facts.is_decisive)
      add(static_cast<i64>(argument.scalar));
    return;
  }
  const ViewData& view = argument.view;
  constexpr std::uintptr_t alignment = 16; // as ViewFacts::aligned asks
  // Before there is memory, it is as good as aligned: it will be.
  add(reinterpret_cast<std::uintptr_t>(view.data) % alignment == 0 ? argument.bound : -1 - argument.bound);
  for (int axis = 0; axis < facts.rank; ++axis) {
    add(view.extents[axis]);
    add(view.strides[axis]);
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

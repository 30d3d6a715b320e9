#include "lib/runtime/Plan.h"

#include <algorithm>

namespace tegula::host {

std::vector<i64> masks_of(std::span<const ParameterFacts> facts) {
  constexpr i64 everything = -1, alignment = 15; // as ViewFacts::aligned asks
  std::vector<i64> masks;
  for (const ParameterFacts& parameter : facts) {
    masks.push_back(parameter.is_view ? alignment : parameter.is_decisive ? everything : 0);
    masks.resize(masks.size() + static_cast<std::size_t>(parameter.words().count()) - 1, everything);
  }
  return masks;
}

static bool is_for(const Plan& plan, const PlanKey& key) noexcept {
  if (plan.asked != key.asked)
    return false;
  i64 differs = 0;
  for (std::size_t i = 0; i < key.words.size(); ++i)
    differs |= (plan.words[i] ^ key.words[i]) & key.masks[i];
  return differs == 0;
}

Plans::~Plans() {
  for (const OfDevice* device = first_; device;)
    delete std::exchange(device, device->next);
}

Plans::OfDevice* Plans::of(const DeviceState& device) const noexcept {
  OfDevice* found = first_.load(std::memory_order_acquire);
  while (found && found->device != device.id)
    found = found->next;
  return found;
}

const std::shared_ptr<const Plan>* Plans::find(const DeviceState& device, const PlanKey& key) const noexcept {
  if (const OfDevice* here = of(device))
    for (const std::shared_ptr<const Plan>& plan : here->plans)
      if (plan && is_for(*plan, key))
        return &plan;
  return nullptr;
}

void Plans::keep(const DeviceState& device, std::shared_ptr<const Plan> plan) {
  OfDevice* here = of(device);
  if (!here) {
    here = new OfDevice{device.id, first_.load(std::memory_order_relaxed)};
    while (!first_.compare_exchange_weak(here->next, here, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  here->plans[here->oldest] = std::move(plan);
  here->oldest = (here->oldest + 1) % here->plans.size();
}

void Plans::forget(const DeviceState& device) noexcept {
  if (OfDevice* here = of(device))
    here->plans.fill(nullptr);
}

} // namespace tegula::host

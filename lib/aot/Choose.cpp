#include "lib/aot/Choose.h"

#include <charconv>
#include <tuple>

namespace tegula::aot {
namespace {

struct Target {
  int capability = 0;      // 90 of sm_90a
  bool is_for_one = false; // ends with a letter
};

Target parse(const std::string& name) {
  constexpr std::size_t prefix = 3; // sm_
  Target target;
  if (name.size() <= prefix)
    return target;
  const char* end = name.data() + name.size();
  target.is_for_one = std::from_chars(name.data() + prefix, end, target.capability).ptr != end;
  return target;
}

/// How much the code takes for granted.
int specificity(const Specialisation& specialisation) {
  int facts = 0;
  for (const ViewFacts& view : specialisation) {
    for (const Stride stride : view.strides)
      facts += stride != Stride::any;
    facts += int{view.aligned} + int{view.whole} + int{view.settled};
  }
  return facts;
}

bool fits(const ViewFacts& code, const ViewFacts& launch) {
  if (code.strides.size() != launch.strides.size() || (code.aligned && !launch.aligned) || (code.whole && !launch.whole) ||
      (code.settled && !launch.settled))
    return false;
  for (std::size_t axis = 0; axis < code.strides.size(); ++axis) {
    // Aligned code takes a stride that it reads for a multiple of 16 bytes, and for one that its copies can be told.
    const bool is_read = code.strides[axis] == Stride::any && !code.aligned;
    if (!is_read && code.strides[axis] != launch.strides[axis])
      return false;
  }
  return true;
}

} // namespace

bool runs_on(const std::string& target, const std::string& device) {
  const Target code = parse(target), gpu = parse(device);
  return code.is_for_one ? target == device : code.capability <= gpu.capability;
}

bool machine_code_runs_on(const std::string& target, const std::string& device) {
  return runs_on(target, device) && parse(target).capability / 10 == parse(device).capability / 10;
}

bool fits(const Specialisation& code, const Specialisation& launch) {
  if (code.size() != launch.size())
    return false;
  for (std::size_t i = 0; i < code.size(); ++i)
    if (!fits(code[i], launch[i]))
      return false;
  return true;
}

const Variant* choose(const std::vector<Variant>& variants, const Identity& kernel, const Specialisation& launch,
                      const GpuOptions& options) {
  const auto rank = [&](const Variant& variant) {
    const Target target = parse(variant.target);
    const bool same_hints =
        variant.warps == options.warps && variant.stages == options.stages && variant.max_regs == options.max_regs;
    return std::tuple(target.capability, target.is_for_one, same_hints, specificity(variant.specialisation));
  };
  const Variant* best = nullptr;
  for (const Variant& variant : variants)
    if (variant.kernel == kernel && runs_on(variant.target, options.target) && fits(variant.specialisation, launch) &&
        (!best || rank(variant) > rank(*best)))
      best = &variant;
  return best;
}

} // namespace tegula::aot

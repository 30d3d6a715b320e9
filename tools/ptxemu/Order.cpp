#include "tools/ptxemu/Order.h"

namespace ptxemu {

void Order::Seen::join(const Seen& other) {
  auto merge = [](std::vector<Clock>& to, const std::vector<Clock>& from) {
    if (to.size() < from.size())
      to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] = std::max(to[i], from[i]);
  };
  merge(clocks, other.clocks);
  merge(fenced, other.fenced);
}

void Order::start(int warps) {
  waits_.clear();
  ++last_;
  seen_.resize(warps + 1);
  for (Seen& seen : seen_) {
    seen.clocks.assign(seen_.size(), last_);
    seen.fenced.assign(seen_.size(), last_);
  }
  ++last_;
  for (std::size_t i = 0; i < seen_.size(); ++i)
    seen_[i].clocks[i] = last_;
}

} // namespace ptxemu

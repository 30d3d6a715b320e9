#include "lib/runtime/Fault.h"
#include "lib/runtime/DeviceState.h"

#include <algorithm>

namespace tegula::host {

void Fault::close(State state) noexcept {
  causes_.clear();
  state_.store(state, std::memory_order_release);
}

bool Fault::inherit() {
  for (const std::shared_ptr<Fault>& cause : causes_)
    if (cause->state_.load(std::memory_order_acquire) == State::open)
      cause->ticket.queue->settle(cause->ticket.number);
  const auto failed = std::ranges::find_if(causes_, [](const auto& cause) { return cause->has_failed(); });
  if (failed == causes_.end())
    return false;
  origin_ = (*failed)->origin_ ? (*failed)->origin_ : *failed;
  error_ = origin_->error_;
  close(State::failed);
  return true;
}

void Fault::fail(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  close(State::failed);
  ticket.queue->device.remember_failure(shared_from_this());
}

void Fault::tell() {
  (origin_ ? *origin_ : *this).told_.store(true, std::memory_order_relaxed);
  std::rethrow_exception(error_);
}

void settle(const Faults& faults) {
  for (const std::shared_ptr<Fault>& fault : faults) {
    if (fault->is_fine())
      continue;
    if (!fault->has_failed()) {
      fault->ticket.queue->wait(fault->ticket.number);
      fault->ticket.queue->settle(fault->ticket.number);
    }
    if (fault->has_failed())
      fault->tell();
  }
}

void add_open_faults(Faults& to, const Faults& from) {
  for (const std::shared_ptr<Fault>& fault : from)
    if (!fault->is_fine() && std::ranges::find(to, fault) == to.end())
      to.push_back(fault);
}

} // namespace tegula::host

#include "lib/runtime/gpu/GpuQueue.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"

#include <algorithm>

namespace tegula::gpu {
namespace {

constexpr unsigned without_timing = 2, no_flags = 0;

std::string ordering() { return "putting queues in order"; }

} // namespace

GpuQueue::GpuQueue(host::DeviceState& device, const Context& context, std::recursive_mutex& listening, int index, Priority priority)
    : QueueState(device, index, priority), context_(context), listening_(listening), owns_stream_(index != 0), ring_(context) {
  Context::Use use(context_);
  stream_ = owns_stream_ ? context.make_stream(priority) : context.stream();
}

GpuQueue::~GpuQueue() {
  try {
    Context::Use use(context_);
    const Driver& driver = context_.driver();
    while (!reports_.empty())
      forget_last();
    for (const Mark& mark : marks_)
      driver(driver.cuEventDestroy_v2, mark.event);
    for (const cuda::Event event : spare_)
      driver(driver.cuEventDestroy_v2, event);
    if (owns_stream_)
      driver(driver.cuStreamDestroy_v2, stream_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

cuda::Event GpuQueue::new_event() {
  if (!spare_.empty()) {
    const cuda::Event event = spare_.back();
    spare_.pop_back();
    return event;
  }
  cuda::Event event = nullptr;
  spare_.reserve(++events_); // so that it can be put back whatever happens
  context_.call(context_.driver().cuEventCreate, ordering, &event, without_timing);
  return event;
}

GpuQueue::Mark GpuQueue::mark_behind(u64 number, const Purpose& purpose) {
  const std::lock_guard lock(marks_mutex_);
  const auto behind = std::ranges::lower_bound(marks_, number, {}, &Mark::number);
  if (behind != marks_.end())
    return *behind;
  constexpr std::size_t many = 16; // other queues wait for this one, and perhaps the host never does
  if (marks_.size() >= many)
    take_passed();
  const cuda::Event event = new_event();
  marks_.push_back({submitted_, event});
  try {
    context_.call(context_.driver().cuEventRecord, [&] { return purpose ? purpose() : ordering(); }, event, stream_);
  } catch (...) {
    marks_.pop_back();
    throw;
  }
  return marks_.back();
}

void GpuQueue::reached(u64 number) noexcept {
  while (!marks_.empty() && marks_.front().number <= number) {
    spare_.push_back(marks_.front().event);
    marks_.pop_front();
  }
  if (finished_.load(std::memory_order_relaxed) < number)
    finished_.store(number, std::memory_order_release);
}

void GpuQueue::mark() { mark_behind(submitted_); }

void GpuQueue::take_passed() {
  while (!marks_.empty()) {
    const cuda::Result result = context_.driver()(context_.driver().cuEventQuery, marks_.front().event);
    if (result == cuda::not_ready)
      return;
    if (result != cuda::success)
      context_.fail(context_.driver().cuEventQuery.name, result, "asking how far a queue is");
    reached(u64{marks_.front().number});
  }
}

bool GpuQueue::poll(u64 number) noexcept {
  try {
    Context::Use use(context_);
    {
      const std::lock_guard lock(device.submitting);
      mark_behind(number);
    }
    const std::lock_guard lock(marks_mutex_);
    take_passed();
  } catch (const DriverError&) {
    return true;                    // of a lost device, nothing is under way: who uses it is told
  } catch (const std::exception&) { // no memory to ask with
  }
  return is_finished(number);
}

void GpuQueue::block(u64 number, const Purpose& purpose) {
  Context::Use use(context_, purpose);
  Mark mark{};
  {
    const std::lock_guard lock(device.submitting);
    if (is_finished(number))
      return;
    mark = mark_behind(number, purpose);
  }
  // Another thread may find it done first, and use the event for a later mark: then this waits longer than it must.
  context_.call(context_.driver().cuEventSynchronize, [&] { return purpose ? purpose() : "waiting for work"; }, mark.event);
  const std::lock_guard lock(marks_mutex_);
  reached(mark.number);
}

void GpuQueue::wait_for(const host::Ticket& ticket) {
  auto& other = static_cast<GpuQueue&>(*ticket.queue);
  const auto index = static_cast<std::size_t>(other.index);
  if (waited_for_.size() <= index)
    waited_for_.resize(index + 1);
  if (waited_for_[index] >= ticket.number)
    return;
  Context::Use use(context_);
  const Mark mark = other.mark_behind(ticket.number);
  context_.call(context_.driver().cuStreamWaitEvent, ordering, stream_, mark.event, no_flags);
  waited_for_[index] = mark.number; // which may be more than was asked for
}

void GpuQueue::expect(std::unique_ptr<Report> report) {
  const std::lock_guard lock(reports_mutex_);
  const std::size_t bytes = report->bytes();
  reports_.push_back(std::move(report));
  unheard_bytes_ += bytes;
}

void GpuQueue::forget_last() noexcept {
  context_.driver()(context_.driver().cuStreamSynchronize, stream_); // programs write to the ring until they end
  const std::lock_guard lock(reports_mutex_);
  unheard_bytes_ -= reports_.back()->bytes();
  reports_.pop_back();
}

void GpuQueue::relieve() {
  constexpr std::size_t most = 4096, most_bytes = std::size_t{64} << 20;
  while (true) {
    u64 oldest = 0;
    {
      const std::lock_guard lock(reports_mutex_);
      if (reports_.empty() || (reports_.size() < most && unheard_bytes_ <= most_bytes))
        return;
      oldest = reports_.front()->number();
    }
    wait(oldest);
    settle(oldest);
  }
}

void GpuQueue::settle(u64 number) {
  const std::lock_guard listening(listening_);
  while (true) {
    std::unique_ptr<Report> next;
    {
      const std::lock_guard lock(reports_mutex_);
      if (reports_.empty() || reports_.front()->number() > number)
        return;
      next = std::move(reports_.front());
      reports_.pop_front();
      unheard_bytes_ -= next->bytes();
    }
    next->listen();
  }
}

} // namespace tegula::gpu

#include "lib/runtime/CpuQueue.h"
#include "lib/runtime/Fork.h"

#include <algorithm>
#include <exception>

namespace tegula::runtime {

CpuQueue::~CpuQueue() {
  if (is_forked()) { // the thread is in the parent, so nobody waits for it
    static_cast<void>(::new (static_cast<void*>(&thread_)) std::thread);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

u64 CpuQueue::push(Work work) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back({std::move(work), std::move(after_)});
  after_.clear();
  return ++submitted_;
}

u64 CpuQueue::push_or_do(const Work& work) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.empty() && !busy_ && after_.empty()) {
      work();
      finished_.store(++submitted_, std::memory_order_release);
      return submitted_;
    }
  }
  return push(work);
}

void CpuQueue::wait_for(const host::Ticket& ticket) {
  const auto same = std::ranges::find(after_, ticket.queue, &host::Ticket::queue);
  if (same == after_.end())
    after_.push_back(ticket);
  else
    same->number = std::max(same->number, ticket.number);
}

bool CpuQueue::wake() noexcept {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { work_on(); });
    } catch (const std::exception&) {
      return false; // the system gives no more threads: who waits does the work
    }
  }
  changed_.notify_all();
  return true;
}

/// Whoever starts work faster than it is done must not fill the memory with it: he does some himself.
void CpuQueue::relieve() {
  u64 first = 0;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() < most_waiting)
      return;
    first = finished_.load(std::memory_order_relaxed) + 1;
  }
  wait(first);
}

void CpuQueue::do_first(std::unique_lock<std::mutex>& lock) {
  busy_ = true;
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  lock.unlock();
  for (const host::Ticket& ticket : job.after)
    ticket.queue->wait(ticket.number);
  job.work();
  job.work = nullptr; // before anybody hears that it is done
  lock.lock();
  busy_ = false;
  finished_.fetch_add(1, std::memory_order_release);
  changed_.notify_all();
}

void CpuQueue::block(u64 number, const Purpose&) {
  std::unique_lock lock(mutex_);
  while (!is_finished(number)) {
    if (!busy_)
      do_first(lock); // there is one: `number` is not done
    else
      changed_.wait(lock);
  }
}

void CpuQueue::work_on() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return jobs_.empty() ? stopping_ : !busy_; });
    if (jobs_.empty())
      return;
    do_first(lock);
  }
}

} // namespace tegula::runtime

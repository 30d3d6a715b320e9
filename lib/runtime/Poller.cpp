#include "lib/runtime/Poller.h"
#include "lib/runtime/Fork.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

namespace tegula::runtime {
namespace {

thread_local bool is_poller = false;
constexpr int spins = 50; // rounds without news, before naps

} // namespace

Poller& Poller::instance() {
  static Poller& poller = *new Poller;
  return poller;
}

bool Poller::add(Sleeper& sleeper) {
  const std::lock_guard lock(mutex_);
  if (!ended_ && !thread_.joinable()) {
    // After that of the devices, so that it ends before they wait for what is left.
    static const int once = std::atexit([] { instance().end(); });
    static_cast<void>(once);
    try {
      thread_ = std::thread([this] { work_on(); });
    } catch (const std::exception&) {
      return false;
    }
  }
  sleeper.at = sleeping_.insert(sleeping_.end(), &sleeper);
  sleeper.in = &sleeping_;
  news_ = true;
  changed_.notify_one();
  return true;
}

void Poller::remove(Sleeper& sleeper) noexcept {
  if (is_forked()) // a thread of the parent's may have the lock
    return;
  const std::lock_guard lock(mutex_);
  if (sleeper.in)
    std::exchange(sleeper.in, nullptr)->erase(sleeper.at);
}

bool Poller::round() {
  {
    const std::lock_guard lock(mutex_);
    std::vector<host::QueueState*> asked; // one answer says how far the queue is
    const auto is_done = [&](const host::Ticket& ticket) {
      if (ticket.queue->is_finished(ticket.number))
        return true;
      if (std::ranges::find(asked, ticket.queue) != asked.end())
        return false;
      try {
        asked.push_back(ticket.queue);
      } catch (const std::exception&) { // then it is asked more than once
      }
      return ticket.queue->is_finished(ticket.number, true);
    };
    for (auto next = sleeping_.begin(); next != sleeping_.end();) {
      Sleeper& sleeper = **next++;
      if (!std::ranges::all_of(sleeper.tickets, is_done))
        continue;
      ready_.splice(ready_.end(), sleeping_, sleeper.at);
      sleeper.in = &ready_;
    }
  }
  bool any = false;
  while (true) {
    const std::lock_guard running(resuming);
    std::coroutine_handle<> coroutine;
    {
      const std::lock_guard lock(mutex_);
      if (ready_.empty())
        return any;
      ready_.front()->in = nullptr;
      coroutine = ready_.front()->coroutine;
      ready_.pop_front();
    }
    coroutine.resume();
    any = true;
  }
}

bool Poller::nap(int rounds) {
  constexpr std::chrono::microseconds first{20}, most{1000};
  if (rounds < spins) {
    std::this_thread::yield();
    return false;
  }
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::min(most, first * (1 << std::min(rounds - spins, 6))), [&] { return news_; });
  return std::exchange(news_, false);
}

void Poller::work_on() {
  is_poller = true;
  for (int rounds = 0;; rounds = std::min(rounds + 1, spins + 6)) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ended_ || !sleeping_.empty(); });
      if (ended_)
        return;
    }
    if (round() || nap(rounds))
      rounds = 0;
  }
}

bool Poller::work_until(const std::function<bool()>& holds) {
  if (!is_poller) {
    const std::lock_guard lock(mutex_);
    if (!ended_)
      return false;
  }
  for (int rounds = 0; !holds(); rounds = std::min(rounds + 1, spins + 6))
    if (round() || nap(rounds))
      rounds = 0;
  return true;
}

void Poller::end() noexcept {
  if (is_forked())
    return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = news_ = true;
  }
  changed_.notify_all();
  if (!is_poller && thread_.joinable())
    thread_.join();
}

} // namespace tegula::runtime

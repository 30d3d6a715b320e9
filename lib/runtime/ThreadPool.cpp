#include "lib/runtime/ThreadPool.h"
#include "lib/runtime/Fork.h"

#include <algorithm>
#include <sched.h>
#include <system_error>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tegula::runtime {
namespace {

constexpr std::int32_t open_bit = 1 << 30;
constexpr int spins_before_sleep = 2000; // some 20 µs: the gap between two launches of one loop

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits until the value is no longer `old`.
std::int32_t await_change(const std::atomic<std::int32_t>& value, std::int32_t old, bool spin) {
  for (int i = 0; spin && i < spins_before_sleep; ++i) {
    const std::int32_t now = value.load(std::memory_order_acquire);
    if (now != old)
      return now;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

} // namespace

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads)
    : shares_(std::make_unique<Share[]>(static_cast<std::size_t>(threads))), spins_(threads <= usable_cores()) {
  threads_.reserve(static_cast<std::size_t>(threads - 1));
  try {
    for (int worker = 1; worker < threads; ++worker)
      threads_.emplace_back([this, worker] { worker_loop(worker); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those that there are do all the work.
  }
}

ThreadPool::~ThreadPool() {
  if (is_forked()) { // the threads are in the parent, so nobody waits for them
    for (std::thread& thread : threads_)
      static_cast<void>(::new (static_cast<void*>(&thread)) std::thread);
    return;
  }
  stopping_.store(true, std::memory_order_release);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

bool ThreadPool::join() {
  std::int32_t seen = state_.load(std::memory_order_relaxed);
  do {
    if (!(seen & open_bit))
      return false;
  } while (!state_.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire, std::memory_order_relaxed));
  return true;
}

void ThreadPool::leave() {
  if (state_.fetch_sub(1, std::memory_order_acq_rel) == 1) // the last one, of a closed job
    state_.notify_one();
}

void ThreadPool::worker_loop(int worker) {
  std::int32_t seen = 0;
  for (;;) {
    seen = await_change(epoch_, seen, spins_);
    if (stopping_.load(std::memory_order_acquire))
      return;
    if (join()) {
      work(worker);
      leave();
    }
  }
}

void ThreadPool::work(int worker) {
  for (int i = 0; i < threads(); ++i) {
    Share& share = shares_[static_cast<std::size_t>((worker + i) % threads())];
    for (;;) {
      const std::int64_t begin = share.next.fetch_add(chunk_, std::memory_order_relaxed);
      if (begin >= share.end)
        break;
      work_(user_, begin, std::min(begin + chunk_, share.end), worker);
    }
  }
}

void ThreadPool::run_locked(std::int64_t items, Work work, void* user) {
  // Chunks small enough to balance the load, large enough that fetching one costs nothing.
  const std::int64_t chunk = std::clamp<std::int64_t>(items / (std::int64_t{threads()} * 16), 1, 64);
  if (threads_.empty() || items <= chunk)
    return items > 0 ? work(user, 0, items, 0) : void();
  work_ = work;
  user_ = user;
  chunk_ = chunk;
  for (int i = 0; i < threads(); ++i) {
    Share& share = shares_[static_cast<std::size_t>(i)];
    share.next.store(items * i / threads(), std::memory_order_relaxed);
    share.end = items * (i + 1) / threads();
  }
  state_.store(open_bit, std::memory_order_release);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  this->work(0);
  std::int32_t inside = state_.fetch_and(~open_bit, std::memory_order_acq_rel) & ~open_bit;
  while (inside != 0)
    inside = await_change(state_, inside, spins_);
}

} // namespace tegula::runtime

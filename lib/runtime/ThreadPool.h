// Threads that work through the programs of a launch, together with the thread that launched it.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tegula::runtime {

/// The cores that this process may use.
int usable_cores();

class ThreadPool {
public:
  /// Does items [begin, end); `worker` is below threads() and no two calls at the same time share it. Must not throw.
  using Work = void (*)(void* user, std::int64_t begin, std::int64_t end, int worker);

  explicit ThreadPool(int threads); // the caller of run() counts as one
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  int threads() const noexcept { return static_cast<int>(threads_.size()) + 1; }

  /// Returns when all items are done. One run at a time: others wait. `prepare` is called first, alone.
  template <class Prepare> void run(std::int64_t items, Work work, void* user, Prepare prepare) {
    std::lock_guard one_at_a_time(running_);
    prepare();
    run_locked(items, work, user);
  }

  /// The same, unless there is another run: then it returns false at once.
  template <class Prepare> bool try_run(std::int64_t items, Work work, void* user, Prepare prepare) {
    std::unique_lock one_at_a_time(running_, std::try_to_lock);
    if (!one_at_a_time)
      return false;
    prepare();
    run_locked(items, work, user);
    return true;
  }

private:
  void run_locked(std::int64_t items, Work, void* user);
  void worker_loop(int worker);
  void work(int worker);
  bool join();
  void leave();

  // The job. Written while it is closed and nobody is in it.
  Work work_ = nullptr;
  void* user_ = nullptr;
  std::int64_t chunk_ = 1;

  /// Each worker starts with its own share, the same one in every launch of a size, so that it finds its data in its cache; then it
  /// helps the others.
  struct alignas(64) Share {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  std::unique_ptr<Share[]> shares_;
  /// How many workers are in the job, and whether more may join. Sleepers are not waited for: a short job ends without them.
  alignas(64) std::atomic<std::int32_t> state_{0};
  alignas(64) std::atomic<std::int32_t> epoch_{0}; // changes with every job, and wakes sleepers
  std::atomic<bool> stopping_{false};
  bool spins_ = false;
  std::mutex running_;
  std::vector<std::thread> threads_;
};

} // namespace tegula::runtime

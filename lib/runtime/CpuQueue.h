// A queue of the CPU: work in order, done by a thread of its own or by whoever waits for it.
#pragma once
#include "lib/runtime/Queue.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tegula::runtime {

/// The thread is started when work is started that nobody waits for. Who waits works itself, so that a launch that is waited for
/// never changes threads.
///
/// Nothing waits in a circle: work waits only for work that was submitted before it, so the oldest work that is not done waits for
/// nothing, and it is the first of its queue.
class CpuQueue : public host::QueueState {
public:
  /// Must not throw.
  using Work = std::function<void()>;

  using QueueState::QueueState;
  ~CpuQueue() override;

  /// With the device's `submitting` held, as all that submits.
  u64 push(Work);
  /// At once, if there is nothing before it: for what is as quick as that.
  u64 push_or_do(const Work&);
  bool wake() noexcept override;
  void relieve() override;

protected:
  void block(u64 number, const Purpose&) override;
  std::size_t most_waiting = 10000; // pieces of work, before who starts more does some

private:
  struct Job {
    Work work;
    std::vector<host::Ticket> after;
  };
  bool poll(u64) noexcept override { return false; }
  void wait_for(const host::Ticket&) override;
  void do_first(std::unique_lock<std::mutex>&);
  void work_on();

  std::vector<host::Ticket> after_; // for the next job: one per queue
  std::mutex mutex_;                // of what follows
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool busy_ = false; // somebody does the job that was first
  bool stopping_ = false;
  std::thread thread_;
};

} // namespace tegula::runtime

// What a device does for the rest of the run time. One subclass per kind of device.
#pragma once
#include "lib/runtime/Fork.h"
#include "lib/runtime/Transfer.h"
#include "lib/runtime/Uses.h"
#include "tegula/host/device.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tegula::host {

struct KernelState;
struct Argument;
struct Node;
class DeviceGraph;

/// Of fresh memory. What is `unset` will be written before it is read.
enum class Contents : std::uint8_t { zeros, unset };

/// In a forked process nobody gets it: a thread that did not come along may hold it for ever.
class SubmissionMutex {
public:
  void lock() {
    runtime::refuse_if_forked();
    mutex_.lock();
  }
  void unlock() noexcept { mutex_.unlock(); }

private:
  std::mutex mutex_;
};

/// A launch that has been checked. `code` comes from prepare().
struct Launch {
  KernelState& kernel;
  const std::shared_ptr<const void>& code;
  const Argument* arguments;
  std::span<const std::int64_t> words; // of the arguments: see Words.h
  std::int64_t programs;
};

struct DeviceState {
  DeviceState();
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;
  virtual ~DeviceState();
  virtual const std::string& name() const noexcept = 0;
  virtual int parallelism() const noexcept = 0;

  virtual std::int64_t memory_bytes() const noexcept = 0; // of the device, in use or not
  virtual std::int64_t kernels_compiled() const noexcept = 0;
  virtual std::int64_t bytes_reserved() const noexcept { return 0; }

  // In the order of a queue, while `submitting` is held. Each that submits work returns its ticket's number.
  struct Memory {
    void* data;
    Ticket ticket; // when it can be used
  };
  /// 64-byte aligned. Throws an Error that says how much was asked for when there is not enough.
  virtual Memory allocate(QueueState&, std::size_t bytes, Contents) = 0;
  /// When the queue gets there; without a queue, at once: nobody uses it.
  virtual void free(QueueState*, void*, std::size_t bytes) = 0;
  /// Memory of the host's is pinned.
  virtual u64 transfer(QueueState&, const Transfer&) = 0;
  /// Runs the programs. Closes the fault sooner or later, if there is one.
  virtual u64 launch(QueueState&, const Launch&, std::shared_ptr<Fault>) = 0;

  /// Done when it returns, which may take long, so it is called without `submitting`. Nobody else writes the memory meanwhile;
  /// nobody but work of this queue, perhaps, has used it lately.
  virtual void copy_now(QueueState&, const Transfer&) = 0;
  /// Memory of the host that transfers reach without a detour; null if there is none.
  virtual std::shared_ptr<void> allocate_pinned(std::size_t bytes) = 0;
  /// Whether its memory is the host's, who can read it without the device's help.
  virtual bool is_host() const noexcept { return false; }
  /// The code for a launch; may take long, and is called without `submitting`.
  virtual std::shared_ptr<const void> prepare(KernelState&, const Argument*, int n) = 0;
  /// Whether a launch of the code may fail by itself.
  virtual bool may_fail(const void* code) const noexcept = 0;
  /// The same nodes, to be replayed. Called without `submitting`.
  virtual std::unique_ptr<DeviceGraph> make_graph(std::shared_ptr<const std::vector<Node>>) = 0;

  // Queues. The first of a priority is the device's own.
  QueueState& own_queue(Priority);
  QueueState& lease_queue(Priority);
  /// For copies that the host waits for: none of them stands behind other work.
  QueueState& copying_queue();
  void give_back(QueueState&) noexcept;
  /// Waits for all of them, and listens to them.
  void finish();
  /// Throws the oldest failure, of one queue or of all, that nobody has been told of, if there is one: it counts as told.
  void tell_failure(const QueueState* = nullptr);
  void remember_failure(std::shared_ptr<Fault>) noexcept;
  /// On the standard error: how many failures there were besides those that are remembered.
  void print_left_out() noexcept;

  DeviceStatistics statistics() const noexcept;
  /// While `submitting` is held.
  void count_launches(std::int64_t number, std::int64_t of_programs) noexcept {
    launches.store(launches.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
    programs.store(programs.load(std::memory_order_relaxed) + of_programs, std::memory_order_relaxed);
  }

  const std::int64_t id; // of no other device, past or present
  std::atomic<std::int64_t> owners{1};
  std::atomic<std::int64_t> bytes_in_use{0}, peak_bytes{0}, launches{0}, programs{0};
  /// Whoever submits work, or looks at the Uses of memory, holds it: so all agree on what comes first.
  SubmissionMutex submitting;

protected:
  virtual std::unique_ptr<QueueState> make_queue(int index, Priority) = 0;
  /// By a subclass, first thing when it ends: nothing is under way any more, what nobody has seen is on the standard error, and
  /// kernels have forgotten its code.
  void end_queues() noexcept;
  /// Of tensors: more, or less.
  void count_bytes(std::int64_t more) noexcept;
  std::vector<QueueState*> queues();

private:
  struct Leased {
    std::unique_ptr<QueueState> queue;
    bool free;
  };
  QueueState& add_queue(Priority);
  std::vector<QueueState*> take_free(Priority);
  std::mutex queues_mutex_;
  std::vector<Leased> queues_;
  QueueState& own_queue(std::atomic<QueueState*>&, Priority);
  std::atomic<QueueState*> own_[3] = {}, copying_ = nullptr;
  std::mutex failures_mutex_;
  Faults failures_;
  u64 failures_left_out_ = 0;
};

void retain(DeviceState*) noexcept;
void release(DeviceState*) noexcept;

} // namespace tegula::host

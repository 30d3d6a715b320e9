// Work in order on one device: what queues of every kind have in common.
#pragma once
#include "tegula/dtype.hpp"
#include "tegula/host/queue.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace tegula::host {

class QueueState;
class Recording;

/// Throws an Error in a print sink: what it would wait for may be the launch whose line it was given.
void refuse_in_print_sink();

/// A moment in a queue: when its work up to this number is done. Without a queue, one that has always been.
struct Ticket {
  QueueState* queue = nullptr;
  u64 number = 0;
  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// Lives as long as its device, which hands it out again when a user's Queue is gone: a ticket never dangles. One that records
/// gives no tickets, and lives as long as its Recorder.
class QueueState {
public:
  QueueState(DeviceState& device, int index, Priority priority) : device(device), index(index), priority(priority) {}
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;
  virtual ~QueueState() = default;

  DeviceState& device;
  const int index; // among the device's queues
  const Priority priority;

  /// Not null, of one that runs nothing.
  virtual Recording* recording() noexcept { return nullptr; }

  /// Done, as far as is known without waiting. Asks the driver only if `ask`.
  bool is_finished(u64 number, bool ask = false) noexcept {
    return finished_.load(std::memory_order_acquire) >= number || (ask && poll(number));
  }
  /// What somebody waits for, as a message of an error starts.
  using Purpose = std::function<std::string()>;
  /// Waits. Throws a DriverError if the device is lost; an Error in a print sink, and in a forked process.
  void wait(u64 number, const Purpose& = {});
  /// What work up to the number, which is done, has to say is said: afterwards its faults are known.
  virtual void settle(u64) {}
  /// Before work is submitted that may fail: if too much is waiting, for its turn or to be listened to, some is dealt with now.
  virtual void relieve() {}
  /// Somebody has to work on what was submitted, without anybody waiting for it. Returns false if nobody will.
  virtual bool wake() noexcept { return true; }

  // While the device's `submitting` is held.
  /// What is submitted from now on waits for the ticket.
  void after(const Ticket& ticket) {
    if (ticket.queue && ticket.queue != this && !ticket.queue->is_finished(ticket.number))
      wait_for(ticket);
  }
  u64 submitted() const noexcept { return submitted_; }
  /// Work up to this one was another's, who had the queue before.
  u64 first_own = 0;

protected:
  virtual bool poll(u64 number) noexcept = 0;
  virtual void block(u64 number, const Purpose&) = 0;
  virtual void wait_for(const Ticket&) = 0;

  std::atomic<u64> finished_{0};
  u64 submitted_ = 0;
};

} // namespace tegula::host

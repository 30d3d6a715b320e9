// Queues: work in order, beside other work.
#pragma once
#include "tegula/host/device.hpp"

#include <memory>
#include <utility>

namespace tegula {

class Recorder;

enum class Priority : std::uint8_t { low, normal, high };

/// Work that is started on one queue runs in its order; queues run beside each other. What two of them do with one tensor is put in
/// order by the run time: nobody waits by hand. On a GPU a queue is a stream, on the CPU a thread.
class Queue {
public:
  explicit Queue(const Device&, Priority = Priority::normal);
  Queue(const Queue&) = delete;
  Queue(Queue&& other) noexcept : device_(other.device_), state_(other.state_), owned_(other.owned_), leased_(other.leased_) {
    other.leased_ = false;
  }
  Queue& operator=(Queue&&) = delete;
  Queue(Recorder&&) = delete; // which is more than a queue
  /// Waits for nothing: what was started goes on.
  ~Queue();

  const Device& device() const noexcept { return device_; }
  /// Is everything done that was started?
  bool ready() const;
  /// Waits for everything that was started. Throws an error that nobody has seen yet, if some work failed.
  void sync() const;

protected:
  explicit Queue(const Device& device, std::shared_ptr<host::QueueState> state)
      : device_(device), state_(state.get()), owned_(std::move(state)), leased_(false) {}
  host::QueueState* state() const noexcept { return state_; }

private:
  Queue(const Device& device, host::QueueState* state, bool leased) : device_(device), state_(state), leased_(leased) {}
  friend class Device;
  friend struct host::Handles;
  Device device_;
  host::QueueState* state_;
  std::shared_ptr<host::QueueState> owned_; // of a Recorder: it lives as long as somebody could use it
  bool leased_;                             // and given back, unless it is one of the device's own
};

} // namespace tegula

// A queue of a GPU: a stream of the driver's, and what is known of how far it is.
#pragma once
#include "lib/runtime/Queue.h"
#include "lib/runtime/gpu/Report.h"

#include <deque>
#include <mutex>

namespace tegula::gpu {

/// How far the stream is, is known by marks: events in it. A launch makes none; whoever waits makes one where the stream then ends,
/// unless there is one behind the work already.
class GpuQueue final : public host::QueueState {
public:
  /// The device's first queue is the context's stream, which outlives it.
  /// `listening` is held while reports are listened to, of any of the device's queues: one may have to hear another first.
  GpuQueue(host::DeviceState&, const Context&, std::recursive_mutex& listening, int index, Priority);
  ~GpuQueue() override;

  cuda::Stream stream() const noexcept { return stream_; }
  void settle(u64 number) override;
  void relieve() override;

  // While the device's `submitting` is held.
  /// The number of work that is now in the stream.
  u64 count() noexcept { return ++submitted_; }
  /// A mark behind all work.
  void mark();
  /// For what programs say.
  Ring& ring() noexcept { return ring_; }
  /// What the next work has to say.
  void expect(std::unique_ptr<Report>);
  /// It failed to start. Parts of it may have been started, and are waited for.
  void forget_last() noexcept;

private:
  struct Mark {
    u64 number;
    cuda::Event event;
  };
  bool poll(u64 number) noexcept override;
  void block(u64 number, const Purpose&) override;
  void wait_for(const host::Ticket&) override;
  /// The first mark behind the work, made if there is none.
  Mark mark_behind(u64 number, const Purpose& = {});
  cuda::Event new_event();
  void reached(u64 number) noexcept;
  /// Asks the driver which marks are behind the stream by now.
  void take_passed();

  const Context& context_;
  std::recursive_mutex& listening_;
  cuda::Stream stream_ = nullptr;
  bool owns_stream_;
  std::vector<u64> waited_for_; // per queue of the device: what this one has been told to wait for
  std::mutex marks_mutex_;      // of what follows
  std::deque<Mark> marks_;      // in order
  std::vector<cuda::Event> spare_;
  std::size_t events_ = 0; // made
  Ring ring_;
  std::mutex reports_mutex_; // of what follows
  std::deque<std::unique_ptr<Report>> reports_;
  std::size_t unheard_bytes_ = 0; // of theirs
};

} // namespace tegula::gpu

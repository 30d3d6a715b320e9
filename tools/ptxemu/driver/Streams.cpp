// Streams and events.
#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

namespace {

Result create(State& s, Stream** stream, unsigned flags) {
  *stream = new Stream;
  (*stream)->number = ++s.streams_made;
  (*stream)->blocking = (flags & 1) == 0;
  s.streams.insert(*stream);
  return success;
}

// Who asks sees some progress, so that asking again and again comes to an end.
Result query(State& s, const std::vector<std::shared_ptr<Piece>>& pieces) {
  s.work.run_one(s);
  for (const auto& piece : pieces)
    if (!piece->done)
      return not_ready;
  for (const auto& piece : pieces)
    s.work.wait(s, *piece);
  return s.lost;
}

} // namespace

PTXEMU_EXPORT int cuStreamCreate(Stream** stream, unsigned flags) {
  return guarded([&](State& s) { return create(s, stream, flags); });
}

PTXEMU_EXPORT int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&](State&) {
    *least = 0;
    *greatest = -5;
    return success;
  });
}

PTXEMU_EXPORT int cuStreamCreateWithPriority(Stream** stream, unsigned flags, int) {
  return guarded([&](State& s) { return create(s, stream, flags); });
}

// What is in it runs even so.
PTXEMU_EXPORT int cuStreamDestroy_v2(Stream* stream) {
  return guarded([&](State& s) {
    if (s.streams.erase(stream) == 0)
      return invalid_handle;
    if (stream->blocking)
      s.default_stream.tail.insert(s.default_stream.tail.end(), stream->tail.begin(), stream->tail.end());
    delete stream;
    return success;
  });
}

PTXEMU_EXPORT int cuStreamSynchronize(void* stream) {
  return guarded([&](State& s) {
    wait_for(s, stream_of(s, stream));
    return s.lost;
  });
}

PTXEMU_EXPORT int cuStreamQuery(void* stream) {
  return guarded([&](State& s) { return query(s, stream_of(s, stream).tail); });
}

PTXEMU_EXPORT int cuStreamWaitEvent(void* handle, RecordedEvent* event, unsigned) {
  return guarded([&](State& s) {
    Stream& stream = stream_of(s, handle);
    if (!event->recorded || stream.capture)
      return success;
    stream.tail.push_back(event->recorded);
    return enqueue(s, handle, {"cuStreamWaitEvent", nullptr});
  });
}

PTXEMU_EXPORT int cuEventCreate(RecordedEvent** event, unsigned) {
  return guarded([&](State&) {
    *event = new RecordedEvent;
    return success;
  });
}

PTXEMU_EXPORT int cuEventDestroy_v2(RecordedEvent* event) { return give_back(event); }

PTXEMU_EXPORT int cuEventRecord(RecordedEvent* event, void* handle) {
  return guarded([&](State& s) {
    Stream& stream = stream_of(s, handle);
    if (stream.capture)
      return not_supported;
    Result result = enqueue(s, handle, {"cuEventRecord", nullptr});
    event->recorded = stream.tail.back();
    return result;
  });
}

PTXEMU_EXPORT int cuEventQuery(RecordedEvent* event) {
  return guarded([&](State& s) { return event->recorded ? query(s, {event->recorded}) : success; });
}

PTXEMU_EXPORT int cuEventSynchronize(RecordedEvent* event) {
  return guarded([&](State& s) {
    if (event->recorded)
      s.work.wait(s, *event->recorded);
    return s.lost;
  });
}

PTXEMU_EXPORT int cuEventElapsedTime_v2(float* milliseconds, RecordedEvent* from, RecordedEvent* to) {
  return guarded([&](State&) {
    if (!from->recorded || !to->recorded)
      return invalid_handle;
    if (!from->recorded->done || !to->recorded->done)
      return not_ready;
    *milliseconds = std::chrono::duration<float, std::milli>(to->recorded->time - from->recorded->time).count();
    return success;
  });
}

// Streams, events and graphs. Work runs when it is enqueued, so there is nothing to wait for.
#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

PTXEMU_EXPORT int cuStreamCreate(Stream** stream, unsigned) {
  return guarded([&](State&) {
    *stream = new Stream;
    return success;
  });
}

PTXEMU_EXPORT int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&](State&) {
    *least = 0;
    *greatest = -5;
    return success;
  });
}

PTXEMU_EXPORT int cuStreamCreateWithPriority(Stream** stream, unsigned, int) {
  return guarded([&](State&) {
    *stream = new Stream;
    return success;
  });
}

PTXEMU_EXPORT int cuStreamDestroy_v2(Stream* stream) {
  return guarded([&](State&) {
    delete stream;
    return success;
  });
}

PTXEMU_EXPORT int cuStreamSynchronize(void*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuStreamQuery(void*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuStreamWaitEvent(void*, void*, unsigned) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuEventCreate(EventHandle** event, unsigned) {
  return guarded([&](State&) {
    *event = new EventHandle;
    return success;
  });
}

PTXEMU_EXPORT int cuEventDestroy_v2(EventHandle* event) {
  return guarded([&](State&) {
    delete event;
    return success;
  });
}

PTXEMU_EXPORT int cuEventRecord(EventHandle* event, void* stream) {
  return guarded([&](State& s) {
    return enqueue(s, stream, [event] {
      event->recorded = true;
      event->time = std::chrono::steady_clock::now();
      return success;
    });
  });
}

PTXEMU_EXPORT int cuEventQuery(EventHandle*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuEventSynchronize(EventHandle*) {
  return guarded([](State&) { return success; });
}

PTXEMU_EXPORT int cuEventElapsedTime_v2(float* milliseconds, EventHandle* from, EventHandle* to) {
  return guarded([&](State&) {
    if (!from->recorded || !to->recorded)
      return invalid_handle;
    *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
    return success;
  });
}

PTXEMU_EXPORT int cuStreamBeginCapture_v2(Stream* stream, int) {
  return guarded([&](State&) {
    stream->capture = std::make_unique<Graph>();
    return success;
  });
}

PTXEMU_EXPORT int cuStreamEndCapture(Stream* stream, Graph** graph) {
  return guarded([&](State&) {
    *graph = stream->capture.release();
    return *graph ? success : invalid_value;
  });
}

PTXEMU_EXPORT int cuGraphInstantiateWithFlags(Graph** executable, Graph* graph, unsigned long long) {
  return guarded([&](State&) {
    *executable = new Graph(*graph);
    return success;
  });
}

PTXEMU_EXPORT int cuGraphLaunch(Graph* executable, void* stream) {
  return guarded([&](State& s) {
    for (const Work& work : executable->work)
      if (Result result = enqueue(s, stream, work); result != success)
        return result;
    return success;
  });
}

PTXEMU_EXPORT int cuGraphExecDestroy(Graph* executable) {
  return guarded([&](State&) {
    delete executable;
    return success;
  });
}

PTXEMU_EXPORT int cuGraphDestroy(Graph* graph) {
  return guarded([&](State&) {
    delete graph;
    return success;
  });
}

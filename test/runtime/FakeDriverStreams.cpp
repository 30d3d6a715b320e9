// Streams, events and graphs.
#include "FakeDriverState.h"

namespace fake {

void describe_streams(Driver& d) {
  d.cuStreamCreate.pointer = [](Stream* stream, unsigned) -> Result {
    CALLED(cuStreamCreate)
    *stream = reinterpret_cast<Stream>(++state.streams);
    return 0;
  };
  d.cuCtxGetStreamPriorityRange.pointer = [](int* least, int* greatest) -> Result {
    CALLED(cuCtxGetStreamPriorityRange)
    *least = 0;
    *greatest = -5;
    return 0;
  };
  d.cuStreamCreateWithPriority.pointer = [](Stream* stream, unsigned, int) -> Result {
    CALLED(cuStreamCreateWithPriority)
    *stream = reinterpret_cast<Stream>(++state.streams);
    return 0;
  };
  d.cuCtxSynchronize.pointer = []() -> Result {
    CALLED(cuCtxSynchronize)
    return 0;
  };
  d.cuStreamWaitEvent.pointer = [](Stream, cuda::Event, unsigned) -> Result {
    CALLED(cuStreamWaitEvent)
    return 0;
  };
  d.cuEventQuery.pointer = [](cuda::Event) -> Result {
    CALLED(cuEventQuery)
    return 0;
  };
  d.cuStreamDestroy_v2.pointer = [](Stream) -> Result {
    CALLED(cuStreamDestroy_v2)
    return 0;
  };
  d.cuStreamSynchronize.pointer = [](Stream stream) -> Result {
    CALLED(cuStreamSynchronize)
    return state.capturing && stream == main_stream ? illegal_state : 0;
  };
  d.cuEventCreate.pointer = [](cuda::Event* event, unsigned) -> Result {
    *event = reinterpret_cast<cuda::Event>(new double(0));
    return 0;
  };
  d.cuEventDestroy_v2.pointer = [](cuda::Event event) -> Result {
    delete reinterpret_cast<double*>(event);
    return 0;
  };
  d.cuEventRecord.pointer = [](cuda::Event event, Stream) -> Result {
    CALLED(cuEventRecord)
    *reinterpret_cast<double*>(event) = state.calls["cuLaunchKernel"]; // a launch takes a millisecond
    return 0;
  };
  d.cuEventSynchronize.pointer = [](cuda::Event) -> Result {
    CALLED(cuEventSynchronize)
    return 0;
  };
  d.cuEventElapsedTime.pointer = [](float* ms, cuda::Event a, cuda::Event b) -> Result {
    *ms = static_cast<float>(*reinterpret_cast<double*>(b) - *reinterpret_cast<double*>(a));
    return 0;
  };
  d.cuStreamBeginCapture_v2.pointer = [](Stream, int) -> Result {
    CALLED(cuStreamBeginCapture_v2)
    state.capturing = true;
    return 0;
  };
  d.cuStreamEndCapture.pointer = [](Stream, cuda::Graph* graph) -> Result {
    CALLED(cuStreamEndCapture)
    state.capturing = false;
    *graph = reinterpret_cast<cuda::Graph>(new Work(std::move(state.captured)));
    state.captured.clear();
    return 0;
  };
  d.cuGraphInstantiateWithFlags.pointer = [](cuda::GraphExec* executable, cuda::Graph graph, unsigned long long) -> Result {
    CALLED(cuGraphInstantiateWithFlags)
    *executable = reinterpret_cast<cuda::GraphExec>(new Work(*reinterpret_cast<Work*>(graph)));
    return 0;
  };
  d.cuGraphLaunch.pointer = [](cuda::GraphExec graph, Stream) -> Result {
    CALLED(cuGraphLaunch)
    for (const auto& work : *reinterpret_cast<Work*>(graph))
      work();
    return 0;
  };
  d.cuGraphExecDestroy.pointer = [](cuda::GraphExec graph) -> Result {
    delete reinterpret_cast<Work*>(graph);
    return 0;
  };
  d.cuGraphDestroy.pointer = [](cuda::Graph graph) -> Result {
    delete reinterpret_cast<Work*>(graph);
    return 0;
  };
}

} // namespace fake

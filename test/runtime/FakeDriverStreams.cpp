// Streams and events.
#include "FakeDriverState.h"

#include <algorithm>

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
  d.cuStreamCreateWithPriority.pointer = [](Stream* stream, unsigned, int priority) -> Result {
    CALLED(cuStreamCreateWithPriority)
    state.priorities.push_back(priority);
    *stream = reinterpret_cast<Stream>(++state.streams);
    return 0;
  };
  d.cuCtxSynchronize.pointer = []() -> Result {
    CALLED(cuCtxSynchronize)
    if (is_left_out("cuCtxSynchronize"))
      return 0;
    const auto all_done = [] {
      return std::ranges::all_of(state.streams_of_work, [](const auto& of) { return of.second.empty(); });
    };
    return work_until(all_done) ? 0 : illegal_state;
  };
  d.cuStreamWaitEvent.pointer = [](Stream stream, cuda::Event event, unsigned) -> Result {
    CALLED(cuStreamWaitEvent)
    if (is_left_out("cuStreamWaitEvent"))
      return 0;
    const FakeEvent& fake = *reinterpret_cast<FakeEvent*>(event);
    return submit(stream, [] {}, [&fake, number = fake.recorded] { return fake.reached >= number; });
  };
  d.cuEventQuery.pointer = [](cuda::Event event) -> Result {
    CALLED(cuEventQuery)
    work_a_little();
    const FakeEvent& fake = *reinterpret_cast<FakeEvent*>(event);
    return fake.reached >= fake.recorded ? 0 : cuda::not_ready;
  };
  d.cuStreamDestroy_v2.pointer = [](Stream stream) -> Result { // what is in it is done even so
    CALLED(cuStreamDestroy_v2)
    return work_until([&] { return state.streams_of_work[stream].empty(); }) ? 0 : illegal_state;
  };
  d.cuStreamSynchronize.pointer = [](Stream stream) -> Result {
    CALLED(cuStreamSynchronize)
    if (is_left_out("cuStreamSynchronize")) {
      ++state.waits_left_out;
      return 0;
    }
    return work_until([&] { return state.streams_of_work[stream].empty(); }) ? 0 : illegal_state;
  };
  d.cuEventCreate.pointer = [](cuda::Event* event, unsigned) -> Result {
    CALLED(cuEventCreate)
    static auto& events = *new std::deque<FakeEvent>; // those of a lost device are never given back, and at exit some wait for them
    *event = reinterpret_cast<cuda::Event>(&events.emplace_back());
    return 0;
  };
  d.cuEventDestroy_v2.pointer = [](cuda::Event) -> Result { return 0; };
  d.cuEventRecord.pointer = [](cuda::Event event, Stream stream) -> Result {
    CALLED(cuEventRecord)
    if (is_left_out("cuEventRecord"))
      return 0;
    FakeEvent& fake = *reinterpret_cast<FakeEvent*>(event);
    fake.time = state.calls["cuLaunchKernel"]; // a launch takes a millisecond
    ++fake.recorded;
    return submit(stream, [&fake] { ++fake.reached; });
  };
  d.cuEventSynchronize.pointer = [](cuda::Event event) -> Result {
    CALLED(cuEventSynchronize)
    if (is_left_out("cuEventSynchronize")) {
      ++state.waits_left_out;
      return 0;
    }
    const FakeEvent& fake = *reinterpret_cast<FakeEvent*>(event);
    return work_until([&] { return fake.reached >= fake.recorded; }) ? 0 : illegal_state;
  };
  d.cuEventElapsedTime.pointer = [](float* ms, cuda::Event a, cuda::Event b) -> Result {
    *ms = static_cast<float>(reinterpret_cast<FakeEvent*>(b)->time - reinterpret_cast<FakeEvent*>(a)->time);
    return 0;
  };
}

} // namespace fake

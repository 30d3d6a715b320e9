#pragma once

// The one emulated device behind the driver's functions, and the objects that its handles point to.

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

#include "tools/ptxemu/Launch.h"
#include "tools/ptxemu/driver/Accesses.h"

#define PTXEMU_EXPORT extern "C" __attribute__((visibility("default")))

namespace ptxemu::driver {

struct LoadedModule {
  std::unique_ptr<Module> module;
  std::vector<std::uint64_t> globals;
  std::vector<std::unique_ptr<struct FunctionHandle>> functions;
  std::string recorded; // the file that record() wrote, without its ending; empty if nothing is kept
};

struct FunctionHandle {
  LoadedModule* module;
  const Program* program;
  std::uint64_t max_dynamic_shared = 48 * 1024;
};

struct Graph {
  struct Edge {
    std::size_t from;
    bool programmatic;
  };
  struct Node {
    Task task;
    std::vector<Edge> after;
  };
  std::vector<Node> nodes;
};

// A graph that can be launched. One launch comes after the other.
struct GraphExec {
  Graph graph;
  std::vector<std::size_t> order; // of the nodes, each behind those that it comes after
  std::shared_ptr<Piece> last;
};

struct Stream {
  int number = 0;
  bool blocking = true;                     // it and the default stream wait for each other
  std::vector<std::shared_ptr<Piece>> tail; // what the next piece comes after; several if kernels started early
  std::unique_ptr<Graph> capture;
};

struct RecordedEvent {
  std::shared_ptr<Piece> recorded;
};

struct State {
  std::mutex mutex;
  bool initialised = false;
  // From the environment: TEGULA_PTXEMU_ARCH, _SEED, _STEPS, _MEMORY; cuInit reads _DELAY.
  int architecture;
  std::uint64_t seed, steps, total_memory;
  std::uint64_t peak_memory = 0;
  DeviceMemory memory;
  Accesses accesses{memory};
  Work work;
  void* current_context = nullptr;
  // After a kernel went wrong every call fails, until the context is released.
  Result lost = success;
  std::string report;
  Stream default_stream;
  std::set<Stream*> streams; // the others
  int streams_made = 0;

  State();
};

State& state();

// Keep a module's text, and what a launch of it asks for, if TEGULA_PTXEMU_RECORD names a folder. False if that cannot be written.
bool record(LoadedModule& module, const std::string& text);
bool record_shared(const LoadedModule& module, std::uint64_t bytes);

// Runs a driver function: serialised, after cuInit, and not on a lost device.
template <class F> Result guarded(F&& function) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  if (!s.initialised)
    return not_initialised;
  if (s.lost != success)
    return s.lost;
  return function(s);
}

// Deletes what a handle points to, on a lost device, too.
template <class T> Result give_back(T* object) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  delete object;
  return s.lost;
}

// A handle's stream.
Stream& stream_of(State& s, void* handle);
std::string in_stream(const Stream& stream);
// The task becomes a piece of work in the stream, or part of the graph that the stream captures. With `early` it may start before
// a kernel that is last in the stream has ended.
Result enqueue(State& s, void* stream, Task task, bool early = false);
// Runs what is in a stream, and the host knows.
void wait_for(State& s, Stream& stream);
// Every call fails from now on, with this text.
void lose(State& s, const Finding& finding);

} // namespace ptxemu::driver

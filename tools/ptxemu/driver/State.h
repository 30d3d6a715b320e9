#pragma once

// The one emulated device behind the driver's functions, and the objects that its handles point to.

#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include "tools/ptxemu/Launch.h"

#define PTXEMU_EXPORT extern "C" __attribute__((visibility("default")))

namespace ptxemu::driver {

// Results of the driver's functions: the numbers of the CUDA driver's interface.
enum Result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialised = 3,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary = 209,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  out_of_resources = 701,
  timeout = 702,
  misaligned_address = 716,
  launch_failed = 719,
  not_supported = 801
};

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

using Work = std::function<Result()>;

struct Graph {
  std::vector<Work> work;
};

struct Stream {
  std::unique_ptr<Graph> capture;
};

struct EventHandle {
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

struct State {
  std::mutex mutex;
  bool initialised = false;
  // From the environment: TEGULA_PTXEMU_ARCH, _SEED, _STEPS, _MEMORY
  int architecture;
  std::uint64_t seed, steps, total_memory;
  std::uint64_t peak_memory = 0;
  DeviceMemory memory;
  void* current_context = nullptr;
  // After a kernel went wrong every call fails, until the context is released.
  Result lost = success;
  std::string report;
  Stream default_stream;
  std::set<void*> host_memory;

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

// Work on a stream happens at once, or becomes part of the graph that the stream captures.
Result enqueue(State& s, void* stream, Work work);

} // namespace ptxemu::driver

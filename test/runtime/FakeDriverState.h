// The inside of the fake driver: what its functions share.
#pragma once
#include "FakeDriver.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace fake {

using namespace tegula::gpu;
using cuda::Address, cuda::Result, cuda::Stream;
using Work = std::vector<std::function<void()>>;

inline constexpr Result invalid_context = 201, invalid_image = 200, not_found = 500, illegal_state = 401;

struct State {
  DriverOptions options;
  std::map<std::string, int> calls;
  std::map<std::string, Result> failures;
  std::map<Address, std::vector<char>> memory;
  std::size_t allocated = 0, of_device = 0; // of both, what the device itself took when it was opened
  std::uintptr_t streams = 0;
  bool capturing = false;
  Work captured;
  std::string linked;
};
inline std::recursive_mutex mutex;
inline State state;
inline std::map<std::string, GpuProgram> entries;
inline thread_local cuda::Context current = nullptr;

/// Counts the call; the failure that was asked for, or success.
Result called(const char* function, bool needs_context = true);
/// Now, or when the graph is replayed.
Result submit(std::function<void()> work);

/// The first of a device's streams, which is the one that is captured.
inline const auto main_stream = reinterpret_cast<Stream>(std::uintptr_t{1});

// Each fills its part of the table.
void describe_device(Driver&);
void describe_memory(Driver&);
void describe_streams(Driver&);
void describe_modules(Driver&);

} // namespace fake

/// Starts every function that takes part.
#define CALLED(name, ...)                                                                                                          \
  std::lock_guard lock(mutex);                                                                                                     \
  if (const Result result = called(#name __VA_OPT__(, ) __VA_ARGS__); result != cuda::success)                                     \
    return result;

// The inside of the fake driver: what its functions share.
#pragma once
#include "FakeDriver.h"

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace fake {

using namespace tegula::gpu;
using cuda::Address, cuda::Result, cuda::Stream;

inline constexpr Result invalid_context = 201, invalid_image = 200, not_found = 500, illegal_state = 401;

/// Work in a stream. It runs when it is first there and ready.
struct Item {
  std::function<void()> work;
  std::function<bool()> is_ready;
};
/// Of a graph.
struct FakeNode {
  std::function<void()> work = {};
  bool is_kernel = false, reaches_host = false;
  std::vector<std::size_t> after = {};
};
using FakeGraph = std::vector<FakeNode>;

struct FakeEvent {
  double time = 0;
  std::uint64_t recorded = 0, reached = 0; // how often
};

struct State {
  DriverOptions options;
  bool delayed = false;
  int waits_left_out = 0; // after one, copies that were under way never arrive: the host's memory may be gone, if it is not pinned
  int strays = 0;
  std::mt19937 random;
  std::map<Stream, std::deque<Item>> streams_of_work;
  std::list<Item> nodes;                             // of launched graphs, in no order but their own
  std::map<std::string, int> left_out;               // the calls that do nothing, counted down
  std::map<std::size_t, std::vector<Address>> freed; // by size, while work is delayed: handed out again first
  std::map<std::string, int> calls;
  std::map<std::string, Result> failures;
  std::map<Address, std::vector<char>> memory;
  std::size_t allocated = 0, of_device = 0; // of both, what the device itself took when it was opened
  std::map<void*, std::vector<char>> pinned_memory;
  std::map<void*, std::vector<char>> unpinned; // while work is delayed, it may still be used
  std::size_t pinned = 0, pinned_of_device = 0;
  std::uintptr_t streams = 0;
  std::vector<int> priorities;
};
/// Of all that follows; it knows who is inside.
class Mutex {
public:
  void lock() {
    mutex_.lock();
    ++depth_of_this_thread;
  }
  void unlock() {
    --depth_of_this_thread;
    mutex_.unlock();
  }
  static inline thread_local int depth_of_this_thread = 0;

private:
  std::recursive_mutex mutex_;
};
inline Mutex mutex;
inline State state;
inline std::map<std::string, GpuProgram> entries;
inline thread_local cuda::Context current = nullptr;

/// Counts the call; the failure that was asked for, or success.
Result called(const char* function, bool needs_context = true);
/// Now, or when the graph is replayed, or sooner or later.
Result submit(Stream, std::function<void()> work, std::function<bool()> is_ready = {});
/// Does work, chosen at random where there is a choice, until something holds. False if nothing can be done any more.
bool work_until(const std::function<bool()>&);
/// One piece of it, perhaps.
void work_a_little();
/// The programs of a launch, with a copy of its packed parameters. None, if those are not well-formed.
std::function<void()> programs_of(cuda::Entry, unsigned blocks, void** packed);
/// Whether the bytes lie in one allocation of the device.
bool holds(Address, std::size_t bytes);
/// The same, of pinned memory of the host that is not free.
bool is_pinned(const void*);
/// Whether this call is to do nothing.
bool is_left_out(const std::string& function);

// Each fills its part of the table.
void describe_device(Driver&);
void describe_memory(Driver&);
void describe_streams(Driver&);
void describe_modules(Driver&);
void describe_graphs(Driver&);

} // namespace fake

/// Starts every function that takes part.
#define CALLED(name, ...)                                                                                                          \
  std::lock_guard lock(mutex);                                                                                                     \
  if (const Result result = called(#name __VA_OPT__(, ) __VA_ARGS__); result != cuda::success)                                     \
    return result;

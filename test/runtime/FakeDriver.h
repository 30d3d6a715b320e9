// A driver for tests of the run time alone: device memory is host memory, and entries are C++ functions, found by their names.
#pragma once
#include "lib/runtime/gpu/Event.h"
#include "tegula/host/op.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace fake {

/// One program: `parameters` point to the words of GpuKernel, `block` is %ctaid.x. Of more than a million, the first and the last
/// run.
using GpuProgram = void (*)(void** parameters, std::int64_t block);
/// Whether this thread is in a function of the driver's.
bool is_inside_driver();
/// What an entry of this name does.
void define_entry(const std::string& entry, GpuProgram);

inline std::int64_t word(void** parameters, int i) {
  std::int64_t value;
  std::memcpy(&value, parameters[i], sizeof value);
  return value;
}

struct DriverOptions {
  int version = 12040;
  int major = 9, minor = 0;
  std::size_t memory = std::size_t{64} << 20;
  std::size_t pinned_memory = std::size_t{256} << 20;
  bool pools = true;
};
/// A fresh driver; what was said to the one before is forgotten.
const tegula::gpu::Driver& driver(DriverOptions = {});
/// The same, to take functions away from.
tegula::gpu::Driver& driver_to_change(DriverOptions = {});

/// A device of a fresh driver.
tegula::Device gpu(DriverOptions = {});
tegula::Device gpu(const tegula::gpu::Driver&);

/// The next call of this function fails.
void fail_call(const std::string& function, int result);
/// How often this function was called since the last device was opened.
int calls(const std::string& function);
/// Of the streams that were made since the driver was, in order.
std::vector<int> priorities();
/// From now on work is done in any order that streams, events and edges of graphs allow, as late as that: the seed says which.
void delay(unsigned seed);
/// The n-th call of this function from now on, counted from 1, does nothing; of a free, it does not wait. Of "graph edge", the n-th
/// edge of a graph, by whichever function it is added.
void leave_out(const std::string& function, int n);
/// What went wrong since the driver was made and no result need show: programs of an unloaded module that ran, copies from or to
/// pinned memory that was free by then, graphs that were destroyed while they ran.
int strays();
/// How much memory is allocated, without what a device takes for itself.
std::size_t allocated();
/// The same, of pinned memory of the host.
std::size_t pinned();

} // namespace fake

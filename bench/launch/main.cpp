// What a launch costs beside the bare driver's, in turns in one run: launches back to back, launches that are waited for, and how
// often the host allocates; then graphs, and work that overlaps. One JSON object per line.
//   launch_bench [LAUNCHES] [ROUNDS]
#include "graphs.hpp"
#include "kernels.hpp"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/gpu/Event.h"
#include "lib/runtime/gpu/GpuQueue.h"
#include "measure.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

static std::atomic<long> allocations{0};
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* block = std::malloc(bytes))
    return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace {

using namespace tegula;
using launches::median, launches::seconds;

/// One kernel with N inputs of one tile.
template <int N, class K> class Subject {
public:
  Subject(const Device& device, const K& kernel) : device_(device), gpu_(gpu::gpu_of(device)), kernel_(kernel) {
    for (Tensor<f32, 1>& x : inputs_)
      x = Tensor<f32, 1>::full(device, {launches::tile}, 1);
    y_ = Tensor<f32, 1>::zeros(device, {launches::tile});
    start();
    prepare_bare();
  }

  void start() {
    std::apply([&](const auto&... x) { kernel_(out(y_), x...).start(); }, inputs_);
  }
  void sync() {
    std::apply([&](const auto&... x) { kernel_(out(y_), x...).sync(); }, inputs_);
  }
  void wait() const { y_.sync(); }

  void bare() {
    driver().cuLaunchKernel.pointer(code_->entry(), 1, 1, 1, static_cast<unsigned>(code_->code().threads), 1, 1,
                                    static_cast<unsigned>(code_->code().shared_bytes), gpu_.context().stream(), parameters_.data(),
                                    nullptr);
  }
  void wait_bare() { driver().cuStreamSynchronize.pointer(gpu_.context().stream()); }

private:
  const gpu::Driver& driver() { return gpu_.context().driver(); }
  /// The same launch, with everything in its place before.
  void prepare_bare() {
    std::array<host::Argument, N + 1> arguments;
    const auto add = [&](std::size_t i, const host::Input<f32, 1>& input) {
      host::Handles::hold(arguments[i], kernel_.state(), static_cast<int>(i), input);
      words_.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(arguments[i].view.data)));
      words_.push_back(launches::tile);
      words_.push_back(1);
    };
    add(0, y_);
    for (std::size_t i = 0; i < N; ++i)
      add(i + 1, inputs_[i]);
    code_ = std::static_pointer_cast<const gpu::LoadedKernel>(gpu_.prepare(*kernel_.state(), arguments.data(), N + 1));
    for (host::Argument& argument : arguments)
      host::release_argument(argument);
    words_.insert(words_.end(), {0, 1, 0, static_cast<std::int64_t>(gpu_.context().nothing())});
    for (std::int64_t& word : words_)
      parameters_.push_back(&word);
    if (!code_->code().maps.empty())
      throw Error("the bare launch knows nothing of tensor maps");
  }

  const Device& device_;
  gpu::GpuDevice& gpu_;
  const K& kernel_;
  std::array<Tensor<f32, 1>, N> inputs_;
  Tensor<f32, 1> y_;
  std::shared_ptr<const gpu::LoadedKernel> code_;
  std::vector<std::int64_t> words_;
  std::vector<void*> parameters_;
};

template <int N, class K> void measure(const Device& device, const K& kernel, int launches, int rounds) {
  Subject<N, K> subject(device, kernel);
  std::vector<double> ours, bare, above, our_sync, bare_sync, sync_above;
  const auto ns = [&](double seconds) { return seconds * 1e9 / launches; };
  long allocated = 0;
  gpu::Context::Use use(gpu::gpu_of(device).context());
  for (int round = 0; round < rounds; ++round) {
    const long before = allocations;
    ours.push_back(ns(seconds([&] {
      for (int i = 0; i < launches; ++i)
        subject.start();
      subject.wait();
    })));
    allocated = allocations - before;
    bare.push_back(ns(seconds([&] {
      for (int i = 0; i < launches; ++i)
        subject.bare();
      subject.wait_bare();
    })));
    above.push_back(ours.back() - bare.back());
    our_sync.push_back(ns(seconds([&] {
      for (int i = 0; i < launches; ++i)
        subject.sync();
    })));
    bare_sync.push_back(ns(seconds([&] {
      for (int i = 0; i < launches; ++i) {
        subject.bare();
        subject.wait_bare();
      }
    })));
    sync_above.push_back(our_sync.back() - bare_sync.back());
  }
  std::printf("{\"bench\":\"launch\",\"device\":\"%s\",\"arguments\":%d,\"launches\":%d,\"rounds\":%d,"
              "\"chained_ns\":%.0f,\"chained_bare_ns\":%.0f,\"chained_above_ns\":%.0f,"
              "\"sync_ns\":%.0f,\"sync_bare_ns\":%.0f,\"sync_above_ns\":%.0f,\"allocations_per_launch\":%.2f}\n",
              device.name(), N + 1, launches, rounds, median(ours), median(bare), median(above), median(our_sync),
              median(bare_sync), median(sync_above), static_cast<double>(allocated) / launches);
}

} // namespace

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 1000, rounds = argc > 2 ? std::atoi(argv[2]) : 21;
  const Device device = Device::gpu();
  measure<1>(device, launches::with_2, launches, rounds);
  measure<4>(device, launches::with_5, launches, rounds);
  measure<9>(device, launches::with_10, launches, rounds);
  launches::measure_graphs(device, rounds);
  launches::measure_overlap(device, rounds);
}

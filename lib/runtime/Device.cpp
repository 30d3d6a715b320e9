#include "lib/runtime/CpuDevice.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Environment.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/gpu/Devices.h"
#include "tegula/error.hpp"
#include "tegula/host/queue.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>

namespace tegula {
namespace host {

void retain(DeviceState* state) noexcept { state->owners.fetch_add(1, std::memory_order_relaxed); }
void release(DeviceState* state) noexcept {
  if (state->owners.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (!runtime::is_in_print_sink()) {
    delete state;
    return;
  }
  try { // a sink is called by the device's own threads, which cannot wait for themselves
    std::thread([state] { delete state; }).detach();
  } catch (const std::exception&) { // no thread is to be had: a leak is all that is safe
  }
}

DeviceState* state_of(const Device& device) noexcept { return device.state_; }

DeviceStatistics DeviceState::statistics() const noexcept {
  return {.bytes_in_use = bytes_in_use,
          .peak_bytes = peak_bytes,
          .bytes_reserved = bytes_reserved(),
          .launches = launches,
          .programs = programs,
          .kernels_compiled = kernels_compiled()};
}

void DeviceState::count_bytes(std::int64_t more) noexcept {
  const std::int64_t in_use = bytes_in_use.fetch_add(more) + more;
  std::int64_t peak = peak_bytes.load();
  while (peak < in_use && !peak_bytes.compare_exchange_weak(peak, in_use)) {
  }
}

} // namespace host

namespace {

constexpr int most_threads = 4096;

int default_threads() {
  const std::optional<std::uint64_t> wanted = runtime::number("TEGULA_THREADS", 1, most_threads, "a number");
  return wanted ? static_cast<int>(*wanted) : runtime::usable_cores();
}

} // namespace

/// Before a device is made or found.
static void prepare() {
  runtime::refuse_if_forked();
  runtime::watch_forks();
  runtime::warn_of_unknown_variables();
}

Device Device::cpu() {
  prepare();
  // Never destroyed: tensors with static storage may outlive any other static object.
  static host::DeviceState* const state = new runtime::CpuDevice("cpu", default_threads());
  host::retain(state);
  return Device(state);
}

Device Device::cpu(int threads) {
  if (threads < 1 || threads > most_threads)
    throw Error("Device::cpu(" + std::to_string(threads) + "): a device has 1 to " + std::to_string(most_threads) + " threads");
  prepare();
  return Device(new runtime::CpuDevice("cpu with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), threads));
}

Device Device::best() {
  prepare();
  const char* wanted = std::getenv("TEGULA_DEVICE");
  const std::string_view text = wanted ? wanted : "";
  if (text.empty()) {
    const std::optional<int> usable = tegula::gpu::first_usable();
    return usable ? gpu(*usable) : cpu();
  }
  if (text == "cpu")
    return cpu();
  if (text == "gpu")
    return gpu();
  constexpr std::string_view numbered = "gpu:";
  int ordinal = -1;
  if (text.starts_with(numbered)) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + numbered.size(), end, ordinal);
    if (error != std::errc{} || stop != end)
      ordinal = -1;
  }
  if (ordinal < 0)
    throw Error("TEGULA_DEVICE is '" + std::string(text) + "'; set it to cpu, gpu or gpu:N, or unset it");
  return gpu(ordinal);
}

Device Device::gpu(int ordinal) {
  prepare();
  host::DeviceState* const state = tegula::gpu::device(ordinal);
  host::retain(state);
  return Device(state);
}

int Device::gpus() { return tegula::gpu::count(); }

Device::Device(const Device& other) noexcept : state_(other.state_) { host::retain(state_); }
Device& Device::operator=(const Device& other) noexcept {
  host::retain(other.state_);
  host::release(state_);
  state_ = other.state_;
  return *this;
}
Queue Device::queue() const { return queue(Priority::normal); }
Queue Device::queue(Priority priority) const { return Queue(*this, &state_->own_queue(priority), false); }
void Device::synchronize() const {
  runtime::refuse_if_forked();
  state_->finish();
  state_->tell_failure();
}

Queue::Queue(const Device& device, Priority priority)
    : device_(device), state_(&host::state_of(device)->lease_queue(priority)), leased_(true) {}
Queue::~Queue() {
  if (leased_)
    host::state_of(device_)->give_back(*state_);
}
bool Queue::ready() const {
  u64 last = 0;
  {
    const std::lock_guard lock(state_->device.submitting);
    last = state_->submitted();
  }
  return state_->is_finished(last, true);
}
void Queue::sync() const {
  if (state_->recording())
    throw Error("tegula: sync() of a Recorder, which runs nothing: finish it, and replay the graph");
  u64 last = 0;
  {
    const std::lock_guard lock(state_->device.submitting);
    last = state_->submitted();
  }
  state_->wait(last);
  state_->settle(last);
  state_->device.tell_failure(state_);
}

Device::~Device() { host::release(state_); }
bool Device::is_cpu() const noexcept { return state_->is_host(); }
const char* Device::name() const noexcept { return state_->name().c_str(); }
int Device::parallelism() const noexcept { return state_->parallelism(); }
std::int64_t Device::memory_bytes() const noexcept { return state_->memory_bytes(); }
DeviceStatistics Device::statistics() const noexcept { return state_->statistics(); }

} // namespace tegula

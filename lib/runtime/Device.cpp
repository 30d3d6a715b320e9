#include "lib/runtime/CpuDevice.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace tegula {
namespace host {

void retain(DeviceState* state) noexcept { state->owners.fetch_add(1, std::memory_order_relaxed); }
void release(DeviceState* state) noexcept {
  if (state->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete state;
}

DeviceStatistics DeviceState::statistics() const noexcept {
  return {.bytes_in_use = bytes_in_use,
          .peak_bytes = peak_bytes,
          .launches = launches,
          .programs = programs,
          .kernels_compiled = kernels.compiled()};
}

} // namespace host

namespace {

constexpr int most_threads = 4096;

int default_threads() {
  const char* text = std::getenv("TEGULA_THREADS");
  if (!text || !*text)
    return runtime::usable_cores();
  int threads = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, threads);
  if (error != std::errc{} || stop != end || threads < 1 || threads > most_threads)
    throw Error("TEGULA_THREADS is '" + std::string(text) + "'; set it to a number from 1 to " + std::to_string(most_threads) +
                ", or unset it");
  return threads;
}

} // namespace

Device Device::cpu() {
  // Never destroyed: tensors with static storage may outlive any other static object.
  static host::DeviceState* const state = new runtime::CpuDevice("cpu", default_threads());
  host::retain(state);
  return Device(state);
}

Device Device::cpu(int threads) {
  if (threads < 1 || threads > most_threads)
    throw Error("Device::cpu(" + std::to_string(threads) + "): a device has 1 to " + std::to_string(most_threads) + " threads");
  return Device(new runtime::CpuDevice("cpu with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"), threads));
}

Device::Device(const Device& other) noexcept : state_(other.state_) { host::retain(state_); }
Device& Device::operator=(const Device& other) noexcept {
  host::retain(other.state_);
  host::release(state_);
  state_ = other.state_;
  return *this;
}
Device::~Device() { host::release(state_); }
const char* Device::name() const noexcept { return state_->name().c_str(); }
int Device::parallelism() const noexcept { return state_->parallelism(); }
DeviceStatistics Device::statistics() const noexcept { return state_->statistics(); }

} // namespace tegula

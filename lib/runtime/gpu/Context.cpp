#include "lib/runtime/gpu/Context.h"
#include "tegula/error.hpp"

#include <array>

namespace tegula::gpu {
namespace {

// Numbers of attributes, as the driver's interface fixes them.
constexpr int multiprocessor_count = 16, capability_major = 75, capability_minor = 76, memory_pools_supported = 115;
constexpr std::size_t nothing_bytes = 256;
constexpr unsigned non_blocking = 1; // a stream that does not wait for the default one

} // namespace

std::string target_of(int major, int minor) {
  if (major < 8)
    return "";
  return "sm_" + std::to_string(major * 10 + minor) + (major >= 9 ? "a" : "");
}

Context::Context(const Driver& driver, int ordinal) : driver_(driver), ordinal_(ordinal), name_("GPU " + std::to_string(ordinal)) {
  const auto opening = [] { return std::string("opening the device"); };
  call(driver_.cuDeviceGet, opening, &device_, ordinal);
  describe();
  call(driver_.cuDevicePrimaryCtxRetain, opening, &context_, device_);
  try {
    Use use(*this);
    stream_ = make_stream(Priority::normal);
    reading_ = make_stream(Priority::normal);
    call(driver_.cuMemAlloc_v2, opening, &nothing_, nothing_bytes);
    call(driver_.cuMemsetD8Async, opening, nothing_, static_cast<unsigned char>(0), nothing_bytes, stream_);
    call(driver_.cuStreamSynchronize, opening, stream_); // every queue may read it
  } catch (...) {
    driver_(driver_.cuDevicePrimaryCtxRelease_v2, device_);
    throw;
  }
}

cuda::Stream Context::make_stream(Priority priority) const {
  const auto purpose = [] { return std::string("opening a queue"); };
  int least = 0, greatest = 0; // the greatest priority is the least number
  call(driver_.cuCtxGetStreamPriorityRange, purpose, &least, &greatest);
  const int number = priority == Priority::high ? greatest : priority == Priority::low ? least : (least + greatest) / 2;
  cuda::Stream stream = nullptr;
  call(driver_.cuStreamCreateWithPriority, purpose, &stream, non_blocking, number);
  return stream;
}

void Context::describe() {
  const auto opening = [] { return std::string("asking what the device is"); };
  const auto attribute = [&](int number) {
    int value = 0;
    call(driver_.cuDeviceGetAttribute, opening, &value, number, device_);
    return value;
  };
  std::array<char, 256> name{};
  call(driver_.cuDeviceGetName, opening, name.data(), static_cast<int>(name.size()) - 1, device_);
  const int major = attribute(capability_major), minor = attribute(capability_minor);
  target_ = target_of(major, minor);
  if (target_.empty())
    throw Error("tegula: GPU " + std::to_string(ordinal_) + ", '" + name.data() + "', has compute capability " +
                std::to_string(major) + "." + std::to_string(minor) +
                "; kernels need 8.0 (Ampere) or later: choose another device, or Device::cpu()");
  name_ = std::string(name.data()) + " (" + target_ + ", driver " + driver_.version_text() + ")";
  multiprocessors_ = attribute(multiprocessor_count);
  has_pools_ = attribute(memory_pools_supported) != 0;
  std::size_t total = 0;
  call(driver_.cuDeviceTotalMem_v2, opening, &total, device_);
  memory_bytes_ = static_cast<std::int64_t>(total);
}

Context::~Context() {
  try {
    {
      Use use(*this);
      driver_(driver_.cuStreamSynchronize, stream_);
      driver_(driver_.cuMemFree_v2, nothing_);
      driver_(driver_.cuStreamDestroy_v2, stream_);
      driver_(driver_.cuStreamDestroy_v2, reading_);
    }
    driver_(driver_.cuDevicePrimaryCtxRelease_v2, device_);
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

Context::Use::Use(const Context& context, const std::function<std::string()>& wanted) : context_(context) {
  if (context.lost_.load(std::memory_order_acquire))
    throw DriverError("tegula: device '" + context.name_ +
                      "' is lost, with all of its tensors: restart the program. It began with: " + context.first_error_);
  const auto purpose = [&] { return wanted ? wanted() : "making the device the thread's"; };
  context.call(context.driver_.cuCtxGetCurrent, purpose, &before_);
  if (before_ == context.context_)
    return;
  context.call(context.driver_.cuCtxSetCurrent, purpose, context.context_);
  changed_ = true;
}

Context::Use::~Use() {
  if (changed_)
    context_.driver_.cuCtxSetCurrent.pointer(before_); // was there a moment ago
}

void Context::fail(const char* function, cuda::Result result, const std::string& purpose) const {
  const std::string text =
      "tegula: " + purpose + ": " + function + " failed on device '" + name_ + "': " + driver_.describe(result) + way_out(result);
  if (loses_device(result)) {
    std::lock_guard lock(losing_);
    if (!lost_.load(std::memory_order_relaxed)) {
      first_error_ = text;
      lost_.store(true, std::memory_order_release);
    }
  }
  throw DriverError(text);
}

} // namespace tegula::gpu

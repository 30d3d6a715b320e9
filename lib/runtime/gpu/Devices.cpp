#include "lib/runtime/gpu/Devices.h"
#include "lib/runtime/Environment.h"
#include "lib/runtime/gpu/GpuDevice.h"
#include "tegula/error.hpp"

#include <cstdlib>
#include <mutex>
#include <vector>

namespace tegula::gpu {
namespace {

constexpr int oldest_version = 12000;
constexpr int capability_major = 75; // an attribute, as the driver's interface fixes it

class Machine {
public:
  static Machine& instance() {
    static Machine& machine = *new Machine;
    return machine;
  }

  int count() const noexcept { return static_cast<int>(devices_.size()); }
  /// A driver that the user names is wanted.
  void require_named_driver() const {
    if (named_ && !driver_)
      throw Error("TEGULA_DRIVER is '" + *named_ + "': " + why_not_ + ", or unset it");
  }

  bool is_usable(int ordinal) const {
    cuda::Ordinal device = 0;
    int major = 0;
    return (*driver_)(driver_->cuDeviceGet, &device, ordinal) == cuda::success &&
           (*driver_)(driver_->cuDeviceGetAttribute, &major, capability_major, device) == cuda::success &&
           !target_of(major, 0).empty();
  }

  host::DeviceState* device(int ordinal) {
    const std::string call = "tegula: Device::gpu(" + std::to_string(ordinal) + "): ";
    if (devices_.empty())
      throw Error(call + "there is no GPU: " + why_not_);
    if (ordinal < 0 || ordinal >= count())
      throw Error(call + (count() == 1 ? "this machine has one GPU, number 0"
                                       : "this machine has GPUs 0 to " + std::to_string(count() - 1)));
    std::lock_guard lock(mutex_);
    GpuDevice*& device = devices_[static_cast<std::size_t>(ordinal)];
    if (!device)
      device = new GpuDevice(*driver_, ordinal);
    return device;
  }

private:
  Machine() {
    named_ = runtime::setting("TEGULA_DRIVER");
    driver_ = Driver::load(named_ ? named_->c_str() : "libcuda.so.1", why_not_);
    if (!driver_)
      return;
    if (driver_->version < oldest_version) {
      why_not_ = "the driver '" + driver_->library + "' supports CUDA " + driver_->version_text() +
                 ", and Tegula needs 12.0 or later; update the driver";
      return;
    }
    int devices = 0;
    cuda::Result result = (*driver_)(driver_->cuInit, 0u);
    if (result == cuda::success)
      result = (*driver_)(driver_->cuDeviceGetCount, &devices);
    if (result != cuda::success)
      why_not_ = "the driver '" + driver_->library + "' does not start: " + driver_->describe(result) + way_out(result);
    else if (devices == 0)
      why_not_ = "the driver '" + driver_->library + "' shows no device (is CUDA_VISIBLE_DEVICES set?)";
    devices_.resize(static_cast<std::size_t>(devices));
  }

  std::unique_ptr<const Driver> driver_;
  std::optional<std::string> named_; // the driver, by the user
  std::string why_not_;
  std::mutex mutex_; // of the devices that are there, not of how many there are
  std::vector<GpuDevice*> devices_;
};

} // namespace

int count() {
  Machine::instance().require_named_driver();
  return Machine::instance().count();
}

std::optional<int> first_usable() {
  const Machine& machine = Machine::instance();
  machine.require_named_driver();
  for (int ordinal = 0; ordinal < machine.count(); ++ordinal)
    if (machine.is_usable(ordinal))
      return ordinal;
  return std::nullopt;
}

host::DeviceState* device(int ordinal) { return Machine::instance().device(ordinal); }

} // namespace tegula::gpu

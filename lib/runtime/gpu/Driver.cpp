#include "lib/runtime/gpu/Driver.h"
#include "tegula/error.hpp"

#include <dlfcn.h>

namespace tegula::gpu {
namespace {

template <class... A> void find(void* library, DriverFunction<A...>& function) {
  function.pointer = reinterpret_cast<cuda::Result (*)(A...)>(::dlsym(library, function.name));
}

} // namespace

std::unique_ptr<const Driver> Driver::load(const std::string& library, std::string& why_not) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* reason = ::dlerror();
    why_not = "NVIDIA's driver library '" + library + "' cannot be loaded (" + (reason ? reason : "no reason given") +
              "); install the driver, or name its library in TEGULA_DRIVER";
    return nullptr;
  }
  auto driver = std::make_unique<Driver>();
  driver->library = library;
#define TEGULA_FIND(name, ...) find(handle, driver->name);
  TEGULA_DRIVER_FUNCTIONS(TEGULA_FIND)
#undef TEGULA_FIND
  if (!driver->cuInit.pointer || !driver->cuDriverGetVersion.pointer) {
    why_not = "'" + library + "' has no cuInit or no cuDriverGetVersion, so it is not NVIDIA's driver; name the right library in " +
              "TEGULA_DRIVER, or unset it";
    return nullptr;
  }
  driver->cuDriverGetVersion.pointer(&driver->version);
  return driver;
}

std::string Driver::describe(cuda::Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName.pointer)
    cuGetErrorName.pointer(result, &name);
  if (cuGetErrorString.pointer)
    cuGetErrorString.pointer(result, &text);
  return std::string(name ? name : "an error") + " (" + std::to_string(result) + (text ? std::string(", ") + text : "") + ")";
}

std::string Driver::version_text() const { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

void Driver::throw_missing(const char* function) const {
  throw DriverError("tegula: the driver '" + library + "' (CUDA " + version_text() + ") has no function " + function +
                    "; update the driver");
}

bool loses_device(cuda::Result result) noexcept {
  switch (result) {
  case 214: // memory error that could not be corrected
  case 220: // error on the link between devices
  case 700: // illegal address
  case 702: // ran for too long
  case 709: // context was destroyed
  case 710: // device-side assertion
  case 714: // stack
  case 715: // illegal instruction
  case 716: // misaligned address
  case 717: // address of the wrong space
  case 718: // program counter
  case 719: // any other failure while a kernel ran
    return true;
  default:
    return false;
  }
}

std::string way_out(cuda::Result result) {
  switch (result) {
  case 222: // PTX newer than the driver
    return "; the driver is too old for the code: update it";
  case 46: // device unavailable
    return "; another process holds the device: end it, or set TEGULA_DEVICE=cpu";
  case 701: // out of resources
    return "; the kernel needs more registers or threads than a block can have: use smaller tiles, or fewer warps in its hints";
  case 803: // library and kernel module differ
    return "; the driver was updated while it was loaded: restart the machine";
  case 700:
  case 716:
  case 719:
    return "; run the program with TEGULA_CHECKS=everything, or on Device::cpu(), to find the access";
  default:
    return "";
  }
}

} // namespace tegula::gpu

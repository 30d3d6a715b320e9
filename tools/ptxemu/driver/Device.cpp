// Initialisation, errors, the device and its context.
#include <cstring>
#include <map>

#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

namespace {

struct ErrorText {
  const char *name, *text;
};

const std::map<int, ErrorText>& error_texts() {
  static const std::map<int, ErrorText> texts = {
      {success, {"CUDA_SUCCESS", "no error"}},
      {invalid_value, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
      {out_of_memory, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {not_initialised, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {invalid_device, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {invalid_image, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
      {invalid_context, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
      {no_binary, {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"}},
      {invalid_ptx, {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
      {invalid_handle, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
      {not_found, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {not_ready, {"CUDA_ERROR_NOT_READY", "device not ready"}},
      {illegal_address, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
      {out_of_resources, {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"}},
      {timeout, {"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}},
      {misaligned_address, {"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"}},
      {launch_failed, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
      {not_supported, {"CUDA_ERROR_NOT_SUPPORTED", "operation not supported"}}};
  return texts;
}

int attribute(const State& s, int which) {
  switch (which) {
  case 1:
  case 2:
  case 3: // threads of a block, in all and by axis
    return 1024;
  case 4:
    return 64;
  case 5: // blocks of a grid, by axis
    return 2147483647;
  case 6:
  case 7:
    return 65535;
  case 8: // shared memory of a block
    return 48 * 1024;
  case 10: // lanes of a warp
    return 32;
  case 12:
  case 82: // registers of a block, of a multiprocessor
    return 65536;
  case 13:
  case 36: // clocks, kHz
    return 1000000;
  case 16: // multiprocessors
    return 4;
  case 37: // width of the memory bus
    return 256;
  case 38: // level-2 cache
    return 4 << 20;
  case 39: // threads of a multiprocessor
    return 2048;
  case 41:
  case 95:
  case 115: // unified addresses, cooperative launches, memory pools
    return 1;
  case 75:
    return s.architecture / 10;
  case 76:
    return s.architecture % 10;
  case 81: // shared memory of a multiprocessor
    return 233472;
  case 97: // shared memory of a block, on request
    return s.architecture >= 90 && s.architecture < 120 ? 232448 : s.architecture == 80 ? 166912 : 101376;
  case 106: // blocks of a multiprocessor
    return 32;
  case 111: // shared memory that the system reserves in each block
    return 1024;
  default:
    return 0;
  }
}

char context_object; // its address is the context

} // namespace

PTXEMU_EXPORT int cuInit(unsigned flags) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  s.initialised = true;
  const char* delay = std::getenv("TEGULA_PTXEMU_DELAY");
  s.work.delay(delay && *delay ? std::optional(std::strtoull(delay, nullptr, 0)) : std::nullopt);
  return flags == 0 ? success : invalid_value;
}

PTXEMU_EXPORT int cuDriverGetVersion(int* version) {
  *version = 13000;
  return success;
}

PTXEMU_EXPORT int cuGetErrorName(int error, const char** text) {
  auto found = error_texts().find(error);
  *text = found == error_texts().end() ? nullptr : found->second.name;
  return *text ? success : invalid_value;
}

// Of the error that lost the device, it is the emulator's report.
PTXEMU_EXPORT int cuGetErrorString(int error, const char** text) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  auto found = error_texts().find(error);
  *text = found == error_texts().end() ? nullptr : found->second.text;
  if (error != success && error == s.lost)
    *text = s.report.c_str();
  return *text ? success : invalid_value;
}

PTXEMU_EXPORT int cuDeviceGetCount(int* count) {
  return guarded([&](State&) {
    *count = 1;
    return success;
  });
}

PTXEMU_EXPORT int cuDeviceGet(int* device, int ordinal) {
  return guarded([&](State&) {
    *device = ordinal;
    return ordinal == 0 ? success : invalid_device;
  });
}

PTXEMU_EXPORT int cuDeviceGetName(char* name, int length, int device) {
  return guarded([&](State&) {
    if (device != 0 || length <= 0)
      return device != 0 ? invalid_device : invalid_value;
    std::strncpy(name, "PTX emulator", static_cast<std::size_t>(length));
    name[length - 1] = '\0';
    return success;
  });
}

PTXEMU_EXPORT int cuDeviceGetAttribute(int* value, int which, int device) {
  return guarded([&](State& s) {
    *value = attribute(s, which);
    return device == 0 ? success : invalid_device;
  });
}

PTXEMU_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return guarded([&](State& s) {
    *bytes = s.total_memory;
    return device == 0 ? success : invalid_device;
  });
}

PTXEMU_EXPORT int cuDeviceGetUuid(char* uuid, int device) {
  return guarded([&](State&) {
    constexpr char bytes[16] = {'P', 'T', 'X', ' ', 'e', 'm', 'u', 'l', 'a', 't', 'o', 'r'};
    std::memcpy(uuid, bytes, sizeof bytes);
    return device == 0 ? success : invalid_device;
  });
}

PTXEMU_EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  return guarded([&](State&) {
    *context = &context_object;
    return device == 0 ? success : invalid_device;
  });
}

// Works on a lost device too: it is the way back.
PTXEMU_EXPORT int cuDevicePrimaryCtxRelease_v2(int device) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  s.work.wait_for_all(s);
  s.lost = success;
  s.report.clear();
  return device == 0 ? success : invalid_device;
}

PTXEMU_EXPORT int cuCtxSetCurrent(void* context) {
  return guarded([&](State& s) {
    s.current_context = context;
    return success;
  });
}

PTXEMU_EXPORT int cuCtxGetCurrent(void** context) {
  return guarded([&](State& s) {
    *context = s.current_context;
    return success;
  });
}

PTXEMU_EXPORT int cuCtxSynchronize() {
  return guarded([](State& s) {
    s.work.wait_for_all(s);
    return s.lost;
  });
}

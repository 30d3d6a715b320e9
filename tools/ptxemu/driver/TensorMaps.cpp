// cuTensorMapEncodeTiled
#include "tools/ptxemu/TensorMap.h"

#include <cstdio>
#include <cstring>

#include "tools/ptxemu/driver/State.h"

using namespace ptxemu;
using namespace ptxemu::driver;

PTXEMU_EXPORT int cuTensorMapEncodeTiled(void* map, int type, unsigned rank, std::uint64_t address, const std::uint64_t* extents,
                                         const std::uint64_t* strides, const std::uint32_t* box,
                                         const std::uint32_t* element_strides, int interleave, int swizzle, int, int) {
  return guarded([&](State&) {
    TensorMap filled;
    std::string wrong = fill_tensor_map(filled, type, rank, address, extents, strides, box, element_strides, interleave, swizzle);
    if (!wrong.empty()) {
      std::fprintf(stderr, "PTX emulator: cuTensorMapEncodeTiled: %s\n", wrong.c_str());
      return invalid_value;
    }
    std::memset(map, 0, 128);
    std::memcpy(map, &filled, sizeof filled);
    return success;
  });
}

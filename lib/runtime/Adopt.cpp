// Memory that somebody else made.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "tegula/error.hpp"

namespace tegula::host {

Control* adopt(const Device& device, DType dtype, int rank, const i64* extents, std::shared_ptr<void> memory) {
  runtime::refuse_if_forked();
  const std::size_t bytes = checked_bytes(dtype, rank, extents);
  const std::string what = "tegula: adopt() of " + std::string(name(dtype)) + " " + shape_text(rank, extents) + ": ";
  if (!memory && bytes != 0)
    throw Error(what + "the pointer is null");
  if (reinterpret_cast<std::uintptr_t>(memory.get()) % static_cast<std::uintptr_t>(size_of(dtype)) != 0)
    throw Error(what + "the pointer is not aligned: elements of " + std::to_string(size_of(dtype)) + " bytes lie at multiples of " +
                std::to_string(size_of(dtype)));
  DeviceState* state = state_of(device);
  Control* control = new_control(state, memory.get(), bytes);
  retain(state);
  control->adopted = std::move(memory);
  return control;
}

} // namespace tegula::host

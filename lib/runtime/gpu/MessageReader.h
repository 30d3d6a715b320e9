// What programs on a GPU left in the buffer of messages.
#pragma once
#include "lib/abi/GpuKernel.h"
#include "lib/runtime/Messages.h"

#include <cstddef>
#include <span>
#include <string>

namespace tegula::gpu {

/// Bytes for the records of a launch: room for every site of every program to speak once, within limits, a multiple of
/// `gpu_message_alignment`; or what the environment variable TEGULA_MESSAGE_BYTES says.
std::size_t message_capacity(const GpuKernel&, std::int64_t programs);

/// Hands the records on in their order. Throws an InternalError if they make no sense.
void read_messages(const std::string& kernel, const GpuKernel&, std::span<const std::byte> records, runtime::LaunchMessages&);

/// What a user is told when records did not fit.
std::string lost_messages_text(const std::string& kernel, std::size_t capacity);

} // namespace tegula::gpu

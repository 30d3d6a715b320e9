// Where the lines go that kernels print.
#pragma once
#include <cstddef>

namespace tegula {

/// Receives one line, without its end. Calls come one at a time, from any thread; the sink must not launch
/// kernels, or read or wait for tensors.
using PrintSink = void (*)(void* user, const char* line, std::size_t length);

/// Null restores the default, standard output.
void set_print_sink(PrintSink, void* user = nullptr);

} // namespace tegula

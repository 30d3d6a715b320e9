// Runs a kernel's body and records what it does.
#pragma once
#include "lib/trace/Record.h"
#include "tegula/kernel/signature.hpp"

#include <cstddef>
#include <source_location>

namespace tegula::trace {

/// Traces the body twice, the second time with every region run twice, and compares: what a kernel does must not depend on state of
/// the host. Throws TraceError, with the place in the user's source. `where` is the place where the kernel was made.
Record record(const char* name, std::source_location where, const detail::ParameterDecl* declarations, std::size_t count,
              detail::Body, const void* callable);

} // namespace tegula::trace

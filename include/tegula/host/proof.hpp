// What is proved about a kernel, for all launches of it.
#pragma once
#include "tegula/host/launch.hpp"

#include <string>

namespace tegula {

/// Traces and proves the kernel, if that has not been done, without launching it. Throws a ProofError if it is refuted; its first
/// launch would.
void prove(const AnyKernel&);

// Every obligation and how it was settled: a table for people, and one JSON object in one line. Of a refuted kernel too.
std::string proof_text(const AnyKernel&);
std::string proof_json(const AnyKernel&);

/// Runs what refutes a kernel, on the CPU: the values that collide, or the address that lies outside.
std::string replay(const AnyKernel&);

} // namespace tegula

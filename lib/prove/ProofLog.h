// Proofs on their way to `tegula prove --run`.
#pragma once
#include "lib/prove/Proof.h"

#include <string>

namespace tegula {

/// If the environment variable TEGULA_PROOFS names a file, appends the proof to it: its JSON, a line each, if the name ends in
/// ".json", else its text. A file that cannot be written is reported on the standard error.
void log_proof(const Proof&);

/// Whether an environment variable names a file; what is appended to it is one write.
bool names_a_file(const char* variable);
void append_to_named_file(const char* variable, const std::string& text);

} // namespace tegula

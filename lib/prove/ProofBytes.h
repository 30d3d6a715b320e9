// Proofs as bytes, for programs that carry them. No MLIR.
#pragma once
#include "lib/prove/Proof.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula {

/// Of a kernel that is not refuted: what refutes one is not among the bytes.
std::string pack_proof(const Proof&);
/// Nothing if the bytes are not a proof.
std::optional<Proof> unpack_proof(std::string_view bytes);

} // namespace tegula

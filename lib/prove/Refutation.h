// The words of a refutation. No MLIR.
#pragma once
#include "lib/prove/Proof.h"

#include <string>

namespace tegula {

/// Starts with the user's file and line; several lines. `relation`: what the kernel may rely on, under which it is right, or
/// nothing.
std::string describe_refutation(const std::string& kernel, const Witness& witness, const std::string& relation);
/// What to write for what cannot be proved, in place of a check: that it relies on the relation, if there is one.
std::string advice(ObligationKind kind, const std::string& relation);
/// In a few words.
std::string summary(const Witness& witness);
/// "parameter 1: 2×3 in tiles of 1×2; parameter 2: 5; 4 programs"
std::string describe_launch(const LaunchShape& launch);
/// "(0, 1)", or "0" for one number.
std::string tuple(const std::vector<std::int64_t>& numbers);

} // namespace tegula

// The compiler's own doors: for tools and tests that start from text, or want it.
#pragma once
#include "lib/compile/Compile.h"

#include <string_view>

namespace tegula {

/// The one kernel of a module of tile IR, as it is. Throws InternalError with the parser's or verifier's message.
std::shared_ptr<const KernelIr> parse_kernel(std::string_view tile_ir);

/// Proves it.
Proved prove_text(std::string_view tile_ir, const ProveOptions& = {});

std::string tile_ir(const KernelIr&);

} // namespace tegula

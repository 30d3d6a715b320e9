// The compiler's own doors: for tools and tests that start from text.
#pragma once
#include "lib/compile/Compile.h"

#include <string_view>

namespace tegula {

/// Compiles the one kernel of a module of tile IR. Throws InternalError with the parser's or verifier's message.
std::shared_ptr<const CpuKernel> compile_text_for_cpu(std::string_view tile_ir, const Specialisation&,
                                                      const CompileOptions& = {.checks = Checks::nothing});

std::shared_ptr<const GpuKernel> compile_text_for_gpu(std::string_view tile_ir, const Specialisation&, const GpuOptions&);

/// Proves the one kernel of a module of tile IR.
Proof prove_text(std::string_view tile_ir, ProveOptions = {});

/// The tile IR of a recorded kernel.
std::string tile_ir(const trace::Record&);

} // namespace tegula

#include "lib/compile/Compile.h"

#include "lib/compile/CompileModule.h"
#include "lib/compile/Compiler.h"
#include "lib/prove/Prover.h"

namespace tegula {

static Proof prove(Compilation& compilation, const ProveOptions& options) {
  return prover::Prover(compilation.kernel(), {.strict = options.strict, .suppress = options.suppress}).run();
}

Proof prove_kernel(const trace::Record& record, ProveOptions options) {
  Compilation compilation(record, {});
  return prove(compilation, options);
}

Proof prove_text(std::string_view text, ProveOptions options) {
  Compilation compilation(text, {});
  return prove(compilation, options);
}

std::string tile_ir(const trace::Record& record) {
  Compilation compilation(record, {});
  return textOf(compilation.module());
}

} // namespace tegula

#include "lib/compile/CompileModule.h"
#include "lib/compile/Compiler.h"

namespace tegula {

static Proved prove(Compilation& compilation, const ProveOptions& options) {
  Proof proof = compilation.prove(options.strict, options.suppress);
  return {std::move(proof), compilation.keep()};
}

Proved prove_kernel(const trace::Record& record, const ProveOptions& options) {
  Compilation compilation(record, options.observer);
  return prove(compilation, options);
}

Proved prove_text(std::string_view text, const ProveOptions& options) {
  Compilation compilation(text, options.observer);
  return prove(compilation, options);
}

std::shared_ptr<const KernelIr> import_kernel(const trace::Record& record) { return Compilation(record, {}).keep(); }

std::shared_ptr<const KernelIr> parse_kernel(std::string_view text) { return Compilation(text, {}).keep(); }

std::string tile_ir(const KernelIr& ir) {
  const Compiler compiler;
  return textOf(ir.module());
}

} // namespace tegula

// The compiler's doors (lib/compile/Compile.h) for programs without a compiler: whatever is asked for has been made when the
// program was built, or is refused.
#include "lib/compile/Compile.h"
#include "lib/aot/Choose.h"
#include "lib/aot/Embedded.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <set>

namespace tegula {
namespace {

constexpr const char* or_compile = "; or link Tegula::tegula, which compiles while the program runs";

std::string kernel_text(const trace::Record& record) { return "kernel '" + record.name + "' (" + place(record.location) + ") "; }

/// There is a kernel in the program that was not there, or not like this, when the others were compiled.
[[noreturn]] void refuse_unknown(const trace::Record& record, const aot::Library& library) {
  const bool known =
      std::ranges::any_of(library.proofs, [&](const aot::ProvedKernel& proved) { return proved.kernel.name == record.name; });
  if (known)
    throw LaunchError(kernel_text(record) +
                      "is not the one of that name that was compiled ahead of time: it records something else; give the two "
                      "different names, or let it not depend on how a file is compiled, and add it to tegula_add_kernels()" +
                      or_compile);
  throw LaunchError(kernel_text(record) + "was not compiled ahead of time" +
                    (library.proofs.empty() ? ": no kernel of this program was" : "") +
                    "; make it at namespace scope in a file that is given to tegula_add_kernels()" + or_compile);
}

std::string targets_of(const aot::Library& library, const aot::Identity& kernel) {
  std::set<std::string> targets;
  for (const aot::Variant& variant : library.variants)
    if (variant.kernel == kernel)
      targets.insert(variant.target);
  std::string text;
  for (const std::string& target : targets)
    text += (text.empty() ? "" : ", ") + target;
  return text;
}

} // namespace

Proof prove_kernel(const trace::Record& record, ProveOptions options) {
  if (options.suppress)
    throw LaunchError(
        kernel_text(record) +
        "was compiled ahead of time, with the checks that it needs, and TEGULA_CHECKS=everything asks for others; unset it" +
        or_compile);
  const std::shared_ptr<const aot::Library> library = aot::embedded();
  const aot::Identity identity = aot::identity_of(record);
  for (const aot::ProvedKernel& proved : library->proofs)
    if (proved.kernel == identity && proved.strict == options.strict) {
      Proof proof = proved.proof;
      proof.location = record.location;
      return proof;
    }
  refuse_unknown(record, *library);
}

std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record& record, const Specialisation&, const CompileOptions&) {
  throw LaunchError(kernel_text(record) + "was compiled ahead of time, for GPUs only; launch it on Device::gpu()" + or_compile);
}

std::shared_ptr<const GpuKernel> compile_for_gpu(const trace::Record& record, const Specialisation& specialisation,
                                                 const GpuOptions& options) {
  const std::shared_ptr<const aot::Library> library = aot::embedded();
  const aot::Identity identity = aot::identity_of(record);
  const aot::Variant* variant = aot::choose(library->variants, identity, specialisation, options);
  if (!variant) {
    const std::string targets = targets_of(*library, identity);
    if (targets.empty())
      refuse_unknown(record, *library);
    // Each target has code for every specialisation.
    throw LaunchError(kernel_text(record) + "was compiled ahead of time for " + targets + ", none of which runs on this device, " +
                      options.target +
                      "; add its target to the TARGETS of tegula_add_kernels(), or an older one without a letter at its end" +
                      or_compile);
  }
  std::optional<GpuKernel> code = aot::unpack_code(variant->code);
  if (!code)
    throw InternalError("kernel '" + record.name + "': the embedded code is damaged");
  if (!aot::machine_code_runs_on(variant->target, options.target))
    code->image.clear();
  return std::make_shared<GpuKernel>(std::move(*code));
}

} // namespace tegula

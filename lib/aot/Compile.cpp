// The compiler's doors (lib/compile/Compile.h) for programs without a compiler: whatever is asked for has been made when the
// program was built, or is refused.
#include "lib/compile/Compile.h"
#include "lib/abi/KernelBytes.h"
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
  const auto known = std::ranges::find(library.proofs, record.name, [](const aot::ProvedKernel& p) { return p.kernel.name; });
  if (known != library.proofs.end())
    throw LaunchError(kernel_text(record) + "is not the one of that name that was compiled ahead of time (" +
                      place(known->proof.location) +
                      "): it records something else, or has other source lines; give the two different names, or let it not depend "
                      "on how a file is compiled or by which compiler, and add it to tegula_add_kernels()" +
                      or_compile);
  throw LaunchError(kernel_text(record) + "was not compiled ahead of time" +
                    (library.proofs.empty() ? ": no kernel of this program was" : "") +
                    "; make it at namespace scope in a file that is given to tegula_add_kernels()" + or_compile);
}

/// It was proved, but to another standard.
[[noreturn]] void refuse_hints(const trace::Record& record, bool strict) {
  throw LaunchError(kernel_text(record) + "was compiled ahead of time with other hints: " + (strict ? "not strict" : "strict") +
                    ", and here it is " + (strict ? "strict" : "not") + "; make it with the same hints" + or_compile);
}

/// None of its variants can be used.
[[noreturn]] void refuse_variants(const trace::Record& record, const aot::Library& library, const std::string& device) {
  const aot::Identity kernel = aot::identity_of(record);
  std::set<std::string> targets;
  bool runs = false;
  for (const aot::Variant& variant : library.variants)
    if (variant.kernel == kernel) {
      targets.insert(variant.target);
      runs |= aot::runs_on(variant.target, device);
    }
  if (targets.empty())
    refuse_unknown(record, library);
  if (runs)
    throw LaunchError(
        kernel_text(record) +
        "was compiled ahead of time, but for no tensors with the strides of these; copy them to tensors of their own" + or_compile);
  std::string text;
  for (const std::string& target : targets)
    text += (text.empty() ? "" : ", ") + target;
  throw LaunchError(
      kernel_text(record) + "was compiled ahead of time for " + text + ", none of which runs on this device, " + device +
      "; add its target to the TARGETS of tegula_add_kernels(), or an older one without a letter at its end" + or_compile);
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
  bool has_other_hints = false;
  for (const aot::ProvedKernel& proved : library->proofs) {
    if (proved.kernel != identity)
      continue;
    if (proved.strict == options.strict) {
      Proof proof = proved.proof;
      proof.location = record.location;
      return proof;
    }
    has_other_hints = true;
  }
  if (has_other_hints)
    refuse_hints(record, options.strict);
  refuse_unknown(record, *library);
}

std::shared_ptr<const CpuKernel> compile_for_cpu(const trace::Record& record, const Specialisation&, const CompileOptions&) {
  throw LaunchError(kernel_text(record) + "was compiled ahead of time, for GPUs only; launch it on Device::gpu()" + or_compile);
}

std::shared_ptr<const GpuKernel> compile_for_gpu(const trace::Record& record, const Specialisation& specialisation,
                                                 const GpuOptions& options) {
  const std::shared_ptr<const aot::Library> library = aot::embedded();
  const aot::Variant* variant = aot::choose(library->variants, aot::identity_of(record), specialisation, options);
  if (!variant)
    refuse_variants(record, *library, options.target);
  std::optional<GpuKernel> code = unpack_kernel(variant->code);
  if (!code)
    throw InternalError("kernel '" + record.name + "': the embedded code is damaged");
  if (!aot::machine_code_runs_on(variant->target, options.target))
    code->image.clear();
  return std::make_shared<GpuKernel>(std::move(*code));
}

} // namespace tegula

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

} // namespace

/// Here it is the name by which code is found.
class KernelIr {
public:
  explicit KernelIr(const trace::Record& record) : identity(aot::identity_of(record)), location(record.location) {}
  std::string text() const { return "kernel '" + identity.name + "' (" + place(location) + ") "; }

  const aot::Identity identity;
  const trace::Location location;
};

namespace {

/// There is a kernel in the program that was not there, or not like this, when the others were compiled.
[[noreturn]] void refuse_unknown(const KernelIr& kernel, const aot::Library& library) {
  const auto known =
      std::ranges::find(library.proofs, kernel.identity.name, [](const aot::ProvedKernel& p) { return p.kernel.name; });
  if (known != library.proofs.end())
    throw LaunchError(kernel.text() + "is not the one of that name that was compiled ahead of time (" +
                      place(known->proof.location) +
                      "): it records something else, or has other source lines; give the two different names, or let it not depend "
                      "on how a file is compiled or by which compiler, and add it to tegula_add_kernels()" +
                      or_compile);
  throw LaunchError(kernel.text() + "was not compiled ahead of time" +
                    (library.proofs.empty() ? ": no kernel of this program was" : "") +
                    "; make it at namespace scope in a file that is given to tegula_add_kernels()" + or_compile);
}

/// It was proved, but to another standard.
[[noreturn]] void refuse_hints(const KernelIr& kernel, bool strict) {
  throw LaunchError(kernel.text() + "was compiled ahead of time with other hints: " + (strict ? "not strict" : "strict") +
                    ", and here it is " + (strict ? "strict" : "not") + "; make it with the same hints" + or_compile);
}

/// None of its variants can be used.
[[noreturn]] void refuse_variants(const KernelIr& kernel, const aot::Library& library, const std::string& device) {
  std::set<std::string> targets;
  bool runs = false;
  for (const aot::Variant& variant : library.variants)
    if (variant.kernel == kernel.identity) {
      targets.insert(variant.target);
      runs |= aot::runs_on(variant.target, device);
    }
  if (targets.empty())
    refuse_unknown(kernel, library);
  if (runs)
    throw LaunchError(
        kernel.text() +
        "was compiled ahead of time, but for no tensors with the strides of these; copy them to tensors of their own" + or_compile);
  std::string text;
  for (const std::string& target : targets)
    text += (text.empty() ? "" : ", ") + target;
  throw LaunchError(kernel.text() + "was compiled ahead of time for " + text + ", none of which runs on this device, " + device +
                    "; add its target to the TARGETS of tegula_add_kernels(), or an older one without a letter at its end" +
                    or_compile);
}

} // namespace

Proved prove_kernel(const trace::Record& record, const ProveOptions& options) {
  const auto ir = std::make_shared<const KernelIr>(record);
  const KernelIr& kernel = *ir;
  if (options.suppress)
    throw LaunchError(
        kernel.text() +
        "was compiled ahead of time, with the checks that it needs, and TEGULA_CHECKS=everything asks for others; unset it" +
        or_compile);
  const std::shared_ptr<const aot::Library> library = aot::embedded();
  bool has_other_hints = false;
  for (const aot::ProvedKernel& proved : library->proofs) {
    if (proved.kernel != kernel.identity)
      continue;
    if (proved.strict == options.strict) {
      Proof proof = proved.proof;
      proof.location = record.location;
      return {std::move(proof), ir};
    }
    has_other_hints = true;
  }
  if (has_other_hints)
    refuse_hints(kernel, options.strict);
  refuse_unknown(kernel, *library);
}

std::shared_ptr<const KernelIr> import_kernel(const trace::Record& record) { return std::make_shared<const KernelIr>(record); }

std::shared_ptr<const CpuKernel> compile_for_cpu(const KernelIr& kernel, const Specialisation&, const CompileOptions&) {
  throw LaunchError(kernel.text() + "was compiled ahead of time, for GPUs only; launch it on Device::gpu()" + or_compile);
}

std::shared_ptr<const GpuKernel> compile_for_gpu(const KernelIr& kernel, const Specialisation& specialisation,
                                                 const GpuOptions& options) {
  const std::shared_ptr<const aot::Library> library = aot::embedded();
  const aot::Variant* variant = aot::choose(library->variants, kernel.identity, specialisation, options);
  if (!variant)
    refuse_variants(kernel, *library, options.target);
  std::optional<GpuKernel> code = unpack_kernel(variant->code);
  if (!code)
    throw InternalError("kernel '" + kernel.identity.name + "': the embedded code is damaged");
  if (!aot::machine_code_runs_on(variant->target, options.target))
    code->image.clear();
  if (options.observer) {
    options.observer("ptx", code->ptx);
    options.observer("plan", "threads: " + std::to_string(code->threads) +
                                 "\nshared memory: " + std::to_string(code->shared_bytes) + " bytes\ncompiled ahead of time, for " +
                                 variant->target + "\n");
  }
  return std::make_shared<GpuKernel>(std::move(*code));
}

} // namespace tegula

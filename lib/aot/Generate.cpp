#include "lib/aot/Generate.h"
#include "lib/abi/KernelBytes.h"
#include "lib/aot/Assemble.h"
#include "lib/aot/Library.h"
#include "lib/aot/Source.h"
#include "lib/aot/Variants.h"
#include "lib/runtime/Inspect.h"
#include "lib/runtime/KernelState.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

namespace tegula::aot {
namespace {

struct Options {
  std::string output, symbol, ptxas;
  std::vector<std::string> targets;
};

Options parse(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    std::string value = argv[i + 1];
    if (name == "--output")
      options.output = value;
    else if (name == "--symbol")
      options.symbol = value;
    else if (name == "--ptxas")
      options.ptxas = value;
    else if (name == "--targets")
      for (std::size_t at = 0; at <= value.size();) {
        const std::size_t end = std::min(value.find(',', at), value.size());
        options.targets.push_back(value.substr(at, end - at));
        at = end + 1;
      }
    else
      throw Error("tegula: there is no option '" + std::string(name) + "'");
  }
  if (options.output.empty() || options.symbol.empty() || options.targets.empty())
    throw Error("tegula: usage: --output FILE --symbol NAME --targets sm_80,... [--ptxas PATH]");
  return options;
}

class Generator {
public:
  explicit Generator(const Options& options) : options_(options) {}

  /// What is wrong with one kernel is told, and the others are looked at, too.
  void add(host::KernelState& kernel) {
    try {
      add_proved(kernel);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      failed_ = true;
    }
  }
  bool failed() const { return failed_; }
  const Library& library() const { return library_; }

private:
  void add_proved(host::KernelState& kernel) {
    const trace::Record& record = kernel.record();
    const Identity identity = identity_of(record);
    check_name(record, identity);
    std::shared_ptr<const KernelIr>& ir = irs_[{identity.name, kernel.hints.strict}];
    if (!ir) {
      auto [proof, proved] = runtime::Dump(record, false).proving([&](const Observer& observer) {
        return prove_kernel(record, {.strict = kernel.hints.strict, .observer = observer});
      });
      if (proof.refuted())
        throw ProofError(proof.refutation);
      library_.proofs.push_back({identity, kernel.hints.strict, std::move(proof)});
      ir = std::move(proved);
    }
    for (const std::string& target : options_.targets)
      for (const Specialisation& specialisation : usual_specialisations(record))
        compile(record, *ir,
                {.kernel = identity,
                 .target = target,
                 .warps = kernel.hints.warps,
                 .stages = kernel.hints.stages,
                 .max_regs = kernel.hints.max_regs,
                 .specialisation = specialisation,
                 .code = {}});
    for (const trace::Parameter& parameter : record.parameters)
      if (parameter.is_certified() && certified_.insert(parameter.type.dtype).second)
        for (const AnyKernel& certifying : certifying_kernels(parameter.type.dtype))
          add_proved(*certifying.state());
  }

  /// What is found by a name must be one kernel.
  void check_name(const trace::Record& record, const Identity& identity) {
    const auto& [known, where] = named_.try_emplace(record.name, identity, record.location).first->second;
    if (known != identity)
      throw Error(place(record.location) + ": kernel '" + record.name + "' records something else than the kernel '" + record.name +
                  "' of " + place(where) + ", or has other source lines; give the two different names");
  }

  void compile(const trace::Record& record, const KernelIr& ir, Variant variant) {
    const auto same = [&](const Variant& v) {
      return v.kernel == variant.kernel && v.target == variant.target && v.warps == variant.warps && v.stages == variant.stages &&
             v.max_regs == variant.max_regs && v.specialisation == variant.specialisation;
    };
    if (std::ranges::any_of(library_.variants, same))
      return;
    const runtime::CodeKey key{variant.kernel.key, variant.specialisation, variant.warps, variant.stages, variant.max_regs};
    GpuKernel code = *runtime::Dump(record, false).compiling(variant.target, key, [&](const Observer& observer) {
      return compile_for_gpu(ir, variant.specialisation,
                             {.target = variant.target,
                              .warps = variant.warps,
                              .stages = variant.stages,
                              .max_regs = variant.max_regs,
                              .observer = observer});
    });
    if (!options_.ptxas.empty())
      code.image = machine_code(code, options_.ptxas);
    variant.code = pack_kernel(code);
    library_.variants.push_back(std::move(variant));
  }

  const Options& options_;
  Library library_;
  std::map<std::string, std::pair<Identity, trace::Location>> named_;           // by name: the first of that name
  std::map<std::pair<std::string, bool>, std::shared_ptr<const KernelIr>> irs_; // by name, and whether it is strict
  std::set<DType> certified_; // of index tensors, whose values the program has to check
  bool failed_ = false;
};

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw Error("tegula: '" + path + "' cannot be written");
}

} // namespace

int generate(int argc, const char* const* argv) {
  try {
    const Options options = parse(argc, argv);
    const std::vector<host::KernelState*> kernels = host::living_kernels();
    if (kernels.empty())
      throw Error(
          "tegula: there is no kernel in the files given to tegula_add_kernels(); make them at namespace scope: inline const "
          "auto k = tegula::kernel<f>(\"k\");");
    Generator generator(options);
    for (host::KernelState* kernel : kernels)
      generator.add(*kernel);
    if (generator.failed())
      return 1;
    write(options.output, embedding_source(pack(generator.library()), options.symbol));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

} // namespace tegula::aot

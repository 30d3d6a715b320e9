#include "tools/tegula/Ptx.h"
#include "tools/tegula/Nearest.h"

#include "kernels/registry.hpp"
#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"

#include <algorithm>
#include <cstdio>

namespace tegula {

std::optional<PtxArguments> parse_ptx(const std::vector<std::string>& arguments) {
  PtxArguments wanted;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--ragged")
      wanted.ragged = true;
    else if ((argument == "--target" || argument == "--stage") && i + 1 < arguments.size())
      (argument == "--target" ? wanted.target : wanted.stage) = arguments[++i];
    else if (!argument.starts_with("-") && wanted.kernel.empty())
      wanted.kernel = argument;
    else
      return std::nullopt;
  }
  return wanted;
}

static int list_kernels(std::FILE* to, int status) {
  for (const kernels::Entry& entry : kernels::registry())
    std::fprintf(to, "%s\n", entry.name);
  return status;
}

int show_ptx(const PtxArguments& wanted) {
  if (wanted.kernel.empty())
    return list_kernels(stdout, 0);
  const auto entry = std::ranges::find(kernels::registry(), wanted.kernel, &kernels::Entry::name);
  if (entry == kernels::registry().end()) {
    std::vector<std::string_view> known;
    for (const kernels::Entry& each : kernels::registry())
      known.emplace_back(each.name);
    std::fprintf(stderr, "tegula ptx: the library has no kernel '%s'%s; it has\n", wanted.kernel.c_str(),
                 did_you_mean(wanted.kernel, known).c_str());
    return list_kernels(stderr, 2);
  }
  const AnyKernel kernel = entry->make();
  const trace::Record& record = trace_of(kernel);
  Specialisation facts = row_major(record);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    facts[i].aligned = true;
    facts[i].whole = !wanted.ragged;
    facts[i].settled = !record.parameters[i].is_output();
  }
  std::string stages;
  bool found = false;
  GpuOptions options{.target = wanted.target, .warps = kernel.hints().warps, .stages = kernel.hints().stages};
  options.observer = [&](std::string_view stage, std::string_view text) {
    stages += " " + std::string(stage);
    if (stage != wanted.stage)
      return;
    found = true;
    std::fwrite(text.data(), 1, text.size(), stdout);
  };
  const auto code = compile_for_gpu(*prove_kernel(record, {.observer = options.observer}).ir, facts, options);
  if (!found) {
    std::fprintf(stderr, "tegula ptx: there is no stage '%s'; there are%s\n", wanted.stage.c_str(), stages.c_str());
    return 2;
  }
  if (wanted.stage == "ptx")
    std::printf("// %d threads, %lld bytes of shared memory\n", code->threads, static_cast<long long>(code->shared_bytes));
  return 0;
}

} // namespace tegula

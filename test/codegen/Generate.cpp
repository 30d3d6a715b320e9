#include "test/codegen/Generate.h"

#include "lib/compile/Compile.h"
#include "lib/runtime/Inspect.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace tegula::test {

Generated generate(const AnyKernel& kernel, const std::string& target, bool whole, bool settled) {
  const trace::Record& record = trace_of(kernel);
  Specialisation facts = row_major(record);
  for (std::size_t i = 0; i < facts.size(); ++i)
    facts[i] = {facts[i].strides, true, whole, settled && !record.parameters[i].is_output()};
  GpuOptions options;
  options.target = target;
  options.warps = kernel.hints().warps;
  options.stages = kernel.hints().stages;
  Generated result{compile_for_gpu(*prove_kernel(record).ir, facts, options), std::nullopt};
  const GpuKernel& code = *result.code;
  result.assembled = assemble(code.ptx, target);
  if (!result.assembled)
    return result;
  EXPECT_EQ(result.assembled->error, "");
  static std::ofstream report("ptx-resources.txt");
  static std::set<std::string> reported;
  const std::string line = record.name + (whole ? " " : " (ragged) ") + target + ": " +
                           resources(*result.assembled, code.threads, code.shared_bytes) + "\n";
  if (reported.insert(line).second)
    report << line << std::flush;
  return result;
}

} // namespace tegula::test

// What proofs spare the library's kernels makes no difference: with every check in them they compute the same bits.
#include "kernels/registry.hpp"
#include "lib/compile/CompileModule.h"
#include "lib/runtime/Inspect.h"
#include "test/prove/Arguments.h"
#include "test/prove/Launches.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

TEST(Ablation, TheLibrarysKernelsComputeTheSame) {
  for (const kernels::Entry& entry : kernels::registry()) {
    const AnyKernel kernel = entry.make();
    const std::string ir = tile_ir(*import_kernel(trace_of(kernel)));
    const Footprint footprint(ir);
    const Proof proof = prove_text(ir).proof;
    const auto proved = prepare(Executor::cpu, ir, {.checks = Checks::unproved}),
               checked = prepare(Executor::cpu, ir, {.checks = Checks::everything});
    Launches some(footprint, proof.conditions, 3);
    int launches = 0;
    for (std::uint64_t attempt = 0; attempt < 2000 && launches < 4; ++attempt) {
      const std::optional<LaunchShape> launch = some.next();
      if (!launch || !is_at_most(400'000, *launch) || launch->programs > 64)
        continue;
      ++launches;
      const Contents contents{static_cast<Contents::Order>(attempt % 3), attempt, {}};
      const Arguments a(footprint, *launch, contents), b(footprint, *launch, contents);
      EXPECT_EQ(proved->run(a.list(), launch->programs).failure.value_or(""), "") << entry.name;
      EXPECT_EQ(checked->run(b.list(), launch->programs).failure.value_or(""), "") << entry.name;
      EXPECT_TRUE(a == b) << entry.name;
    }
    EXPECT_EQ(launches, 4) << entry.name;
  }
}

} // namespace
} // namespace tegula::test

// The kernels of the library and of the examples: no two of them, nor any of their mutants, share a key.
#include "kernels/registry.hpp"
#include "lib/runtime/Inspect.h"
#include "test/prove/ExampleKernels.h"
#include "test/support/RecordMutants.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tegula::test {
namespace {

TEST(Keys, OfShippedKernelsAndTheirMutants) {
  std::map<std::string, std::string> texts;
  std::set<std::string> different;
  const auto add = [&](const trace::Record& record) {
    const std::string text = record.str();
    different.insert(text);
    EXPECT_EQ(texts.try_emplace(record.key(trace::Places::spoken), text).first->second, text);
  };
  for (const auto entries : {kernels::registry(), example_kernels()})
    for (const kernels::Entry& entry : entries) {
      const AnyKernel kernel = entry.make(), again = entry.make();
      const trace::Record& record = trace_of(kernel);
      EXPECT_EQ(record.key(trace::Places::all), trace_of(again).key(trace::Places::all)) << entry.name;
      add(record);
      for (const trace::Record& mutant : mutants_of(record))
        add(mutant);
    }
  EXPECT_GT(different.size(), 1000u);
}

} // namespace
} // namespace tegula::test

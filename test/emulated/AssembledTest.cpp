// NVIDIA's assembler takes the PTX that the tests ran on the emulator: the library's, and a sample of the rest. What each module
// needs is in ptx-resources-….txt.
#include "test/support/Ptxas.h"
#include "test/support/RecordedPtx.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace tegula::test {
namespace {

constexpr std::size_t parts = 6;  // for as many shards
constexpr std::size_t sample = 3; // they are thousands, most alike

class RecordedModules : public testing::TestWithParam<std::size_t> {};

TEST_P(RecordedModules, Assemble) {
  if (assembler_version().empty())
    GTEST_SKIP() << "there is no ptxas on this machine";
  const char* folder = std::getenv("TEGULA_PTXEMU_RECORD");
  ASSERT_TRUE(folder) << "TEGULA_PTXEMU_RECORD names no folder";
  const RecordedPtx checked =
      check_recorded(folder, "ptx-resources-" + std::to_string(GetParam()) + ".txt", GetParam(), parts, sample);
  std::cout << checked.modules << " modules, " << checked.assembled << " of them assembled, the others as in the last report\n";
  EXPECT_GT(checked.modules, 0u) << "no PTX was recorded in " << folder;
  for (const std::string& failure : checked.failures)
    ADD_FAILURE() << failure;
}

INSTANTIATE_TEST_SUITE_P(part, RecordedModules, testing::Range<std::size_t>(0, parts));

} // namespace
} // namespace tegula::test

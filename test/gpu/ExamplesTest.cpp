// The examples, as tests on whatever device is the best.
#include "test/support/Examples.h"

#include <gtest/gtest.h>

namespace {

class Examples : public testing::TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(examples_to_run),
                         [](const auto& example) { return std::string(example.param.name); });

TEST_P(Examples, Succeeds) { EXPECT_EQ(GetParam().run(), 0); }

} // namespace

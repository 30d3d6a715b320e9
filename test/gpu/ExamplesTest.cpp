// The examples, as tests on whatever device is the best.
#include "test/support/Examples.h"

#include <gtest/gtest.h>

TEST(Examples, Hello) { EXPECT_EQ(example_01::run(), 0); }
TEST(Examples, VectorAdd) { EXPECT_EQ(example_02::run(), 0); }
TEST(Examples, Saxpy) { EXPECT_EQ(example_03::run(), 0); }
TEST(Examples, MatrixProduct) { EXPECT_EQ(example_04::run(), 0); }
TEST(Examples, Softmax) { EXPECT_EQ(example_05::run(), 0); }
TEST(Examples, RmsNorm) { EXPECT_EQ(example_06::run(), 0); }
TEST(Examples, FlashAttention) { EXPECT_EQ(example_07::run(), 0); }
TEST(Examples, Reductions) { EXPECT_EQ(example_08::run(), 0); }
TEST(Examples, SiluGate) { EXPECT_EQ(example_09::run(), 0); }
TEST(Examples, Persistent) { EXPECT_EQ(example_10::run(), 0); }
TEST(Examples, SplitK) { EXPECT_EQ(example_11::run(), 0); }
TEST(Examples, Histogram) { EXPECT_EQ(example_12::run(), 0); }
TEST(Examples, GatherScatter) { EXPECT_EQ(example_13::run(), 0); }
TEST(Examples, InPlace) { EXPECT_EQ(example_14::run(), 0); }
TEST(Examples, Refuted) { EXPECT_EQ(example_15::run(), 0); }
TEST(Examples, Stencil) { EXPECT_EQ(example_16::run(), 0); }
TEST(Examples, Ragged) { EXPECT_EQ(example_17::run(), 0); }
TEST(Examples, QuantisedMatmul) { EXPECT_EQ(example_18::run(), 0); }
TEST(Examples, Experts) { EXPECT_EQ(example_19::run(), 0); }
TEST(Examples, Fft) { EXPECT_EQ(example_20::run(), 0); }
TEST(Examples, GroupedGemm) { EXPECT_EQ(example_21::run(), 0); }

// What is proved costs nothing: the same kernel with its accesses proved and with them declared unsafe is the same machine code.
#include "test/codegen/Generate.h"

#include <gtest/gtest.h>

#include <regex>

namespace tegula::test {
namespace {

/// Without what tells lines of the source from each other.
std::string code_of(const AnyKernel& kernel, bool whole) {
  const std::string ptx = generate(kernel, "sm_90a", whole).code->ptx;
  return std::regex_replace(ptx, std::regex("\\s*\\.loc[^\\n]*|\\s*\\.file[^\\n]*|\\$L__tmp\\d+:"), "");
}

TEST(Unsafe, AProvedElementwiseKernelIsTheSameCode) {
  auto proved = kernel("scale", [](Out<f32, 256> y, In<f32, 256> x) {
    expects(x.extent(0) == y.extent(0), "one length");
    y.store(x[y] * 2.0f);
  });
  auto trusted = kernel("scale", [](Out<f32, 256> y, In<f32, 256> x) {
    expects(x.extent(0) == y.extent(0), "one length");
    y.store(x(y.at(0), unsafe("the same index as the output's")) * 2.0f);
  });
  for (bool whole : {true, false})
    EXPECT_EQ(code_of(proved, whole), code_of(trusted, whole));
}

} // namespace
} // namespace tegula::test

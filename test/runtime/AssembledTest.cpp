// Kernels that come with machine code.
#include "GpuKernels.h"

namespace {

using namespace tegula;

class Assembled : public WithoutDiskCache {
protected:
  static std::vector<i32> launch(const char* name, const Device& device) {
    const auto k = counter(name);
    GpuKernel assembled = code("count");
    assembled.image = "cubin: count";
    fake::define_gpu(name, assembled);
    return k(Tensor<i32, 1>::zeros(device, {3})).sync().to_host();
  }
};

TEST_F(Assembled, AreLoadedAsTheyAre) {
  EXPECT_EQ(launch("gpu assembled", fake::gpu()), (std::vector<i32>{1, 2, 3}));
  EXPECT_EQ(fake::calls("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(fake::calls("cuLinkCreate_v2"), 0);
}

TEST_F(Assembled, AreAssembledAgainByADriverThatDoesNotTakeThem) {
  const Device device = fake::gpu();
  fake::fail_call("cuModuleLoadDataEx", 209);
  EXPECT_EQ(launch("gpu refused", device), (std::vector<i32>{1, 2, 3}));
  EXPECT_EQ(fake::calls("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(fake::calls("cuLinkComplete"), 1);
}

} // namespace

// Programs that write one element, where that is checked: on the CPU the same two are told, whichever comes first.
#include "Language.h"

namespace tegula::test {
namespace {

void quarters(Patch<i32, 1> y, DistinctIndex<i32, 16> at) {
  expects(y.extent(0) >= at.bound() && at.count(0) >= programs(), "enough room");
  scatter<0>(y, at(this_program()) / 4, ones<i32, 16>());
}

TEST(Conflicts, TheLowestTwoAreTold) {
  const Device device = test_device(4);
  const auto k = kernel<quarters>("quarters");
  std::vector<i32> positions; // distinct; programs 0 to 3 write apart, 4 to 7 the same elements
  for (int program = 0; program < 8; ++program)
    for (int i = 0; i < 16; ++i)
      positions.push_back(program < 4 ? (program * 4 + i / 4) * 8 + i % 4 : ((i * 4 + program) % 64 / 4) * 8 + 4 + program % 4);
  const auto at = Certified<i32, 1>::from_host(device, {128}, positions, 128, distinct);
  for (int time = 0; time < (on_cpu() ? 40 : 1); ++time) {
    auto op = k(Tensor<i32, 1>::zeros(device, {128}), at).programs(8);
    try {
      (void)std::move(op).sync();
      FAIL() << "nothing was noticed";
    } catch (const LaunchError& error) {
      const std::string text = error.what();
      EXPECT_NE(
          text.find(on_cpu() ? "kernel 'quarters': programs 4 and 5 both write element (1) of parameter 1" : " both write element"),
          std::string::npos)
          << text;
    }
    (void)std::move(op).cancel();
  }
}

} // namespace
} // namespace tegula::test

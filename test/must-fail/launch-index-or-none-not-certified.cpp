// A tensor whose values nobody has checked, where the kernel takes positions or none.
// error: launch parameter 2 is an index or none: it takes a certified tensor: certify(std::move(tensor), n, or_none)
// error-gcc: an IndexOrNone<> takes a certified index tensor: certify(std::move(tensor), n, or_none)
#include "tegula/tegula.hpp"
using namespace tegula;

void add(AddInto<f32, 64> c, IndexOrNone<i32, 64> rows) { accumulate_at<0>(c, rows(this_program()), ones<f32, 64>()); }

int main() {
  const Device device = Device::cpu();
  auto rows = Tensor<i32, 1>::zeros(device, {64});
  auto c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<add>("add")(std::move(c), rows).programs(1).sync();
}

// A tensor whose values nobody has checked, where the kernel takes positions to scatter to, or none.
// error: launch parameter 2 is a distinct index or none: it takes a certified tensor: certify(std::move(tensor), n,
// error-gcc: a DistinctIndexOrNone<> takes a certified index tensor: certify(std::move(tensor), n, distinct, or_none)
#include "tegula/tegula.hpp"
using namespace tegula;

void put(Patch<f32, 64> c, DistinctIndexOrNone<i32, 64> rows) { scatter<0>(c, rows(this_program()), zeros<f32, 64>()); }

int main() {
  const Device device = Device::cpu();
  auto rows = Tensor<i32, 1>::zeros(device, {64});
  auto c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<put>("put")(std::move(c), rows).sync();
}

// A tensor whose values nobody has checked, where the kernel takes positions.
// error: launch parameter 2 is an index: it takes a certified tensor: certify(std::move(tensor), n)
// error-gcc: an Index<> takes a certified index tensor: certify(std::move(tensor), n)
#include "tegula/tegula.hpp"
using namespace tegula;

void pick(Out<f32, 64> c, Index<i32, 64> rows, In<f32, 64> a) { c.store(gather<0>(a, rows[c])); }

int main() {
  const Device device = Device::cpu();
  auto rows = Tensor<i32, 1>::zeros(device, {64});
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<pick>("pick")(std::move(c), rows, a).sync();
}

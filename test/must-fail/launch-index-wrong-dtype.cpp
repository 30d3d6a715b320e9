// Certified positions of another integer type than the parameter's.
// error: launch parameter 2 has elements of i32, its argument of i64
// error-gcc: a launch argument has elements of another type than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void pick(Out<f32, 64> c, Index<i32, 64> rows, In<f32, 64> a) { c.store(gather<0>(a, rows[c])); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  auto rows = certify(Tensor<i64, 1>::zeros(device, {64}), 64);
  c = kernel<pick>("pick")(std::move(c), rows, a).sync();
}

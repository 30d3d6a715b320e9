// accumulate() takes the tensor, so the tensor must be moved into it.
// error: a launch takes its output and gives it back: write std::move(tensor).accumulate<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void total(AddInto<f32, 64> c, In<f32, 64> a) { c.accumulate(a(this_program()), 0); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<total>("total")(c.accumulate<64>(), a).sync();
}

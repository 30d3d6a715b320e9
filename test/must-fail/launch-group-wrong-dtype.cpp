// A member of another element type than the parameter's.
// error: launch parameter 2[1] has elements of f32, its argument of bf16
// error-gcc: a launch argument has elements of another type than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Group<OutTiles<f32, 64>, 2> c, Group<In<f32, 64>, 2> a) {
  for (int g = 0; g < 2; ++g)
    for (auto t : c[g].my_tiles())
      t.store(a[g][t]);
}

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64}), d = Tensor<f32, 1>::zeros(device, {64});
  auto b = Tensor<bf16, 1>::zeros(device, {64});
  auto [e, f] = kernel<copy>("copy")(group(std::move(c), std::move(d)), group(a, b)).sync();
}

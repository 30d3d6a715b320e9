// A member cut into other tiles than the kernel writes.
// error: launch parameter 1[1] is written in tiles of 64, its argument is cut into tiles of 32
// error-gcc: a launch argument is cut into other tiles than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Group<Outs<f32, 64>, 2> c, Group<In<f32, 64>, 2> a) {
  for (int g = 0; g < 2; ++g)
    for (auto t : c[g].my_tiles())
      t.store(a[g][t]);
}

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64}), d = Tensor<f32, 1>::zeros(device, {64});
  auto [e, f] = kernel<copy>("copy")(group(std::move(c).pieces<64>(), std::move(d).pieces<32>()), group(a, a)).sync();
}

// A member of another rank than the parameter's.
// error: launch parameter 2[0] has rank 1, its argument rank 2
// error-gcc: a launch argument has another rank than its parameter
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
  auto b = Tensor<f32, 2>::zeros(device, {64, 1});
  auto [e, f] = kernel<copy>("copy")(group(std::move(c), std::move(d)), group(b, a)).sync();
}

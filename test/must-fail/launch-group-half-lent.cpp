// A group of outputs of which one is lent and one is given up.
// error: launch parameter 1 is a group of which some members are lent by out(): lend all, or none
// error-gcc: the members of a group are all lent by out(), or none is
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
  kernel<copy>()(group(out(c), std::move(d)), group(a, a)).sync();
}

// A tensor in a group of outputs: it must be given up or lent.
// error: launch parameter 1[0] is written: write std::move(tensor) to have it returned, or out(tensor) to lend it
// error-gcc: an output is given up or lent: write std::move(tensor), or out(tensor)
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
  auto [e, f] = kernel<copy>("copy")(group(c, std::move(d)), group(a, a)).sync();
}

// A tensor in a group of outputs: it must be given up as pieces.
// error: launch parameter 1[0] is written: it takes std::move(tensor).pieces<...>() with tiles of 64
// error-gcc: an Outs<> is written: it takes std::move(tensor).pieces<...>()
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
  auto [e, f] = kernel<copy>("copy")(group(c, std::move(d).pieces<64>()), group(a, a)).sync();
}

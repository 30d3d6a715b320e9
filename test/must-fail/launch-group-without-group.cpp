// A tensor where the kernel takes a group.
// error: launch parameter 2 is a group: it takes group(...) with members: 2
// error-gcc: a Group<> takes group(...)
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
  auto [e, f] = kernel<copy>("copy")(group(std::move(c), std::move(d)), a).sync();
}

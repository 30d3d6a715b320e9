// A group with a name keeps its outputs.
// error: launch parameter 1[0] is taken over: write std::move(...) around its argument
// error-gcc: a launch takes its output over: write std::move(...) around the argument
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
  auto outputs = group(std::move(c).pieces<64>(), std::move(d).pieces<64>());
  auto [e, f] = kernel<copy>("copy")(outputs, group(a, a)).sync();
}

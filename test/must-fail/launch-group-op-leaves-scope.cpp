// An operation that borrows a tensor by way of a group cannot be moved out of the tensor's scope.
// error: deleted
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
  auto op = kernel<copy>("copy")(group(std::move(c), std::move(d)), group(a, a));
  auto other = std::move(op);
  auto [e, f] = std::move(other).sync();
}

// partition() takes the tensor, so the tensor must be moved into it.
// error: a launch takes its output and gives it back: write std::move(tensor).partition<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(c.partition<64>(), a).sync();
}

// An output cut into other tiles than the kernel writes.
// error: launch parameter 1 is written in tiles of 128×64, its argument is cut into tiles of 64×128
// error-gcc: a launch argument is cut into other tiles than its parameter
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 128, 64> c, In<f32, 128, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 2>::zeros(device, {256, 256}), c = Tensor<f32, 2>::zeros(device, {256, 256});
  c = kernel<copy>("copy")(std::move(c).partition<64, 128>(), a).sync();
}

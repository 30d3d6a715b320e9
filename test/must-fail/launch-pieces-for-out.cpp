// An Out has one tile per program; pieces() is for an Outs.
// error: launch parameter 1 is written: it takes std::move(tensor).partition<...>() with tiles of 64
// error-gcc: an Out<> is written: it takes std::move(tensor).partition<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(std::move(c).pieces<64>(), a).sync();
}

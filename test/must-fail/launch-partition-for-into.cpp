// An AddInto is not cut into pieces of one program each: it must be given up as an accumulation.
// error: launch parameter 1 is accumulated into: it takes std::move(tensor).accumulate<...>() with tiles of 64
// error-gcc: an AddInto<>, MinInto<>, MaxInto<>, AndInto<> or OrInto<> takes std::move(tensor).accumulate<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void total(AddInto<f32, 64> c, In<f32, 64> a) { c.accumulate(a(this_program()), 0); }

int main() {
  const Device device = Device::cpu();
  auto a = Tensor<f32, 1>::zeros(device, {64}), c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<total>("total")(std::move(c).partition<64>(), a).sync();
}

// What is fresh has no values to change.
// error: launch parameter 1 changes a tensor: it takes std::move(tensor) or out(tensor)
// error-gcc: an InOut<>, Patch<>, AddInto<> or one of its kin changes a tensor: it takes std::move(tensor) or out(tensor)
#include "tegula/tegula.hpp"
using namespace tegula;

void increment(InOut<f32, 64> c, In<f32, 64> a) { c.store(c.load() + a[c]); }

int main() {
  auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  auto c = kernel<increment>()(fresh(64), a).sync();
}

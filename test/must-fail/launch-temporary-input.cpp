// A temporary tensor as an input would be gone before the kernel runs.
// error: launch parameter 2 is a temporary tensor, gone before the kernel runs: name it, or pass std::move(tensor).share()
// error-gcc: a temporary tensor is gone before the kernel runs: name it, or pass std::move(tensor).share()
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const Device device = Device::cpu();
  auto c = Tensor<f32, 1>::zeros(device, {64});
  c = kernel<copy>("copy")(std::move(c), Tensor<f32, 1>::zeros(device, {64})).sync();
}

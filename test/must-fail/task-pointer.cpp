// A task that takes a pointer may outlive what it points to.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"
using namespace tegula;

Task<> filled(Tensor<f32, 1>* x) { co_await *x; }

int main() {
  auto x = Tensor<f32, 1>::zeros(Device::cpu(), {4});
  filled(&x).sync();
}

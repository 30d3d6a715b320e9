// A lambda that captures is gone when the task goes on.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"
using namespace tegula;

Task<f32> make(const Shared<f32, 1>& x) {
  return [x]() -> Task<f32> { co_return x.to_host()[0]; }();
}

int main() { return make(Tensor<f32, 1>::zeros(Device::cpu(), {4}).share()).sync() == 0 ? 0 : 1; }

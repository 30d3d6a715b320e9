// A task holds its parameters: a reference would outlive the tensor.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"
using namespace tegula;

Task<f32> first(const Tensor<f32, 1>& x) {
  co_await x;
  co_return x.to_host()[0];
}

Task<f32> make(const Device& device) { return first(Tensor<f32, 1>::zeros(device, {4})); }

int main() { return make(Device::cpu()).sync() == 0 ? 0 : 1; }

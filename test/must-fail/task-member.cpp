// A member function that is a task may outlive its object.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"
using namespace tegula;

struct Counter {
  Tensor<f32, 1> x = Tensor<f32, 1>::zeros(Device::cpu(), {4});
  Task<> filled() { co_await x; }
};

int main() { Counter().filled().sync(); }

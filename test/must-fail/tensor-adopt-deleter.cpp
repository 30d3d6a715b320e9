// The deleter takes the pointer.
// error: adopt() takes a function to be called with the pointer when nobody uses the memory any more
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  f32 numbers[4] = {};
  auto t = Tensor<f32, 1>::adopt(Device::cpu(), {4}, numbers, [] {}, unsafe("it is static"));
}

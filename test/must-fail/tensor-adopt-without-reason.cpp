// Nothing can check memory that somebody else made.
// error: say last why all is right with it, adopt(device, extents, data, deleter, unsafe("why"))
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  f32 numbers[4] = {};
  auto t = Tensor<f32, 1>::adopt(Device::cpu(), {4}, numbers, [](f32*) {});
}

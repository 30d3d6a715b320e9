// Only parts along axis 0 are contiguous.
// error: a tensor is split along axis 0, so that each part is contiguous
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { auto [left, right] = Tensor<f32, 2>::zeros(Device::cpu(), {4, 4}).split<1>(2); }

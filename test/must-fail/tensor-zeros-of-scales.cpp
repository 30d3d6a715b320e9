// A type without a zero.
// error: f8e8m0 has no zero; write full(device, extents, f8e8m0(1))
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { auto scales = Tensor<f8e8m0, 1>::zeros(Device::cpu(), {64}); }

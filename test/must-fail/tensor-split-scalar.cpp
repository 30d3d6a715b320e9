// A tensor of rank 0 has no axis.
// error: a tensor of rank 0 has no axis to be split along
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { Tensor<f32, 0>::zeros(Device::cpu(), {}).split<0>(0); }

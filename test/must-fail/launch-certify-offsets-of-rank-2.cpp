// Offsets of two axes.
// error: offsets are a tensor of rank 1
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { auto offsets = certify(Tensor<i32, 2>::zeros(Device::cpu(), {2, 2}), 64, as_offsets); }

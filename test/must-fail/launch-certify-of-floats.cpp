// Positions are integers.
// error: an index tensor has a signed integer element type: i64, i32, i16 or i8
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { auto certified = certify(Tensor<f32, 1>::zeros(Device::cpu(), {64}), 64); }

// Offsets are all there: none of them may be missing.
// error: what is certified besides the bound is nothing, `distinct`, `or_none`, `distinct, or_none` or `as_offsets`
#include "tegula/tegula.hpp"
using namespace tegula;

int main() { auto offsets = certify(Tensor<i32, 1>::zeros(Device::cpu(), {2}), 64, as_offsets, or_none); }

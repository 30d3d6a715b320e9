// A Patch is written wherever the kernel says; partition() is for an Out or an InOut.
// error: launch parameter 1 is written in part: it takes std::move(tensor).pieces<...>() with tiles of 64
// error-gcc: a Patch<> is written in part: it takes std::move(tensor).pieces<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void first(Patch<f32, 64> c) { c.tile(0).store(zeros<f32, 64>()); }

int main() {
  auto c = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  c = kernel<first>("first")(std::move(c).partition<64>()).sync();
}

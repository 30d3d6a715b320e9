// An InOut has one tile per program; pieces() is for an Outs or a Patch.
// error: launch parameter 1 is read and written: it takes std::move(tensor).partition<...>() with tiles of 64
// error-gcc: an InOut<> is read and written: it takes std::move(tensor).partition<...>()
#include "tegula/tegula.hpp"
using namespace tegula;

void increment(InOut<f32, 64> c) { c.store(c.load() + 1); }

int main() {
  auto c = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  c = kernel<increment>("increment")(std::move(c).pieces<64>()).sync();
}

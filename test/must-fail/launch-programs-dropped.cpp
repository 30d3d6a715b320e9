// An operation whose number of programs is chosen, and that is not run.
// flags: -Werror=unused-result
// error: an operation does nothing until sync() or start() runs it
#include "tegula/tegula.hpp"
using namespace tegula;

void fill(OutTiles<f32, 64> c) {
  for (auto t : c.my_tiles())
    t.store(ones<f32, 64>());
}

int main() {
  auto c = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  kernel<fill>()(std::move(c)).programs(2);
}

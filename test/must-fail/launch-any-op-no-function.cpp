// What becomes of the outputs must be said.
// error: an AnyOp is told what becomes of the outputs: op.then([](Tensor<f32, 2> c) { ... })
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64}).share();
  AnyOp job = kernel<copy>("copy")(fresh(64), a);
  std::move(job).sync();
}

// The function takes what the launch returns.
// error: the function takes the outputs as values, in the order of the parameters
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  const auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64}).share();
  AnyOp job = kernel<copy>("copy")(fresh(64), a).then([](Tensor<f32, 2>) {});
  std::move(job).sync();
}

// An operation that is lent its output cannot be stored.
// error: outputs by std::move(tensor) or fresh(...), not by out(tensor)
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  auto c = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  const auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64}).share();
  AnyOp job = kernel<copy>("copy")(out(c), a).then([] {});
  std::move(job).sync();
}

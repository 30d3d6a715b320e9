// An operation that borrows cannot be stored.
// error: an operation that is stored owns all that it uses: pass inputs as Shared, by std::move(tensor).share()
#include "tegula/tegula.hpp"
using namespace tegula;

void copy(Out<f32, 64> c, In<f32, 64> a) { c.store(a[c]); }

int main() {
  auto a = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  AnyOp job = kernel<copy>("copy")(fresh(64), a).then([](Tensor<f32, 1>) {});
  std::move(job).sync();
}

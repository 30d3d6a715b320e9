// A fraction for an integer parameter.
// error: launch parameter 2 is a scalar i32: it takes a host integer
// error-gcc: a Scalar<> takes a host number: for a float any number, for an integer an integer, for a bool a bool
#include "tegula/tegula.hpp"
using namespace tegula;

void fill(Out<i32, 64> c, Scalar<i32> s) { c.store(full<i32, 64>(s)); }

int main() {
  const Device device = Device::cpu();
  auto c = Tensor<i32, 1>::zeros(device, {64});
  c = kernel<fill>("fill")(std::move(c), 1.5f).sync();
}

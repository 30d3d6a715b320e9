// A fraction in a group of integers.
// error: launch parameter 2[1] is a scalar i32: it takes a host integer
// error-gcc: a Scalar<> takes a host number: for a float any number, for an integer an integer, for a bool a bool
#include "tegula/tegula.hpp"
using namespace tegula;

void fill(Out<i32, 64> c, Group<Scalar<i32>, 2> s) { c.store(full<i32, 64>(s[0] + s[1])); }

int main() {
  auto c = Tensor<i32, 1>::zeros(Device::cpu(), {64});
  c = kernel<fill>("fill")(std::move(c), group(1, 1.5f)).sync();
}

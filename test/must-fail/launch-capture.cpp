// A kernel's lambda that captures a host variable.
// error: a kernel's lambda captures nothing; pass values as Scalar<T> parameters or template arguments
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  float factor = 2;
  auto scale = kernel("scale", [factor](Out<f32, 64> y, In<f32, 64> x) { y.store(x[y] * factor); });
}

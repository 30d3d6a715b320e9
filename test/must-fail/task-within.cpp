// What refers to something else does so in a tuple, too.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"

#include <tuple>
using namespace tegula;

Task<i64> size(std::tuple<const Tensor<f32, 1>&, int> x) { co_return std::get<0>(x).size(); }

int main() {
  const auto x = Tensor<f32, 1>::zeros(Device::cpu(), {4});
  return size({x, 1}).sync() == 4 ? 0 : 1;
}

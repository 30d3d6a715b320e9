// A tensor whose values nobody has checked, where the kernel takes offsets.
// error: launch parameter 2 is offsets: it takes a certified tensor: certify(std::move(tensor), n, as_offsets)
// error-gcc: an Offsets<> takes a certified tensor: certify(std::move(tensor), n, as_offsets)
#include "tegula/tegula.hpp"
using namespace tegula;

void zero(OutTiles<f32, 1> y, Offsets<i32> o) {
  for (auto row : o.positions(this_program()))
    y.tile(row).store(zeros<f32, 1>());
}

int main() {
  Device device = Device::cpu();
  auto y = Tensor<f32, 1>::zeros(device, {64});
  auto offsets = Tensor<i32, 1>::zeros(device, {2});
  y = kernel<zero>("zero")(std::move(y), offsets).programs(1).sync();
}

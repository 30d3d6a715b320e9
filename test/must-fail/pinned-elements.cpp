// The elements of pinned memory outlive it.
// error: nobody checks how long the elements are used
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  Pinned<f32> pinned(Device::cpu(), 4);
  return pinned.elements()[0] == 0 ? 0 : 1;
}

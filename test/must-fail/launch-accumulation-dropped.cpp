// A tensor that is given up and then lost: it goes into a launch or is taken back.
// flags: -Werror=consumed
// error: invalid invocation of method '~Accumulation' on object 'given_up' while it is in the 'unconsumed' state
#include "tegula/tegula.hpp"
using namespace tegula;

int main() {
  auto c = Tensor<f32, 1>::zeros(Device::cpu(), {64});
  auto given_up = std::move(c).accumulate<64>();
}

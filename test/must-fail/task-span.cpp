// A task that takes a span may outlive the vector.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"

#include <span>
using namespace tegula;

Task<f32> sum(std::span<const f32> values) {
  f32 all = 0;
  for (const f32 value : values)
    all += value;
  co_return all;
}

int main() { return sum(std::vector<f32>{1, 2}).sync() == 3 ? 0 : 1; }

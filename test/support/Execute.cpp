#include "test/support/Execute.h"
#include "test/support/Executors.h"

namespace tegula::test {

const char* name(Executor executor) { return executor == Executor::interpreter ? "interpreter" : "cpu"; }

std::unique_ptr<Executable> prepare(Executor executor, const std::string& text) {
  return executor == Executor::interpreter ? prepare_interpreter(text) : prepare_cpu(text);
}

std::int64_t tile_count(const Tensor& tensor, const Shape& tile) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < tile.size(); ++axis)
    count *= (tensor.extents[axis] + tile[axis] - 1) / tile[axis];
  return count;
}

} // namespace tegula::test

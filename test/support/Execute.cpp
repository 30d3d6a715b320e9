#include "test/support/Execute.h"
#include "test/support/Executors.h"

#include <cstdlib>
#include <string_view>

namespace tegula::test {

const char* name(Executor executor) {
  constexpr const char* names[] = {"interpreter", "cpu", "gpu"};
  return names[static_cast<int>(executor)];
}

Executor back_end() {
  const char* device = std::getenv("TEGULA_DEVICE");
  return device && std::string_view(device).starts_with("gpu") ? Executor::gpu : Executor::cpu;
}

std::vector<Executor> executors() {
  if (back_end() == Executor::gpu)
    return {Executor::gpu};
  return {Executor::interpreter, Executor::cpu};
}

std::unique_ptr<Executable> prepare(Executor executor, const std::string& text, CodeOptions options) {
  switch (executor) {
  case Executor::interpreter:
    return prepare_interpreter(text);
  case Executor::cpu:
    return prepare_cpu(text, options);
  case Executor::gpu:
    return prepare_gpu(text, options);
  }
  return nullptr;
}

std::int64_t tile_count(const Tensor& tensor, const Shape& tile) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < tile.size(); ++axis)
    count *= (tensor.extents[axis] + tile[axis] - 1) / tile[axis];
  return count;
}

} // namespace tegula::test

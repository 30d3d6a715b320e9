#include "lib/runtime/Fork.h"
#include "tegula/error.hpp"

#include <atomic>
#include <mutex>

#include <pthread.h>

namespace tegula::runtime {
namespace {
std::atomic<bool> forked{false};
}

void watch_forks() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { forked = true; }); });
}

bool is_forked() noexcept { return forked.load(std::memory_order_relaxed); }

void refuse_if_forked() {
  if (is_forked())
    throw Error("tegula: this process was forked from one that had a device of Tegula's, whose threads and devices did not come "
                "along; fork "
                "before the first device is made, or start a program of its own (exec)");
}

} // namespace tegula::runtime

// What running programs say: lines they print, and the assertion that failed first.
#pragma once
#include "lib/compile/CpuKernel.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace tegula::runtime {

/// The context of the callbacks in CpuKernel.h, one per launch.
class LaunchMessages {
public:
  LaunchMessages(const char* kernel, const std::vector<Site>& sites) : kernel_(kernel), sites_(sites) {}

  // noexcept: nothing can unwind through the machine code that calls.
  void print(std::int64_t site, std::int64_t program, const void* const* values) noexcept;
  /// Of several failures, that of the lowest program is kept.
  void fail(std::int64_t site, std::int64_t program, const void* const* values) noexcept;
  bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }
  void throw_if_failed() const;

private:
  std::string head(const Site&, std::int64_t program) const;

  const char* kernel_;
  const std::vector<Site>& sites_;
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::int64_t program_ = 0; // of the failure
  std::string text_;
};

/// A value as NumPy writes it, in one line: "1.5", or "f32 2×2 [[1, 2], [3, 4]]". Of a large tile, the edges.
std::string value_text(const trace::Type&, const void* elements);

} // namespace tegula::runtime

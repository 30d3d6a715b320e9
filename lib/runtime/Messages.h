// What running programs say: lines they print, what failed first, and the elements they claim.
#pragma once
#include "lib/abi/Site.h"
#include "lib/runtime/Claims.h"

#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tegula::runtime {

/// One per launch. On the CPU it is the context of the callbacks in CpuKernel.h.
class LaunchMessages {
public:
  /// `claims` has a table for each parameter in CpuKernel::claimed.
  LaunchMessages(std::string kernel, const std::vector<Site>& sites, std::vector<Claims> claims = {})
      : kernel_(std::move(kernel)), sites_(sites), claims_(std::move(claims)) {}

  // noexcept: nothing can unwind through the machine code that calls.
  void print(std::int64_t site, std::int64_t program, const void* const* values) noexcept;
  /// Of several failures, that of the lowest program is kept, and of those the first.
  void fail(std::int64_t site, std::int64_t program, const void* const* values) noexcept;
  /// Of a failure of which nothing else is known: `why`.
  void fail_without_values(std::int64_t site, std::int64_t program, const std::string& why) noexcept;
  /// Fails when another program claims an element of the box.
  void claim(std::int64_t site, std::int64_t program, std::int64_t parameter, const std::int64_t* box) noexcept;
  /// Fails: two programs claim the element. It is the higher one's failure; if that fails otherwise, too, this is not told.
  void conflict(const Claims::Conflict&, std::int64_t parameter, const std::vector<std::int64_t>& element) noexcept;
  /// Fails: no table can tell so many programs apart.
  void refuse_claims(std::int64_t site, std::int64_t program) noexcept;
  /// After the launch: fails when nobody claimed an element of a parameter that has a table.
  void check_covered(int parameter);
  /// After the launch: fails, because nobody claimed this element. Of a launch that failed, nothing is expected.
  void uncovered(int parameter, const std::vector<std::int64_t>& element);
  bool failed() const noexcept { return lowest_.load(std::memory_order_relaxed) != nobody; }
  /// Whether a program with a lower number has failed: then nothing that this one says matters.
  bool failed_before(std::int64_t program) const noexcept { return lowest_.load(std::memory_order_relaxed) < program; }
  /// After the launch: a LaunchError if a program failed, or if lines could not be written.
  void throw_if_failed() const;

private:
  std::string place(const Site&) const;
  /// What tells failures of one program apart: zeros, or which conflict it is.
  using Rank = std::array<std::int64_t, 3>;
  /// Keeps `text()` if no lower program has failed, nor this one by a lower rank.
  template <class Text> void fail_with(std::int64_t program, Text text, const Rank& rank = {});

  std::string kernel_;
  const std::vector<Site>& sites_;
  std::vector<Claims> claims_;
  static constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  std::mutex mutex_;
  std::atomic<std::int64_t> lowest_{nobody}; // the program that failed
  Rank rank_{};
  std::string text_;
  std::atomic<bool> printed_{false};
};

/// Whether this thread is in a print sink, from which nothing may be launched: the launch whose line it was given is not over.
bool is_in_print_sink() noexcept;

/// A value as NumPy writes it, in one line: "1.5", or "f32 2×2 [[1, 2], [3, 4]]". Of a large tile, the edges.
std::string value_text(const trace::Type&, const void* elements);

} // namespace tegula::runtime

// What becomes of work that may fail, and of everything that is computed from its results.
#pragma once
#include "lib/runtime/Queue.h"

#include <exception>
#include <memory>
#include <vector>

namespace tegula::host {

class Fault;
/// Those on which some contents hang. Empty, if all they hang on went well.
using Faults = std::vector<std::shared_ptr<Fault>>;

/// Of one piece of work. It is open until the work is done and has been listened to. Work fails by itself, or because what it read
/// came of work that failed; then it has the same error.
class Fault : public std::enable_shared_from_this<Fault> {
public:
  /// If somebody waits for the work, he is told of its failure.
  Fault(Faults causes, const Ticket& work, bool awaited) : ticket(work), causes_(std::move(causes)), told_(awaited) {}
  const Ticket ticket; // of the work

  bool is_fine() const noexcept { return state_.load(std::memory_order_acquire) == State::fine; }
  bool has_failed() const noexcept { return state_.load(std::memory_order_acquire) == State::failed; }

  /// Whether a cause failed, and so this. Listens to causes that are open: their work is done.
  bool inherit();
  void succeed() noexcept { close(State::fine); }
  void fail(std::exception_ptr) noexcept;

  /// Of one that failed: throws the error. From now on somebody knows.
  [[noreturn]] void tell();
  /// Of one whose error is its own and that nobody knows of: somebody will, who asks first.
  bool claim() noexcept { return is_untold() && !told_.exchange(true); }
  bool is_untold() const noexcept { return has_failed() && !origin_ && !told_.load(std::memory_order_relaxed); }

private:
  enum class State : std::uint8_t { open, fine, failed };
  void close(State) noexcept;

  Faults causes_; // while it is open
  std::atomic<State> state_{State::open};
  std::exception_ptr error_;
  std::shared_ptr<Fault> origin_; // whose error it is, if not its own
  std::atomic<bool> told_;
};

/// Waits for the work and listens to it; throws the error of one that failed.
void settle(const Faults&);
/// Adds those of another, but for those that are fine, each once.
void add_open_faults(Faults& to, const Faults& from);
inline void add_faults(Faults& to, const Faults& from) {
  if (!from.empty())
    add_open_faults(to, from);
}

} // namespace tegula::host

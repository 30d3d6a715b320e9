// Compiled kernels of one device.
#pragma once
#include "lib/compile/Compile.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tegula::runtime {

/// Tells code from all other code that a device could be asked for.
struct CodeKey {
  std::string kernel; // tells it from all others with another meaning, other messages or other checks
  Specialisation specialisation;
  int warps = 0, stages = 0, max_regs = 0; // of the hints, where the kind of device has them

  auto operator<=>(const CodeKey&) const = default;
};

/// `Code` is what a kind of device runs. Thread-safe. A key is compiled once; different keys compile at the same time. A
/// compilation that throws is tried again next time. What was asked for last is kept, so that a kernel object that is made anew in
/// every iteration of a loop is compiled once; the rest lives as long as a kernel object that uses it.
template <class Code> class KernelCache {
public:
  /// A small kernel takes a megabyte on a CPU.
  static constexpr std::size_t most_kept = 128;

  std::shared_ptr<const Code> get(const CodeKey& key, const std::function<std::shared_ptr<const Code>()>& compile) {
    const std::shared_ptr<Entry> entry = find(key);
    std::lock_guard lock(entry->compiling);
    std::shared_ptr<const Code> code = entry->code.lock();
    if (!code) {
      code = compile();
      entry->code = code;
      ++compiled_;
    }
    keep(code);
    return code;
  }
  std::int64_t compiled() const noexcept { return compiled_; }

private:
  struct Entry {
    std::mutex compiling;
    std::weak_ptr<const Code> code;
  };

  std::shared_ptr<Entry> find(const CodeKey& key) {
    std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& slot = entries_[key];
    if (!slot)
      slot = std::make_shared<Entry>();
    return slot;
  }

  void keep(const std::shared_ptr<const Code>& code) {
    std::list<std::shared_ptr<const Code>> dropped; // and freed when the lock is open again
    std::lock_guard lock(mutex_);
    kept_.remove(code);
    kept_.push_front(code);
    if (kept_.size() <= most_kept)
      return;
    dropped.splice(dropped.begin(), kept_, std::prev(kept_.end()));
    forget_unused();
  }

  /// Now and then, so that it costs little: entries of which nothing is left, and that nobody is compiling.
  void forget_unused() {
    if (entries_.size() < 2 * most_kept + forgotten_at_)
      return;
    std::erase_if(entries_, [](const auto& entry) { return entry.second.use_count() == 1 && entry.second->code.expired(); });
    forgotten_at_ = entries_.size();
  }

  std::mutex mutex_;
  std::map<CodeKey, std::shared_ptr<Entry>> entries_;
  std::list<std::shared_ptr<const Code>> kept_; // the one used last first
  std::size_t forgotten_at_ = 0;
  std::atomic<std::int64_t> compiled_{0};
};

} // namespace tegula::runtime

// Compiled kernels of one device.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tegula::runtime {

inline std::atomic<std::uint64_t> kernel_caches{0};

/// `Code` is what a kind of device runs. Thread-safe. A key is compiled once; different keys compile at the same time. A
/// compilation that throws is tried again next time.
template <class Code> class KernelCache {
public:
  /// Of no other cache, past or present.
  std::uint64_t id() const noexcept { return id_; }
  /// `key` tells the kernel from all others with another meaning, other messages, other checks or another specialisation.
  std::shared_ptr<const Code> get(const std::string& key, const std::function<std::shared_ptr<const Code>()>& compile) {
    std::shared_ptr<Entry> entry;
    {
      std::lock_guard lock(mutex_);
      std::shared_ptr<Entry>& slot = entries_[key];
      if (!slot)
        slot = std::make_shared<Entry>();
      entry = slot;
    }
    std::lock_guard lock(entry->compiling);
    if (!entry->code) {
      entry->code = compile();
      ++compiled_;
    }
    return entry->code;
  }
  std::int64_t compiled() const noexcept { return compiled_; }

private:
  struct Entry {
    std::mutex compiling;
    std::shared_ptr<const Code> code;
  };
  std::uint64_t id_ = ++kernel_caches;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
  std::atomic<std::int64_t> compiled_{0};
};

} // namespace tegula::runtime

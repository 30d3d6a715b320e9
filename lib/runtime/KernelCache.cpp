#include "lib/runtime/KernelCache.h"

namespace tegula::runtime {

KernelCache::KernelCache() {
  static std::atomic<std::uint64_t> caches{0};
  id_ = ++caches;
}

std::shared_ptr<const CpuKernel> KernelCache::get(const std::string& identity, const trace::Record& record,
                                                  const Specialisation& specialisation, Checks checks) {
  std::string key = identity;
  for (const std::vector<Stride>& strides : specialisation) {
    key += '|';
    for (Stride stride : strides)
      key += static_cast<char>('0' + static_cast<int>(stride));
  }
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& slot = entries_[key];
    if (!slot)
      slot = std::make_shared<Entry>();
    entry = slot;
  }
  std::lock_guard lock(entry->compiling);
  if (!entry->kernel) {
    CompileOptions options;
    options.checks = checks;
    entry->kernel = compile_for_cpu(record, specialisation, options);
    ++compiled_;
  }
  return entry->kernel;
}

} // namespace tegula::runtime

#include "lib/runtime/gpu/StoredKernel.h"
#include "lib/abi/KernelBytes.h"
#include "lib/compile/FactsBytes.h"
#include "lib/runtime/gpu/BuildId.h"
#include "tegula/error.hpp"

#include <utility>

namespace tegula::gpu {
namespace {

/// The same in every process; other bytes for every other key.
std::string bytes_of(const runtime::CodeKey& key) {
  ByteWriter writer;
  writer.text(key.kernel);
  writer.list(key.specialisation, [&](const ViewFacts& facts) { write(writer, facts); });
  for (const int hint : {key.warps, key.stages, key.max_regs})
    writer.number(hint);
  return writer.take();
}

} // namespace

StoredKernel::StoredKernel(const Context& context, const runtime::CodeKey& key) {
  static const std::string build = build_id();
  if (build.empty()) // nothing would tell this build's kernels from another's
    return;
  cache_ = DiskCache::from_environment();
  const Driver& driver = context.driver();
  for (const std::string& part : {build, driver.library, driver.version_text(), context.target(), bytes_of(key)})
    key_ += std::to_string(part.size()) + ':' + part;
}

std::shared_ptr<LoadedKernel> StoredKernel::load(std::shared_ptr<const Context> context, const std::string& kernel) const {
  const std::optional<std::string> bytes = cache_ ? cache_->find(key_) : std::nullopt;
  if (!bytes)
    return nullptr;
  if (std::optional<GpuKernel> stored = unpack_kernel(*bytes)) {
    try {
      const std::string image = std::exchange(stored->image, {});
      return std::make_shared<LoadedKernel>(std::move(context), kernel, *std::move(stored), image);
    } catch (const DriverError&) { // it is compiled again, and fails again if that is not enough
    }
  }
  cache_->remove(key_);
  return nullptr;
}

void StoredKernel::store(const GpuKernel& kernel, const std::string& image) const {
  if (!cache_)
    return;
  GpuKernel assembled = kernel;
  assembled.image = image;
  cache_->store(key_, pack_kernel(assembled));
}

} // namespace tegula::gpu

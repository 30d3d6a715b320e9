#include "lib/runtime/gpu/Pool.h"
#include "tegula/error.hpp"

namespace tegula::gpu {
namespace {

// Attributes of a pool, as the driver's interface fixes them.
constexpr int release_threshold = 4, reserved_now = 5;

auto asking_for(std::size_t bytes) {
  return [bytes] { return "asking for " + std::to_string(bytes) + " bytes"; };
}

} // namespace

Pool::Pool(const Context& context) : context_(context) {
  if (!context_.has_pools())
    return;
  Context::Use use(context_);
  const Driver& driver = context_.driver();
  const auto purpose = [] { return std::string("opening the pool of memory"); };
  cuda::Ordinal device = 0;
  context_.call(driver.cuDeviceGet, purpose, &device, context_.ordinal());
  context_.call(driver.cuDeviceGetDefaultMemPool, purpose, &pool_, device);
  std::uint64_t keep_all = UINT64_MAX;
  context_.call(driver.cuMemPoolSetAttribute, purpose, pool_, release_threshold, static_cast<void*>(&keep_all));
}

cuda::Result Pool::try_allocate(cuda::Address* address, std::size_t bytes, cuda::Stream stream) {
  const Driver& driver = context_.driver();
  if (!pool_)
    return driver(driver.cuMemAlloc_v2, address, bytes);
  return driver(driver.cuMemAllocAsync, address, bytes, stream);
}

cuda::Address Pool::allocate(std::size_t bytes, cuda::Stream stream) {
  if (bytes == 0)
    return 0;
  Context::Use use(context_);
  const Driver& driver = context_.driver();
  cuda::Address address = 0;
  cuda::Result result = try_allocate(&address, bytes, stream);
  if (result == cuda::out_of_memory && pool_) {
    context_.call(driver.cuCtxSynchronize, asking_for(bytes)); // what was freed is free by then, in every stream
    context_.call(driver.cuMemPoolTrimTo, asking_for(bytes), pool_, std::size_t{0});
    result = try_allocate(&address, bytes, stream);
  }
  if (result == cuda::out_of_memory)
    return 0;
  if (result != cuda::success)
    context_.fail(pool_ ? driver.cuMemAllocAsync.name : driver.cuMemAlloc_v2.name, result, asking_for(bytes)());
  return address;
}

void Pool::free(cuda::Address address, cuda::Stream stream) noexcept {
  if (address == 0)
    return;
  try {
    Context::Use use(context_);
    const Driver& driver = context_.driver();
    if (pool_) {
      driver(driver.cuMemFreeAsync, address, stream);
    } else {
      driver(driver.cuCtxSynchronize); // the work that uses it may be under way
      driver(driver.cuMemFree_v2, address);
    }
  } catch (const DriverError&) { // a lost device takes everything along
  }
}

std::int64_t Pool::reserved() const noexcept {
  if (!pool_)
    return 0;
  std::uint64_t bytes = 0;
  const auto get = context_.driver().cuMemPoolGetAttribute.pointer;
  return get && get(pool_, reserved_now, &bytes) == cuda::success ? static_cast<std::int64_t>(bytes) : 0;
}

} // namespace tegula::gpu

#include "lib/runtime/gpu/GpuDevice.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/gpu/GpuGraph.h"
#include "lib/runtime/gpu/GpuQueue.h"
#include "lib/runtime/gpu/StoredKernel.h"
#include "lib/runtime/gpu/Transfers.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <chrono>

namespace tegula::gpu {
namespace {

cuda::Address address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

auto doing(const char* what, std::size_t bytes, const char* where = "") {
  return [=] { return std::string(what) + " " + std::to_string(bytes) + " bytes" + where; };
}

/// Null if there is no machine code, or this driver does not take it.
std::shared_ptr<LoadedKernel> load_assembled(const std::shared_ptr<Context>& context, const std::string& kernel,
                                             const GpuKernel& code) {
  if (code.image.empty())
    return nullptr;
  try {
    return std::make_shared<LoadedKernel>(context, kernel, code, code.image);
  } catch (const DriverError&) {
    return nullptr;
  }
}

GpuQueue& queue_of(host::QueueState& queue) { return static_cast<GpuQueue&>(queue); }

} // namespace

GpuDevice::GpuDevice(const Driver& driver, int ordinal) : context_(std::make_shared<Context>(driver, ordinal)), pool_(*context_) {
  own_queue(Priority::normal); // so that it is the first, and the context's stream
}

std::unique_ptr<host::QueueState> GpuDevice::make_queue(int index, Priority priority) {
  return std::make_unique<GpuQueue>(*this, *context_, listening_, index, priority);
}

host::DeviceState::Memory GpuDevice::allocate(host::QueueState& on, std::size_t bytes, host::Contents contents) {
  runtime::refuse_if_forked();
  GpuQueue& queue = queue_of(on);
  const cuda::Address address = pool_.allocate(bytes, queue.stream());
  Context::Use use(*context_);
  const Driver& driver = context_->driver();
  if (address == 0 && bytes != 0) {
    std::size_t free = 0, total = 0;
    context_->call(driver.cuMemGetInfo_v2, doing("asking for", bytes), &free, &total);
    throw Error("tegula: device '" + name() + "' has no memory for " + std::to_string(bytes) + " bytes; its tensors hold " +
                std::to_string(bytes_in_use.load()) + " bytes, and " + std::to_string(free) + " of its " + std::to_string(total) +
                " bytes are free");
  }
  if (contents == host::Contents::zeros && bytes != 0) {
    try {
      context_->call(driver.cuMemsetD8Async, doing("zeroing", bytes), address, static_cast<unsigned char>(0), bytes,
                     queue.stream());
    } catch (...) {
      pool_.free(address, queue.stream());
      throw;
    }
  }
  count_bytes(static_cast<std::int64_t>(bytes));
  return {reinterpret_cast<void*>(address), {&queue, queue.count()}};
}

std::shared_ptr<void> GpuDevice::allocate_pinned(std::size_t bytes) {
  constexpr unsigned in_every_context = 1;
  if (bytes == 0)
    return nullptr;
  runtime::refuse_if_forked();
  Context::Use use(*context_);
  void* data = nullptr;
  const Driver& driver = context_->driver();
  const cuda::Result result = driver(driver.cuMemHostAlloc, &data, bytes, in_every_context);
  if (result == cuda::out_of_memory)
    return nullptr;
  if (result != cuda::success)
    context_->fail(driver.cuMemHostAlloc.name, result, doing("pinning", bytes)());
  return {data, [context = context_](void* memory) {
            try {
              Context::Use freeing(*context);
              context->driver()(context->driver().cuMemFreeHost, memory);
            } catch (const DriverError&) { // a lost device takes everything along
            }
          }};
}

void GpuDevice::free(host::QueueState* queue, void* data, std::size_t bytes) {
  pool_.free(address_of(data), queue ? queue_of(*queue).stream() : context_->stream());
  count_bytes(-static_cast<std::int64_t>(bytes));
}

u64 GpuDevice::transfer(host::QueueState& on, const host::Transfer& transfer) {
  runtime::refuse_if_forked();
  Context::Use use(*context_);
  GpuQueue& queue = queue_of(on);
  enqueue(*context_, queue.stream(), transfer);
  const u64 number = queue.count();
  if (transfer.kind == host::Transfer::Kind::to_host || transfer.kind == host::Transfer::Kind::from_host)
    try {
      queue.mark();                   // somebody will wait for just this, while more is started behind it
    } catch (const std::exception&) { // then he waits for more
    }
  return number;
}

void GpuDevice::copy_now(host::QueueState& on, const host::Transfer& transfer) {
  runtime::refuse_if_forked();
  Context::Use use(*context_);
  const cuda::Stream stream = queue_of(on).stream();
  enqueue(*context_, stream, transfer);
  context_->wait(
      doing("copying", transfer.bytes, transfer.kind == host::Transfer::Kind::to_host ? " to the host" : " from the host"), stream);
}

std::shared_ptr<const void> GpuDevice::prepare(host::KernelState& kernel, const host::Argument* arguments, int n) {
  return kernel.specialised(*this, kernels_, host::Facts::all, arguments, n,
                            [&](const runtime::CodeKey& key, const KernelIr& ir) { return compile(kernel, key, ir); });
}

u64 GpuDevice::launch(host::QueueState& on, const host::Launch& wanted, std::shared_ptr<host::Fault> fault) {
  GpuQueue& queue = queue_of(on);
  const auto& code = *static_cast<const LoadedKernel*>(wanted.code.get());
  const Launch launch{wanted.kernel.name, code, wanted.programs};
  const auto start_with = [&](std::int64_t records, std::span<const std::int64_t> owners) {
    Parameters parameters(*context_, launch, wanted.words, records, owners);
    start(*context_, queue.stream(), launch, parameters);
  };
  Context::Use use(*context_);
  if (!code.speaks()) {
    start_with(0, {});
  } else {
    std::vector<std::unique_ptr<Speech>> speeches;
    const Speech& speech = *speeches.emplace_back(std::make_unique<Speech>(
        *context_, pool_, queue.stream(), &queue.ring(), launch, std::static_pointer_cast<const LoadedKernel>(wanted.code),
        claimed_extents(code.code(), wanted.kernel.record(), wanted.arguments)));
    for (const host::Transfer& transfer : speech.preparations())
      enqueue(*context_, queue.stream(), transfer);
    const std::int64_t records = speech.records();
    const std::vector<std::int64_t> owners = speech.owners();
    queue.expect(
        std::make_unique<Report>(*context_, std::move(speeches), std::move(fault))); // what is in the stream is listened to
    try {
      start_with(records, owners);
    } catch (...) {
      queue.forget_last(); // of its grids some may have been started
      throw;
    }
  }
  return queue.count();
}

std::unique_ptr<host::DeviceGraph> GpuDevice::make_graph(std::shared_ptr<const host::Nodes> nodes) {
  return std::make_unique<GpuGraph>(*this, std::move(nodes));
}

std::shared_ptr<const LoadedKernel> GpuDevice::compile(const host::KernelState& kernel, const runtime::CodeKey& key,
                                                       const KernelIr& ir) const {
  const auto start = std::chrono::steady_clock::now();
  const auto loaded = kernel.dump().compiling(context_->target(), key,
                                              [&](const Observer& observer) { return compile(kernel.name, key, ir, observer); });
  loaded->compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

std::shared_ptr<LoadedKernel> GpuDevice::compile(const std::string& kernel, const runtime::CodeKey& key, const KernelIr& ir,
                                                 const Observer& observer) const {
  std::optional<StoredKernel> stored; // what somebody looks into is compiled anew
  if (!observer) {
    stored.emplace(*context_, key);
    if (std::shared_ptr<LoadedKernel> loaded = stored->load(context_, kernel))
      return loaded;
  }
  const std::shared_ptr<const GpuKernel> code = compile_for_gpu(
      ir, key.specialisation,
      {.target = context_->target(), .warps = key.warps, .stages = key.stages, .max_regs = key.max_regs, .observer = observer});
  std::shared_ptr<LoadedKernel> loaded = load_assembled(context_, kernel, *code);
  if (!loaded) {
    const std::string image = assemble(*context_, kernel, *code);
    loaded = std::make_shared<LoadedKernel>(context_, kernel, *code, image);
    if (stored)
      stored->store(*code, image);
  }
  if (observer)
    observer("plan", loaded->resources());
  return loaded;
}

} // namespace tegula::gpu

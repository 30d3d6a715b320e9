#include "lib/runtime/gpu/GpuDevice.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Words.h"
#include "lib/runtime/gpu/GpuQueue.h"
#include "lib/runtime/gpu/Graph.h"
#include "lib/runtime/gpu/StoredKernel.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory_resource>

namespace tegula::gpu {
namespace {

cuda::Address address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

auto doing(const char* what, std::size_t bytes, const char* where = "") {
  return [=] { return std::string(what) + " " + std::to_string(bytes) + " bytes" + where; };
}

/// A captured graph could not wait for the host.
void refuse_while_capturing(const Context& context, const char* what) {
  if (context.capturing)
    throw Error("tegula: " + std::string(what) + " cannot be part of a graph: do it before or after the capture");
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

template <class T> T bits_of(const void* element) {
  T bits;
  std::memcpy(&bits, element, sizeof bits);
  return bits;
}

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

void GpuDevice::free(host::QueueState* queue, void* data, std::size_t bytes) {
  pool_.free(address_of(data), queue ? queue_of(*queue).stream() : context_->stream());
  count_bytes(-static_cast<std::int64_t>(bytes));
}

u64 GpuDevice::fill(host::QueueState& on, void* data, std::size_t bytes, const void* element, std::size_t size) {
  Context::Use use(*context_);
  const Driver& driver = context_->driver();
  const cuda::Address to = address_of(data);
  GpuQueue& queue = queue_of(on);
  const cuda::Stream stream = queue.stream();
  const auto purpose = doing("filling", bytes);
  if (size == 1) {
    context_->call(driver.cuMemsetD8Async, purpose, to, bits_of<unsigned char>(element), bytes, stream);
  } else if (size == 2) {
    context_->call(driver.cuMemsetD16Async, purpose, to, bits_of<unsigned short>(element), bytes / 2, stream);
  } else if (size == 4) {
    context_->call(driver.cuMemsetD32Async, purpose, to, bits_of<unsigned>(element), bytes / 4, stream);
  } else {
    const auto halves = bits_of<std::array<unsigned, 2>>(element);
    context_->call(driver.cuMemsetD32Async, purpose, to, halves[0], std::size_t{1}, stream);
    context_->call(driver.cuMemsetD32Async, purpose, to + 4, halves[1], std::size_t{1}, stream);
    for (std::size_t done = size; done < bytes; done *= 2)
      context_->call(driver.cuMemcpyDtoDAsync_v2, purpose, to + done, to, std::min(done, bytes - done), stream);
  }
  return queue.count();
}

u64 GpuDevice::copy(host::QueueState& on, void* to, const void* from, std::size_t bytes) {
  Context::Use use(*context_);
  GpuQueue& queue = queue_of(on);
  context_->call(context_->driver().cuMemcpyDtoDAsync_v2, doing("copying", bytes), address_of(to), address_of(from), bytes,
                 queue.stream());
  return queue.count();
}

u64 GpuDevice::copy_to_host(host::QueueState& on, void* to, const void* from, std::size_t bytes) {
  runtime::refuse_if_forked();
  refuse_while_capturing(*context_, "a copy to the host");
  Context::Use use(*context_);
  GpuQueue& queue = queue_of(on);
  context_->call(context_->driver().cuMemcpyDtoHAsync_v2, doing("copying", bytes, " to the host"), to, address_of(from), bytes,
                 queue.stream());
  const u64 number = queue.count();
  queue.mark(); // somebody waits for just this
  return number;
}

u64 GpuDevice::copy_from_host(host::QueueState& on, void* to, const void* from, std::size_t bytes) {
  refuse_while_capturing(*context_, "a copy from the host");
  Context::Use use(*context_);
  GpuQueue& queue = queue_of(on);
  context_->call(context_->driver().cuMemcpyHtoDAsync_v2, doing("copying", bytes, " from the host"), address_of(to), from, bytes,
                 queue.stream());
  const u64 number = queue.count();
  queue.mark();
  return number;
}

std::shared_ptr<const void> GpuDevice::prepare(host::KernelState& kernel, const host::Argument* arguments, int n) {
  return kernel.specialised(kernels_, host::Facts::all, arguments, n,
                            [&](const host::CompileRequest& request) { return compile(kernel.name, request); });
}

bool GpuDevice::may_fail(const host::Launch& launch) const noexcept {
  return static_cast<const LoadedKernel*>(launch.code.get())->speaks();
}

u64 GpuDevice::launch(host::QueueState& on, const host::Launch& wanted, std::shared_ptr<host::Fault> fault) {
  GpuQueue& queue = queue_of(on);
  const auto& code = *static_cast<const LoadedKernel*>(wanted.code.get());
  const trace::Record& record = wanted.kernel.record();
  std::array<std::byte, 4096> room; // so that most launches ask for no memory
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<std::int64_t> words(&memory);
  runtime::pack_words(record, wanted.arguments, words);
  const Launch launch{wanted.kernel.name, code, words, wanted.programs};
  Context::Use use(*context_);
  if (!code.speaks()) {
    start(*context_, queue.stream(), launch, static_cast<std::int64_t>(context_->silence()), {});
  } else {
    if (context_->capturing)
      throw LaunchError("kernel '" + wanted.kernel.name + "' may print or fail, so it cannot be part of a graph");
    std::vector<std::vector<std::int64_t>> claimed;
    for (const int parameter : code.code().claimed) {
      const std::int64_t* extents = wanted.arguments[parameter].view.extents;
      claimed.emplace_back(extents, extents + record.parameters[static_cast<std::size_t>(parameter)].type.shape.size());
    }
    auto report =
        std::make_unique<Report>(*context_, pool_, queue.stream(), launch,
                                 std::static_pointer_cast<const LoadedKernel>(wanted.code), std::move(claimed), std::move(fault));
    const std::int64_t records = report->records();
    const std::vector<std::int64_t> owners = report->owners();
    queue.expect(std::move(report)); // first: what is in the stream must be listened to
    try {
      start(*context_, queue.stream(), launch, records, owners);
    } catch (...) {
      queue.forget_last();
      throw;
    }
  }
  launches += 1;
  programs += wanted.programs;
  return queue.count();
}

std::shared_ptr<const LoadedKernel> GpuDevice::compile(const std::string& kernel, const host::CompileRequest& request) const {
  const auto start = std::chrono::steady_clock::now();
  const StoredKernel stored(*context_, request);
  std::shared_ptr<LoadedKernel> loaded = stored.load(context_, kernel);
  if (!loaded) {
    const std::shared_ptr<const GpuKernel> code = compile_for_gpu(request.record, request.specialisation,
                                                                  {.target = context_->target(),
                                                                   .warps = request.hints.warps,
                                                                   .stages = request.hints.stages,
                                                                   .max_regs = request.hints.max_regs,
                                                                   .checks = request.checks});
    loaded = load_assembled(context_, kernel, *code);
    if (!loaded) {
      const std::string image = assemble(*context_, kernel, *code);
      loaded = std::make_shared<LoadedKernel>(context_, kernel, *code, image);
      stored.store(*code, image);
    }
  }
  loaded->compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return loaded;
}

} // namespace tegula::gpu

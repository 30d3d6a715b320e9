#include "lib/runtime/gpu/GpuDevice.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Words.h"
#include "lib/runtime/gpu/Enqueuing.h"
#include "lib/runtime/gpu/Launch.h"
#include "lib/runtime/gpu/StoredKernel.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

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

template <class T> T bits_of(const void* element) {
  T bits;
  std::memcpy(&bits, element, sizeof bits);
  return bits;
}

} // namespace

GpuDevice::GpuDevice(const Driver& driver, int ordinal) : context_(std::make_shared<Context>(driver, ordinal)), pool_(*context_) {}

void* GpuDevice::allocate(std::size_t bytes, host::Contents contents) {
  runtime::refuse_if_forked();
  const cuda::Address address = pool_.allocate(bytes);
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
                     context_->stream());
    } catch (...) {
      pool_.free(address);
      throw;
    }
  }
  count_bytes(static_cast<std::int64_t>(bytes));
  return reinterpret_cast<void*>(address);
}

void GpuDevice::free(void* data, std::size_t bytes) noexcept {
  if (runtime::is_forked())
    return; // it is the parent's
  pool_.free(address_of(data));
  count_bytes(-static_cast<std::int64_t>(bytes));
}

void GpuDevice::fill(void* data, std::size_t bytes, const void* element, std::size_t size) {
  Context::Use use(*context_);
  const Driver& driver = context_->driver();
  const cuda::Address to = address_of(data);
  const cuda::Stream stream = context_->stream();
  const auto purpose = doing("filling", bytes);
  if (size == 1)
    return context_->call(driver.cuMemsetD8Async, purpose, to, bits_of<unsigned char>(element), bytes, stream);
  if (size == 2)
    return context_->call(driver.cuMemsetD16Async, purpose, to, bits_of<unsigned short>(element), bytes / 2, stream);
  if (size == 4)
    return context_->call(driver.cuMemsetD32Async, purpose, to, bits_of<unsigned>(element), bytes / 4, stream);
  const auto halves = bits_of<std::array<unsigned, 2>>(element);
  context_->call(driver.cuMemsetD32Async, purpose, to, halves[0], std::size_t{1}, stream);
  context_->call(driver.cuMemsetD32Async, purpose, to + 4, halves[1], std::size_t{1}, stream);
  for (std::size_t done = size; done < bytes; done *= 2)
    context_->call(driver.cuMemcpyDtoDAsync_v2, purpose, to + done, to, std::min(done, bytes - done), stream);
}

void GpuDevice::copy(void* to, const void* from, std::size_t bytes) {
  Context::Use use(*context_);
  context_->call(context_->driver().cuMemcpyDtoDAsync_v2, doing("copying", bytes), address_of(to), address_of(from), bytes,
                 context_->stream());
}

void GpuDevice::copy_to_host(void* to, const void* from, std::size_t bytes) {
  runtime::refuse_if_forked();
  refuse_while_capturing(*context_, "a copy to the host");
  Context::Use use(*context_);
  const auto purpose = doing("copying", bytes, " to the host");
  context_->call(context_->driver().cuMemcpyDtoHAsync_v2, purpose, to, address_of(from), bytes, context_->stream());
  context_->wait(purpose);
}

void GpuDevice::copy_from_host(void* to, const void* from, std::size_t bytes) {
  refuse_while_capturing(*context_, "a copy from the host");
  Context::Use use(*context_);
  const auto purpose = doing("copying", bytes, " from the host");
  context_->call(context_->driver().cuMemcpyHtoDAsync_v2, purpose, address_of(to), from, bytes, context_->stream());
  context_->wait(purpose); // the host may change its memory from now on
}

void GpuDevice::run(host::KernelState& kernel, const host::Argument* arguments, int n, std::int64_t count) {
  const std::shared_ptr<const LoadedKernel> code = kernel.specialised(
      kernels_, host::Facts::all, arguments, n, [&](const host::CompileRequest& request) { return compile(kernel.name, request); });
  const trace::Record& record = kernel.record();
  Launch launch{kernel.name, *code, runtime::pack_words(record, arguments, n), count, {}};
  for (const int parameter : code->code().claimed) {
    const std::int64_t* extents = arguments[parameter].view.extents;
    launch.claimed.emplace_back(extents, extents + record.parameters[static_cast<std::size_t>(parameter)].type.shape.size());
  }
  launches += 1;
  programs += count;
  if (Enqueuing::on(*this))
    enqueue(*context_, launch);
  else
    gpu::run(*context_, pool_, launch);
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

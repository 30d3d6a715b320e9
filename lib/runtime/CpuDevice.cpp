#include "lib/runtime/CpuDevice.h"
#include "lib/compile/FloatMode.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Memory.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Words.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <unistd.h>

namespace tegula::runtime {
namespace {

/// Tables of owners, where the kernel checks that no two programs write one element.
std::vector<Claims> claims_of(const CpuKernel& code, const trace::Record& record, const host::Argument* arguments) {
  std::vector<Claims> claims;
  claims.reserve(code.claimed.size());
  for (int parameter : code.claimed) {
    const std::int64_t* extents = arguments[parameter].view.extents;
    const std::size_t rank = record.parameters[static_cast<std::size_t>(parameter)].type.shape.size();
    try {
      claims.emplace_back(parameter, std::vector<std::int64_t>(extents, extents + rank));
    } catch (const std::bad_alloc&) {
      throw Error("tegula: kernel '" + record.name + "': there is no memory to check who writes " +
                  host::parameter_name(parameter) + ", which takes 8 bytes for each element");
    }
  }
  return claims;
}

} // namespace

CpuDevice::CpuDevice(std::string name, int threads)
    : name_(std::move(name)), pool_(threads), scratch_(static_cast<std::size_t>(threads)) {}

std::int64_t CpuDevice::memory_bytes() const noexcept {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

CpuDevice::~CpuDevice() {
  for (const Scratch& scratch : scratch_)
    deallocate(scratch.data, scratch.bytes);
}

void* CpuDevice::allocate(std::size_t bytes, host::Contents) {
  void* data = allocate_zeroed(bytes);
  if (!data && bytes != 0)
    throw Error("tegula: device '" + name_ + "' has no memory for " + std::to_string(bytes) + " bytes; its tensors hold " +
                std::to_string(bytes_in_use.load()) + " bytes");
  count_bytes(static_cast<std::int64_t>(bytes));
  return data;
}

void CpuDevice::free(void* data, std::size_t bytes) noexcept {
  deallocate(data, bytes);
  count_bytes(-static_cast<std::int64_t>(bytes));
}

void CpuDevice::fill(void* to, std::size_t bytes, const void* element, std::size_t size) {
  char* out = static_cast<char*>(to);
  std::memcpy(out, element, size);
  for (std::size_t done = size; done < bytes; done *= 2)
    std::memcpy(out + done, out, std::min(done, bytes - done));
}

void CpuDevice::copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void CpuDevice::grow_scratch(std::size_t bytes) {
  for (Scratch& scratch : scratch_) {
    if (scratch.bytes >= bytes)
      continue;
    deallocate(scratch.data, scratch.bytes);
    scratch = {};
    void* data = allocate_zeroed(bytes);
    if (!data)
      throw Error("tegula: device '" + name_ + "' has no memory for " + std::to_string(bytes) + " bytes of scratch per thread");
    scratch = {data, bytes};
  }
}

void CpuDevice::run(host::KernelState& kernel, const host::Argument* arguments, int n, std::int64_t count) {
  const std::shared_ptr<const CpuKernel> code =
      kernel.specialised(kernels_, host::Facts::strides, arguments, n, [](const host::CompileRequest& request) {
        CompileOptions options;
        options.checks = request.checks;
        return compile_for_cpu(request.record, request.specialisation, options);
      });
  const std::vector<std::int64_t> words = pack_words(kernel.record(), arguments, n);
  struct Job {
    CpuKernel::Entry entry;
    const std::int64_t* words;
    std::int64_t programs;
    const Scratch* scratch;
    LaunchMessages messages;
  } job{code->entry,
        words.data(),
        count,
        scratch_.data(),
        {kernel.name.c_str(), code->sites, claims_of(*code, kernel.record(), arguments)}};
  pool_.run(
      count,
      [](void* user, std::int64_t begin, std::int64_t end, int worker) {
        Job& job = *static_cast<Job*>(user);
        const FloatMode mode;
        // Those with lower numbers run even so: of several failures, that of the lowest program is told, every time.
        for (std::int64_t program = begin; program < end && !job.messages.failed_before(program); ++program)
          job.entry(job.words, program, job.programs, &job.messages, job.scratch[worker].data);
      },
      &job, [&] { grow_scratch(code->scratch_bytes); });
  launches += 1;
  programs += count;
  if (!job.messages.failed())
    for (int parameter : code->covered_checked)
      job.messages.check_covered(parameter);
  job.messages.throw_if_failed();
}

} // namespace tegula::runtime

#include "lib/runtime/CpuDevice.h"
#include "lib/abi/FloatMode.h"
#include "lib/runtime/CpuQueue.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Memory.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Node.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"

#include <algorithm>
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

/// Made before it is needed, when there is no memory to make it; never ended, as work is done at the end of the process, too.
const std::exception_ptr& no_memory() {
  static const auto& error = *new std::exception_ptr(
      std::make_exception_ptr(Error("tegula: the host has no memory for what kernels need while they run")));
  return error;
}

} // namespace

CpuDevice::CpuDevice(std::string name, int threads)
    : name_(std::move(name)), pool_(threads), scratch_(static_cast<std::size_t>(threads)) {
  no_memory();
}

std::int64_t CpuDevice::memory_bytes() const noexcept {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
}

CpuDevice::~CpuDevice() {
  end_queues();
  for (const Scratch& scratch : scratch_)
    deallocate(scratch.data, scratch.bytes);
}

std::unique_ptr<host::QueueState> CpuDevice::make_queue(int index, Priority priority) {
  return std::make_unique<CpuQueue>(*this, index, priority);
}

host::DeviceState::Memory CpuDevice::allocate(host::QueueState&, std::size_t bytes, host::Contents) {
  void* data = allocate_zeroed(bytes);
  if (!data && bytes != 0)
    throw Error("tegula: device '" + name_ + "' has no memory for " + std::to_string(bytes) + " bytes; its tensors hold " +
                std::to_string(bytes_in_use.load()) + " bytes");
  count_bytes(static_cast<std::int64_t>(bytes));
  return {data, {}};
}

std::shared_ptr<void> CpuDevice::allocate_pinned(std::size_t bytes) {
  return {allocate_zeroed(bytes), [bytes](void* data) { deallocate(data, bytes); }};
}

void CpuDevice::free(host::QueueState* queue, void* data, std::size_t bytes) {
  if (queue)
    static_cast<CpuQueue*>(queue)->push([data, bytes] { deallocate(data, bytes); });
  else
    deallocate(data, bytes);
  count_bytes(-static_cast<std::int64_t>(bytes));
}

u64 CpuDevice::transfer(host::QueueState& queue, const host::Transfer& transfer) {
  constexpr std::size_t quick = std::size_t{64} << 10;
  const auto work = [transfer] { host::do_on_host(transfer); };
  auto& on = static_cast<CpuQueue&>(queue);
  return transfer.bytes <= quick ? on.push_or_do(work) : on.push(work);
}

void CpuDevice::grow_scratch(std::size_t bytes) {
  for (Scratch& scratch : scratch_) {
    if (scratch.bytes >= bytes)
      continue;
    deallocate(scratch.data, scratch.bytes);
    scratch = {};
    scratch = make_scratch(bytes);
  }
}

CpuDevice::Scratch CpuDevice::make_scratch(std::size_t bytes) const {
  void* data = allocate_zeroed(bytes);
  if (!data)
    throw Error("tegula: device '" + name_ + "' has no memory for " + std::to_string(bytes) + " bytes of scratch per thread");
  return {data, bytes};
}

std::shared_ptr<const void> CpuDevice::prepare(host::KernelState& kernel, const host::Argument* arguments, int n) {
  return kernel.specialised(*this, kernels_, host::Facts::strides, arguments, n, [&](const CodeKey& key, const KernelIr& ir) {
    return kernel.dump().compiling("cpu", key, [&](const Observer& observer) {
      CompileOptions options;
      options.observer = observer;
      return compile_for_cpu(ir, key.specialisation, options);
    });
  });
}

/// One launch, and all it needs while it runs: the operation and the kernel object may be gone by then.
struct CpuDevice::Job {
  std::shared_ptr<const CpuKernel> code;
  std::vector<std::int64_t> words;
  std::int64_t programs;
  LaunchMessages messages;

  Job(const host::Launch& launch, std::shared_ptr<const CpuKernel> kernel)
      : code(std::move(kernel)), words(launch.words.begin(), launch.words.end()), programs(launch.programs),
        messages(launch.kernel.name, code->sites, claims_of(*code, launch.kernel.record(), launch.arguments)) {}
  explicit Job(const host::Launch& launch) : Job(launch, std::static_pointer_cast<const CpuKernel>(launch.code)) {}

  void run(std::int64_t begin, std::int64_t end, void* scratch) {
    const FloatMode mode;
    // Those with lower numbers run even so: of several failures, that of the lowest program is told, every time.
    for (std::int64_t program = begin; program < end && !messages.failed_before(program); ++program)
      code->entry(words.data(), program, programs, &messages, scratch);
  }
};

void CpuDevice::run(Job& job) {
  struct Rest {
    Job& job;
    const Scratch* scratch;
    std::int64_t first;
  } rest{job, scratch_.data(), 0};
  const auto work = [](void* user, std::int64_t begin, std::int64_t end, int worker) {
    Rest& rest = *static_cast<Rest*>(user);
    rest.job.run(rest.first + begin, rest.first + end, rest.scratch[worker].data);
  };
  // While the threads are busy with another queue's work, this one goes on alone.
  struct OwnScratch : Scratch {
    ~OwnScratch() { deallocate(data, bytes); }
  } own;
  while (!pool_.try_run(job.programs - rest.first, work, &rest, [&] { grow_scratch(job.code->scratch_bytes); })) {
    if (!own.data && job.code->scratch_bytes != 0)
      static_cast<Scratch&>(own) = make_scratch(job.code->scratch_bytes);
    job.run(rest.first, rest.first + 1, own.data);
    if (++rest.first == job.programs)
      break;
  }
  if (!job.messages.failed())
    for (int parameter : job.code->covered_checked)
      job.messages.check_covered(parameter);
  job.messages.throw_if_failed();
}

/// Runs `work` unless what it reads is poisoned, and closes the fault.
template <class Work> static void run_with(host::Fault& fault, const Work& work) {
  if (fault.inherit())
    return;
  try {
    work();
    fault.succeed();
  } catch (const std::bad_alloc&) {
    fault.fail(no_memory());
  } catch (...) {
    fault.fail(std::current_exception());
  }
}

u64 CpuDevice::launch(host::QueueState& queue, const host::Launch& launch, std::shared_ptr<host::Fault> fault) {
  const auto job = std::make_shared<Job>(launch);
  return static_cast<CpuQueue&>(queue).push([this, job, fault = std::move(fault)] { run_with(*fault, [&] { run(*job); }); });
}

/// One node after the other, in the order in which they were recorded.
class CpuDevice::Graph final : public host::DeviceGraph {
public:
  Graph(CpuDevice& device, std::shared_ptr<const host::Nodes> nodes) : device_(device), nodes_(std::move(nodes)) {}
  bool may_fail() const noexcept override { return true; }
  u64 replay(host::QueueState& queue, std::shared_ptr<host::Fault> fault) override {
    return static_cast<CpuQueue&>(queue).push([&device = device_, nodes = nodes_, fault = std::move(fault)] {
      run_with(*fault, [&] {
        for (const host::Node& node : *nodes)
          device.run(node);
      });
    });
  }
  void rebind(std::shared_ptr<const host::Nodes> nodes) override { nodes_ = std::move(nodes); }

private:
  CpuDevice& device_;
  std::shared_ptr<const host::Nodes> nodes_;
};

void CpuDevice::run(const host::Node& node) {
  if (!node.launch)
    return host::do_on_host(node.transfer);
  const host::LaunchNode& launch = *node.launch;
  Job job({*launch.kernel, launch.code, launch.arguments.data(), launch.words, launch.programs});
  run(job);
}

std::unique_ptr<host::DeviceGraph> CpuDevice::make_graph(std::shared_ptr<const host::Nodes> nodes) {
  return std::make_unique<Graph>(*this, std::move(nodes));
}

} // namespace tegula::runtime

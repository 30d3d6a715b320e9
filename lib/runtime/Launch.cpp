// From an operation to running programs, or to a node of a graph.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/LaunchChecks.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Plan.h"
#include "lib/runtime/Recording.h"
#include "lib/runtime/Small.h"
#include "lib/runtime/Work.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

namespace tegula::host {
namespace {

using trace::Access;
using Touches = runtime::Small<Touch, 24>;

/// As views of what is fresh will be: nothing is there yet, and strides are those of whole tensors. Returns whether there is any.
bool describe_fresh(const trace::Record& record, Argument* arguments, int n) {
  bool any = false;
  for (int i = 0; i < n; ++i) {
    if (arguments[i].hold != Hold::fresh)
      continue;
    any = true;
    const trace::Type& tile = record.parameters[static_cast<std::size_t>(i)].type;
    const int rank = static_cast<int>(tile.shape.size());
    checked_bytes(tile.dtype, rank, arguments[i].view.extents);
    i64 stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
      arguments[i].view.strides[axis] = stride;
      stride = static_cast<i64>(static_cast<u64>(stride) * static_cast<u64>(arguments[i].view.extents[axis]));
    }
  }
  return any;
}

/// Memory for what is fresh. Unless it is kept, all is as it was. An index that a launch may fail to write is zero before, which is
/// below its bound: work that was started behind it may use it before anybody hears of the failure.
class FreshMemory {
public:
  /// `make(bytes, contents)` does as allocate_unwritten.
  template <class Make> FreshMemory(const trace::Record& record, Argument* arguments, int n, bool may_fail, const Make& make)
      : arguments_(arguments), n_(n) {
    try {
      for (int i = 0; i < n; ++i)
        if (arguments[i].hold == Hold::fresh) {
          const trace::Parameter& parameter = record.parameters[static_cast<std::size_t>(i)];
          const int rank = static_cast<int>(parameter.type.shape.size());
          const bool needs_values = may_fail && parameter.access == Access::out_index;
          Control* control = make(checked_bytes(parameter.type.dtype, rank, arguments[i].view.extents),
                                  needs_values ? Contents::zeros : Contents::unset);
          arguments[i].view = whole_if_owned(control, rank, ViewData(arguments[i].view).extents);
        }
    } catch (...) {
      drop_all();
      throw;
    }
  }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;
  ~FreshMemory() { drop_all(); }
  void keep() noexcept {
    for (int i = 0; i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh) {
        if (arguments_[i].device)
          release(std::exchange(arguments_[i].device, nullptr));
        arguments_[i].hold = Hold::given;
      }
  }

private:
  void drop_all() noexcept {
    for (int i = 0; i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh)
        drop(std::exchange(arguments_[i].view.control, nullptr), End::destroyed);
  }

  Argument* arguments_;
  int n_;
};

/// One look at all arguments: what most launches need, and whether some need more.
struct Glance {
  bool any_refilled = false, any_unwritten = false, any_borrowed = false;

  Glance(std::span<const ParameterFacts> facts, const Argument* arguments, PlanKey& key, Touches& touches) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const Argument& argument = arguments[i];
      key.add(facts[i], argument);
      if (!facts[i].is_view)
        continue;
      any_refilled |= facts[i].is_index;
      if (Control* control = argument.view.control) {
        any_unwritten |= !facts[i].is_only_written && !control->written;
        any_borrowed |= control->is_borrowed;
        touches.push_back({control, facts[i].is_output, facts[i].keeps, facts[i].is_index});
      }
    }
  }
};

void add_touches(std::span<const ParameterFacts> facts, const Argument* arguments, Touches& touches) {
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (facts[i].is_view)
      touches.push_back({arguments[i].view.control, facts[i].is_output, facts[i].keeps, facts[i].is_index});
}

/// A launch that was started, and outputs that had not been written before.
struct StartedLaunch : Started {
  std::vector<int> first_written;
};

/// How many programs there are and which code they run, if the kernel may be launched so.
std::shared_ptr<const Plan> plan_of(const Operation& operation, const PlanKey& key, DeviceState& device, const Argument* arguments,
                                    int n) {
  KernelState& kernel = *operation.kernel;
  if (std::shared_ptr<const Plan> known = kernel.plans.find(key))
    return known;
  const i64 programs =
      checked_programs(kernel, kernel.record(), kernel.proof(), arguments, n, operation.programs, device.parallelism());
  auto plan = std::make_shared<const Plan>(
      Plan{{key.words().begin(), key.words().end()}, programs, programs > 0 ? device.prepare(kernel, arguments, n) : nullptr});
  if (key.fits())
    kernel.plans.keep(plan);
  return plan;
}

/// All the checks. The kernel's proof is known by then.
DeviceState& checked_device(Operation& operation, const Argument* arguments, int n, const QueueState* wanted) {
  KernelState* kernel = operation.kernel;
  if (operation.state == OpState::done)
    throw LaunchError(kernel->refusal() + "the operation has already been run or given up; call the kernel again for another one");
  runtime::refuse_if_forked();
  if (runtime::is_in_print_sink())
    throw LaunchError(kernel->refusal() +
                      "it is launched by a print sink, while the launch that printed the line is still running");
  operation.state = OpState::failed; // until it has not
  if (kernel->record().parameters.size() != static_cast<std::size_t>(n))
    throw InternalError("kernel '" + kernel->name + "': the trace has " + std::to_string(kernel->record().parameters.size()) +
                        " parameters, the launch " + std::to_string(n));
  if (kernel->proof().refuted())
    throw ProofError(kernel->proof().refutation);
  DeviceState& device = common_device(*kernel, arguments, n);
  if (wanted && &wanted->device != &device)
    throw LaunchError(kernel->refusal() + "it is started on a queue of device '" + wanted->device.name() +
                      "', but its arguments are on device '" + device.name() + "'");
  return device;
}

/// What every launch begins with, recorded or run.
struct Prepared {
  PlanKey key;
  Touches touches; // of what is there
  std::shared_ptr<const Plan> plan;
  int makes; // of how many arguments some are fresh

  Prepared(Operation& operation, DeviceState& device, Argument* arguments, int n, Recording* recording)
      : key(device, operation.programs), touches(static_cast<std::size_t>(n)) {
    const KernelState& kernel = *operation.kernel;
    const trace::Record& record = operation.kernel->record();
    makes = describe_fresh(record, arguments, n) ? n : 0;
    const Glance glance(kernel.parameter_facts(), arguments, key, touches);
    plan = plan_of(operation, key, device, arguments, n);
    if (glance.any_unwritten)
      check_written(kernel, record, arguments, recording);
    if (glance.any_refilled)
      check_refilled(kernel, record, arguments);
    if (glance.any_borrowed)
      for (const Touch& touch : touches)
        refuse_borrowed(*touch.control, recording);
  }
};

void record_launch(Operation& operation, Argument* arguments, int n, Recording& recording) {
  KernelState& kernel = *operation.kernel;
  const trace::Record& record = kernel.record();
  check_frozen(kernel, record, arguments);
  const Prepared prepared(operation, recording.device, arguments, n, &recording);
  const NodeSet before = recording.before(prepared.touches.span());
  // A program that fails stores nevertheless; where programs are skipped then, so are the nodes behind them.
  FreshMemory fresh(record, arguments, prepared.makes, false,
                    [&](std::size_t bytes, Contents) { return recording.allocate(bytes, before); });
  if (prepared.plan->programs > 0) {
    kernel.warn_of_checks();
    Touches all(static_cast<std::size_t>(n));
    add_touches(kernel.parameter_facts(), arguments, all);
    LaunchNode node{KernelRef(kernel), prepared.plan->code, {arguments, arguments + n}, prepared.plan->programs};
    for (Argument& argument : node.arguments)
      if (argument.view.control && argument.view.control->arena == recording.arena())
        argument.view.control = nullptr; // it may end before the graph does
    recording.add({.launch = std::make_shared<const LaunchNode>(std::move(node))}, all.span());
  }
  fresh.keep();
}

StartedLaunch start(Operation& operation, Argument* arguments, int n, QueueState* wanted, bool awaited) {
  KernelState& kernel = *operation.kernel;
  DeviceState& device = checked_device(operation, arguments, n, wanted);
  StartedLaunch started;
  if (Recording* recording = wanted ? wanted->recording() : nullptr) {
    record_launch(operation, arguments, n, *recording);
    return started;
  }
  QueueState& queue = wanted ? *wanted : device.own_queue(Priority::normal);
  Prepared prepared(operation, device, arguments, n, nullptr);
  const Plan& plan = *prepared.plan;
  const bool may_fail = plan.programs > 0 && device.may_fail(plan.code.get());
  FreshMemory fresh(kernel.record(), arguments, prepared.makes, may_fail,
                    [&](std::size_t bytes, Contents contents) { return allocate_unwritten(queue, bytes, contents); });
  if (plan.programs > 0) {
    kernel.warn_of_checks();
    const Launch launch{kernel, plan.code, arguments, n, plan.programs};
    for (const int output : kernel.proof().covered)
      if (!arguments[output].view.control->written)
        started.first_written.push_back(output);
    if (may_fail)
      queue.relieve();
    if (prepared.makes != 0) { // of all that there is now
      prepared.touches.clear();
      add_touches(kernel.parameter_facts(), arguments, prepared.touches);
    }
    const std::lock_guard lock(device.submitting);
    submit(queue, prepared.touches.span(), may_fail, awaited, started,
           [&](std::shared_ptr<Fault> fault) { return device.launch(queue, launch, std::move(fault)); });
    device.count_launches(1, plan.programs);
    for (const int output : started.first_written)
      arguments[output].view.control->written = true; // or will be, before anybody can look
  }
  fresh.keep();
  return started;
}

/// After a launch that failed: who waited knows of it, so what the operation still holds is as good as it was before, some of it
/// perhaps written. What is lent is poisoned: others see it.
void give_back_outputs(StartedLaunch& started, const trace::Record& record, const Argument* arguments) {
  const std::lock_guard lock(started.ticket.queue->device.submitting);
  std::size_t touch = 0;
  for (std::size_t i = 0; i < record.parameters.size() && !started.before.empty(); ++i) {
    if (!record.parameters[i].is_view)
      continue;
    if (arguments[i].hold == Hold::given)
      std::swap(arguments[i].view.control->uses.faults, started.before[touch]);
    ++touch;
  }
  for (int output : started.first_written)
    arguments[output].view.control->written = false;
}

} // namespace

void start(Operation& operation, Argument* arguments, int n, const Queue* queue) {
  const StartedLaunch started = start(operation, arguments, n, queue ? Handles::state(*queue) : nullptr, false);
  if (started.ticket.queue)
    started.ticket.queue->wake();
}

void launch(Operation& operation, Argument* arguments, int n) {
  StartedLaunch started = start(operation, arguments, n, nullptr, true);
  if (!started.ticket.queue)
    return;
  try {
    finish(started, [&] { return "kernel '" + operation.kernel->name + "'"; });
  } catch (...) {
    give_back_outputs(started, operation.kernel->record(), arguments);
    throw;
  }
}

void cancel(const Operation& operation) {
  if (operation.state == OpState::done)
    throw LaunchError("kernel '" + operation.kernel->name +
                      "': the operation has already been run or given up; it holds no outputs");
}

void report_dropped(const Operation& operation) noexcept {
  if (std::uncaught_exceptions() == 0) // an exception on its way says enough
    std::fprintf(stderr,
                 "tegula: an operation of kernel '%s' was dropped and never run; call sync() or start(), or cancel() to get its "
                 "outputs back\n",
                 operation.kernel->name.c_str());
}

} // namespace tegula::host

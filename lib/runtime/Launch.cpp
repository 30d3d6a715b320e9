// From an operation to running programs, or to a node of a graph.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/LaunchChecks.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Plan.h"
#include "lib/runtime/Recording.h"
#include "lib/runtime/Small.h"
#include "lib/runtime/Words.h"
#include "lib/runtime/Work.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

namespace tegula::host {
namespace {

using Touches = runtime::Small<Touch, 24>;

/// As the view of what is fresh will be: nothing is there yet, and strides are those of a whole tensor.
void describe_fresh(const ParameterFacts& facts, ViewData& view) noexcept {
  i64 stride = 1;
  for (int axis = facts.rank - 1; axis >= 0; --axis) {
    view.strides[axis] = stride;
    stride = static_cast<i64>(static_cast<u64>(stride) * static_cast<u64>(view.extents[axis]));
  }
}

/// Memory for what is fresh. Unless it is kept, all is as it was. An index that a launch may fail to write is zero before, which is
/// below its bound: work that was started behind it may use it before anybody hears of the failure.
class FreshMemory {
public:
  FreshMemory(const trace::Record& record, Argument* arguments, int n) noexcept : record_(record), arguments_(arguments), n_(n) {}
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;
  ~FreshMemory() { drop_all(); }

  void check() const {
    for (int i = 0; i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh)
        (void)bytes(i);
  }
  /// `allocate(bytes, contents)` does as allocate_unwritten.
  template <class Allocate> void make(bool may_fail, const Allocate& allocate) {
    made_ = true;
    for (int i = 0; i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh) {
        const trace::Parameter& parameter = record_.parameters[static_cast<std::size_t>(i)];
        const bool needs_values = may_fail && parameter.kind == ParameterKind::out_index;
        ViewData& view = arguments_[i].view;
        Control* control = allocate(bytes(i), needs_values ? Contents::zeros : Contents::unset);
        describe_whole(view, control, static_cast<int>(parameter.type.shape.size()), ViewData(view).extents);
      }
  }
  void keep() noexcept {
    for (int i = 0; made_ && i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh) {
        if (arguments_[i].device)
          release(std::exchange(arguments_[i].device, nullptr));
        arguments_[i].hold = Hold::given;
      }
  }

private:
  std::size_t bytes(int i) const {
    const trace::Type& type = record_.parameters[static_cast<std::size_t>(i)].type;
    return checked_bytes(type.dtype, static_cast<int>(type.shape.size()), arguments_[i].view.extents);
  }
  void drop_all() noexcept {
    for (int i = 0; made_ && i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh)
        drop(std::exchange(arguments_[i].view.control, nullptr), End::destroyed);
  }

  const trace::Record& record_;
  Argument* arguments_;
  int n_;
  bool made_ = false;
};

/// One look at all arguments, once more when what is fresh has memory: what programs read, what is touched, and whether some need
/// more than most launches do.
struct Look {
  runtime::Small<i64, 96> words;
  Touches touches; // without what is not there yet
  DeviceState* device = nullptr;
  bool on_one_device = true;
  bool any_fresh = false, any_refilled = false, any_unwritten = false, any_borrowed = false, any_first_written = false;

  Look(KernelState& kernel, Argument* arguments, int n) : words(kernel.plan_masks().size()), touches(static_cast<std::size_t>(n)) {
    words.assume(kernel.plan_masks().size());
    take(kernel, arguments);
  }
  void take(KernelState& kernel, Argument* arguments) noexcept {
    touches.clear();
    i64* word = words.data();
    for (const ParameterFacts& facts : kernel.parameter_facts()) {
      Argument& argument = *arguments++;
      Control* const control = argument.view.control;
      if (!control && argument.hold == Hold::fresh) {
        any_fresh = true;
        describe_fresh(facts, argument.view);
        see(argument.device);
      }
      word = runtime::pack_words(facts, argument, word);
      if (!control)
        continue;
      see(control->device);
      if (!control->written || control->is_borrowed || facts.is_index) { // as few are
        any_unwritten |= !facts.is_only_written && !control->written;
        any_first_written |= facts.is_covered && !control->written;
        any_borrowed |= control->is_borrowed;
        any_refilled |= facts.is_index;
      }
      touches.push_back({control, facts.is_output, facts.keeps, facts.is_index});
    }
  }

private:
  void see(DeviceState* on) noexcept {
    if (on == device || !on)
      return;
    on_one_device &= !device;
    device = on;
  }
};

/// A launch that was started, and outputs that had not been written before.
struct StartedLaunch : Started {
  std::vector<int> first_written;
};

/// Throws unless the operation may be run at all. The kernel's proof is known afterwards.
void check_operation(Operation& operation, int n) {
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
}

DeviceState& checked_device(const KernelState& kernel, const Look& look, const Argument* arguments, int n,
                            const QueueState* wanted) {
  DeviceState& device = look.device && look.on_one_device ? *look.device : common_device(kernel, arguments, n);
  if (wanted && &wanted->device != &device)
    throw LaunchError(kernel.refusal() + "it is started on a queue of device '" + wanted->device.name() +
                      "', but its arguments are on device '" + device.name() + "'");
  return device;
}

using Lock = std::unique_lock<SubmissionMutex>;

/// A launch on its way, with the device's `submitting` held: how many programs there are and which code they run, if the kernel may
/// be launched so. To make a plan where there is none, the lock is let go for a while. What is recorded gets its code later, and a
/// plan without code is not kept.
class Planned {
public:
  Planned(const Operation& operation, DeviceState& device, const Look& look, const Argument* arguments, int n, bool is_recorded)
      : lock(device.submitting) {
    KernelState& kernel = *operation.kernel;
    const PlanKey key{look.words.span(), kernel.plan_masks(), operation.programs};
    known_ = kernel.plans.find(device, key);
    if (known_)
      return;
    lock.unlock();
    const i64 programs =
        checked_programs(kernel, kernel.record(), kernel.proof(), arguments, n, operation.programs, device.parallelism());
    const bool needs_code = programs > 0 && !is_recorded;
    own_ = std::make_shared<const Plan>(Plan{
        {key.words.begin(), key.words.end()}, key.asked, programs, needs_code ? device.prepare(kernel, arguments, n) : nullptr});
    lock.lock();
    if (!is_recorded)
      kernel.plans.keep(device, own_);
    known_ = &own_;
  }
  const Plan& operator*() const noexcept { return **known_; }
  const Plan* operator->() const noexcept { return known_->get(); }
  /// Lets the lock go while `work` is done.
  template <class Work> void unlocked(const Work& work) {
    own_ = *known_;
    known_ = &own_;
    lock.unlock();
    work();
    lock.lock();
  }

  Lock lock;

private:
  const std::shared_ptr<const Plan>* known_;
  std::shared_ptr<const Plan> own_;
};

void check_contents(const KernelState& kernel, const trace::Record& record, const Look& look, const Argument* arguments,
                    Recording* recording) {
  if (look.any_unwritten)
    check_written(kernel, record, arguments, recording);
  if (look.any_refilled)
    check_refilled(kernel, record, arguments);
  if (look.any_borrowed)
    for (const Touch& touch : look.touches.span())
      refuse_borrowed(*touch.control, recording);
}

/// With `submitting` held: see Control::add_home_reader.
void check_readers(const KernelState& kernel, const Argument* arguments, int n) {
  for (int i = 0; i < n; ++i)
    if (arguments[i].hold == Hold::home_reader && arguments[i].view.control->generation() != arguments[i].view.generation)
      throw_outdated(&kernel, i);
}

void record_launch(Operation& operation, Look& look, Argument* arguments, int n, Recording& recording) {
  KernelState& kernel = *operation.kernel;
  const trace::Record& record = kernel.record();
  FreshMemory fresh(record, arguments, n);
  fresh.check();
  Planned plan(operation, recording.device, look, arguments, n, true);
  check_readers(kernel, arguments, n);
  plan.unlocked([&] {
    check_contents(kernel, record, look, arguments, &recording);
    const NodeSet before = recording.before(look.touches.span());
    // A program that fails stores nevertheless; where programs are skipped then, so are the nodes behind them.
    fresh.make(false, [&](std::size_t bytes, Contents) { return recording.allocate(bytes, before); });
    if (plan->programs > 0) {
      kernel.warn_of_checks();
      look.take(kernel, arguments);
      LaunchNode node{
          KernelRef(kernel), nullptr, {arguments, arguments + n}, {look.words.begin(), look.words.end()}, plan->programs};
      for (Argument& argument : node.arguments)
        if (argument.view.control && argument.view.control->arena == recording.arena())
          argument.view.control = nullptr; // it may end before the graph does
      recording.add({.launch = std::make_shared<const LaunchNode>(std::move(node))}, look.touches.span());
    }
    fresh.keep();
  });
}

StartedLaunch start(Operation& operation, Argument* arguments, int n, QueueState* wanted, bool awaited) {
  KernelState& kernel = *operation.kernel;
  check_operation(operation, n);
  Look look(kernel, arguments, n);
  StartedLaunch started;
  DeviceState& device = checked_device(kernel, look, arguments, n, wanted);
  if (Recording* recording = wanted ? wanted->recording() : nullptr) {
    check_frozen(kernel, kernel.record(), arguments);
    record_launch(operation, look, arguments, n, *recording);
    return started;
  }
  QueueState& queue = wanted ? *wanted : device.own_queue(Priority::normal);
  FreshMemory fresh(kernel.record(), arguments, n);
  if (look.any_fresh)
    fresh.check();
  Planned plan(operation, device, look, arguments, n, false);
  check_contents(kernel, kernel.record(), look, arguments, nullptr);
  const bool may_fail = plan->programs > 0 && device.may_fail(plan->code.get());
  if (look.any_fresh || may_fail)
    plan.unlocked([&] {
      fresh.make(may_fail, [&](std::size_t bytes, Contents contents) { return allocate_unwritten(queue, bytes, contents); });
      look.take(kernel, arguments);
      if (may_fail)
        queue.relieve();
    });
  check_readers(kernel, arguments, n);
  if (plan->programs > 0) {
    kernel.warn_of_checks();
    if (look.any_first_written)
      for (const int output : kernel.proof().covered)
        if (!arguments[output].view.control->written)
          started.first_written.push_back(output);
    const Launch launch{kernel, plan->code, arguments, look.words.span(), plan->programs};
    submit(queue, look.touches.span(), may_fail, awaited, started,
           [&](std::shared_ptr<Fault> fault) { return device.launch(queue, launch, std::move(fault)); });
    device.count_launches(1, plan->programs);
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
    if (!record.parameters[i].is_view())
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

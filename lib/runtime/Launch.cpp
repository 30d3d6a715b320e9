// From an operation to running programs: what only the values of arguments show is checked here, before any work.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Grid.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Plan.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

namespace tegula::host {
namespace {

using trace::Access;

/// What the prover takes for granted of every extent, and of the number of programs.
constexpr i64 largest = i64{1} << 48;
std::string largest_text() { return std::to_string(largest) + " (2^48)"; }

/// Null for a scalar, and for what is fresh wherever the others are.
DeviceState* device_of(const Argument& argument) {
  return argument.hold == Hold::fresh ? argument.device : argument.view.control ? argument.view.control->device : nullptr;
}

DeviceState& common_device(const KernelState& kernel, const Argument* arguments, int n) {
  DeviceState* one = nullptr;
  int first = 0;
  for (int i = 0; i < n; ++i) {
    DeviceState* other = device_of(arguments[i]);
    if (!one) {
      one = other;
      first = i;
    }
    if (other && other != one)
      throw LaunchError(kernel.refusal() + parameter_name(i) + " is on device '" + other->name() + "', " + parameter_name(first) +
                        " on device '" + one->name() + "'; all must be on one");
  }
  if (!one)
    throw LaunchError(kernel.refusal() + "no argument says on which device: write fresh(device, extents...)");
  return *one;
}

void check_extents(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const std::size_t rank = record.parameters[i].is_view ? record.parameters[i].type.shape.size() : 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
      if (arguments[i].view.extents[axis] > largest)
        throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) + " has extent " +
                          std::to_string(arguments[i].view.extents[axis]) + " along axis " + std::to_string(axis) +
                          "; a launch takes at most " + largest_text());
    if (rank == 0 || !record.parameters[i].is_output())
      continue;
    // Axes without tiles count as one: the product of some axes' counts is then no larger than that of all.
    __int128 tiles = 1;
    for (std::size_t axis = 0; axis < rank && tiles <= largest; ++axis)
      tiles *= std::max<i64>(1, (arguments[i].view.extents[axis] - 1) / record.parameters[i].type.shape[axis] + 1);
    if (tiles > largest)
      throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) + " has more than " + largest_text() + " tiles");
  }
}

i64 scalar_value(u64 word, DType dtype) {
  switch (dtype) {
  case DType::i32:
    return static_cast<i32>(word);
  case DType::i16:
    return static_cast<i16>(word);
  case DType::i8:
    return static_cast<i8>(word);
  default: // the others are extended by zeros
    return static_cast<i64>(word);
  }
}

LaunchShape shape_of(const trace::Record& record, const Argument* arguments, i64 programs) {
  LaunchShape shape;
  shape.programs = programs;
  shape.parameters.reserve(record.parameters.size());
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (parameter.is_view)
      shape.parameters.push_back({.extents = {arguments[i].view.extents, arguments[i].view.extents + parameter.type.shape.size()},
                                  .tile = parameter.type.shape,
                                  .value = arguments[i].bound});
    else
      shape.parameters.push_back({.extents = {}, .tile = {}, .value = scalar_value(arguments[i].scalar, parameter.type.dtype)});
  }
  return shape;
}

std::string failed_text(const LaunchCondition& condition, const LaunchShape& shape) {
  std::string text = condition.location.file + ":" + std::to_string(condition.location.line) + ": ";
  if (condition.is_expected())
    text += "expects: " + condition.text;
  else
    text += "that " + condition.purpose + " is proved only when " + condition.str();
  if (condition.wraps(shape))
    text += ", which wraps around here";
  const std::string values = condition.values(shape);
  return values.empty() ? text : text + ", but here " + values;
}

/// Where no program runs, only what the author expects must hold.
void check_conditions(const KernelState& kernel, const trace::Record& record, const Proof& proof, const Argument* arguments,
                      i64 programs) {
  if (proof.conditions.empty())
    return;
  const LaunchShape shape = shape_of(record, arguments, programs);
  for (const LaunchCondition& condition : proof.conditions)
    if ((programs > 0 || condition.is_expected()) && !condition.holds(shape))
      throw LaunchError(kernel.refusal() + failed_text(condition, shape));
}

/// Who only writes may be given memory without values.
void check_written(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view || parameter.access == Access::out || parameter.access == Access::outs)
      continue;
    if (const Control* control = arguments[i].view.control; !control->written) // no such parameter takes what is fresh
      throw LaunchError(
          kernel.refusal() + parameter_name(static_cast<int>(i)) +
          " is a tensor that has never been written: it was made by uninit() or fresh(), and only an Out or Outs takes it");
  }
}

/// As views of what is fresh will be: nothing is there yet, and strides are those of whole tensors.
void describe_fresh(const trace::Record& record, Argument* arguments, int n) {
  for (int i = 0; i < n; ++i) {
    if (arguments[i].hold != Hold::fresh)
      continue;
    const trace::Type& tile = record.parameters[static_cast<std::size_t>(i)].type;
    const int rank = static_cast<int>(tile.shape.size());
    checked_bytes(tile.dtype, rank, arguments[i].view.extents);
    i64 stride = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
      arguments[i].view.strides[axis] = stride;
      stride = static_cast<i64>(static_cast<u64>(stride) * static_cast<u64>(arguments[i].view.extents[axis]));
    }
  }
}

/// Memory for what is fresh. Unless it is kept, all is as it was.
class FreshMemory {
public:
  FreshMemory(const trace::Record& record, QueueState& queue, Argument* arguments, int n) : arguments_(arguments), n_(n) {
    try {
      for (int i = 0; i < n; ++i)
        if (arguments[i].hold == Hold::fresh)
          make(record.parameters[static_cast<std::size_t>(i)].type, queue, arguments[i]);
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
  static void make(const trace::Type& tile, QueueState& queue, Argument& argument) {
    const int rank = static_cast<int>(tile.shape.size());
    Control* control = allocate_unwritten(queue, tile.dtype, rank, argument.view.extents);
    argument.view = whole_if_owned(control, rank, ViewData(argument.view).extents);
  }
  void drop_all() noexcept {
    for (int i = 0; i < n_; ++i)
      if (arguments_[i].hold == Hold::fresh)
        drop(std::exchange(arguments_[i].view.control, nullptr), End::destroyed);
  }

  Argument* arguments_;
  int n_;
};

/// Whether some of what a parameter holds after the launch may be what it held before, or come of it.
bool keeps_contents(const trace::Parameter& parameter, int number, const Proof& proof) {
  const bool only_written = parameter.access == Access::out || parameter.access == Access::outs;
  return !only_written || std::ranges::find(proof.covered, number) == proof.covered.end();
}

/// Of a launch that is under way.
struct Started {
  DeviceState& device;
  Ticket ticket;
  Faults faults;                  // on which its outputs hang
  std::vector<Faults> before;     // those of each argument's contents before, if some hang on something now
  std::vector<int> first_written; // outputs that were not, before
};

/// Puts a launch in its place among all work of its device. If it is `awaited`, who waits is told of its failure, and nobody else.
void submit(const Launch& launch, const trace::Record& record, const Proof& proof, QueueState& queue, bool awaited,
            Started& started) {
  DeviceState& device = queue.device;
  const std::lock_guard lock(device.submitting);
  const auto each = [&](const auto& f) {
    for (int i = 0; i < launch.n; ++i)
      if (const trace::Parameter& parameter = record.parameters[static_cast<std::size_t>(i)]; parameter.is_view)
        f(i, parameter, launch.arguments[i].view.control->uses);
  };
  Faults& faults = started.faults;
  Ticket& ticket = started.ticket;
  each([&](int i, const trace::Parameter& parameter, Uses& uses) {
    if (parameter.is_output())
      uses.before_writing(queue);
    else
      uses.before_reading(queue);
    if (keeps_contents(parameter, i, proof))
      add_faults(faults, uses.faults);
  });
  std::shared_ptr<Fault> own;
  const Ticket next{&queue, queue.submitted() + 1};
  if (device.may_fail(launch)) {
    own = std::make_shared<Fault>(std::exchange(faults, {}), next, awaited);
    faults.push_back(own);
  }
  started.before.assign(faults.empty() ? 0 : static_cast<std::size_t>(launch.n), faults);
  ticket = next;
  if (device.launch(queue, launch, own) != ticket.number)
    throw InternalError("kernel '" + launch.kernel.name + "' was submitted out of turn");
  each([&](int i, const trace::Parameter& parameter, Uses& uses) {
    if (!parameter.is_output())
      return uses.read_by(ticket);
    uses.written_by(ticket);
    if (started.before.empty())
      uses.faults.clear();
    else
      std::swap(uses.faults, started.before[static_cast<std::size_t>(i)]);
  });
}

/// How many programs there are and which code they run, if the kernel may be launched so.
std::shared_ptr<const Plan> plan_of(const Operation& operation, const trace::Record& record, const Proof& proof,
                                    DeviceState& device, const Argument* arguments, int n) {
  KernelState& kernel = *operation.kernel;
  const PlanKey key(record, kernel.decisive_scalars(), device, arguments, operation.programs);
  if (std::shared_ptr<const Plan> known = kernel.plans.find(key))
    return known;
  check_extents(kernel, record, arguments);
  const i64 programs = count_programs(kernel, record, arguments, n, operation.programs, device.parallelism());
  if (programs > largest)
    throw LaunchError(kernel.refusal() + "it would have " + std::to_string(programs) + " programs; a launch has at most " +
                      largest_text());
  check_conditions(kernel, record, proof, arguments, programs);
  auto plan = std::make_shared<const Plan>(
      Plan{{key.words().begin(), key.words().end()}, programs, programs > 0 ? device.prepare(kernel, arguments, n) : nullptr});
  if (key.fits())
    kernel.plans.keep(plan);
  return plan;
}

Started start(Operation& operation, Argument* arguments, int n, QueueState* wanted, bool awaited) {
  KernelState* kernel = operation.kernel;
  if (operation.state == OpState::done)
    throw LaunchError(kernel->refusal() + "the operation has already been run or given up; call the kernel again for another one");
  runtime::refuse_if_forked();
  if (runtime::is_in_print_sink())
    throw LaunchError(kernel->refusal() +
                      "it is launched by a print sink, while the launch that printed the line is still running");
  operation.state = OpState::failed; // until it has not
  const trace::Record& record = kernel->record();
  if (record.parameters.size() != static_cast<std::size_t>(n))
    throw InternalError("kernel '" + kernel->name + "': the trace has " + std::to_string(record.parameters.size()) +
                        " parameters, the launch " + std::to_string(n));
  const Proof& proof = kernel->proof();
  if (proof.refuted())
    throw ProofError(proof.refutation);
  DeviceState& device = common_device(*kernel, arguments, n);
  if (wanted && &wanted->device != &device)
    throw LaunchError(kernel->refusal() + "it is started on a queue of device '" + wanted->device.name() +
                      "', but its arguments are on device '" + device.name() + "'");
  QueueState& queue = wanted ? *wanted : device.own_queue(Priority::normal);
  Started started{device, {}, {}, {}, {}};
  describe_fresh(record, arguments, n);
  const std::shared_ptr<const Plan> plan = plan_of(operation, record, proof, device, arguments, n);
  check_written(*kernel, record, arguments);
  FreshMemory fresh(record, queue, arguments, n);
  if (plan->programs > 0) {
    kernel->warn_of_checks();
    const Launch launch{*kernel, plan->code, arguments, n, plan->programs};
    for (int output : proof.covered)
      if (!arguments[output].view.control->written)
        started.first_written.push_back(output);
    if (device.may_fail(launch))
      queue.relieve();
    submit(launch, record, proof, queue, awaited, started);
    for (int output : started.first_written)
      arguments[output].view.control->written = true; // or will be, before anybody can look
  }
  fresh.keep();
  return started;
}

/// After a launch that failed: who waited knows of it, so what the operation still holds is as good as it was before, some of it
/// perhaps written. What is lent is poisoned: others see it.
void give_back_outputs(Started& started, const Argument* arguments, int n) {
  const std::lock_guard lock(started.device.submitting);
  for (int i = 0; i < n && !started.before.empty(); ++i)
    if (arguments[i].hold == Hold::given)
      std::swap(arguments[i].view.control->uses.faults, started.before[static_cast<std::size_t>(i)]);
  for (int output : started.first_written)
    arguments[output].view.control->written = false;
}

} // namespace

void start(Operation& operation, Argument* arguments, int n, const Queue* queue) {
  const Started started = start(operation, arguments, n, queue ? Handles::state(*queue) : nullptr, false);
  if (started.ticket.queue)
    started.ticket.queue->wake();
}

void launch(Operation& operation, Argument* arguments, int n) {
  Started started = start(operation, arguments, n, nullptr, true);
  if (!started.ticket.queue)
    return;
  try {
    started.ticket.queue->wait(started.ticket.number, [&] { return "kernel '" + operation.kernel->name + "'"; });
    settle(started.faults);
  } catch (...) {
    give_back_outputs(started, arguments, n);
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

// From an operation to running programs: what only the values of arguments show is checked here, before any work.
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Grid.h"
#include "lib/runtime/KernelState.h"
#include "lib/runtime/Messages.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace tegula::host {
namespace {

using trace::Access;

/// What the prover takes for granted of every extent, and of the number of programs.
constexpr i64 largest = i64{1} << 48;
std::string largest_text() { return std::to_string(largest) + " (2^48)"; }

DeviceState* common_device(const KernelState& kernel, const Argument* arguments, int n) {
  int first = -1;
  for (int i = 0; i < n; ++i) {
    if (arguments[i].hold == Hold::nothing)
      continue;
    if (first < 0)
      first = i;
    DeviceState *one = arguments[first].view.control->device, *other = arguments[i].view.control->device;
    if (one != other)
      throw LaunchError(kernel.refusal() + parameter_name(i) + " is on device '" + other->name() + "', " + parameter_name(first) +
                        " on device '" + one->name() + "'; all must be on one");
  }
  return arguments[first].view.control->device; // every kernel has an output
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
    if (!arguments[i].view.control->written)
      throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) +
                        " is a tensor that has never been written: it was made by uninit(), and only an Out or Outs takes it");
  }
}

} // namespace

void launch(KernelState* kernel, Argument* arguments, int n, OpState& state) {
  if (state == OpState::done)
    throw LaunchError(kernel->refusal() + "the operation has already been run or given up; call the kernel again for another one");
  runtime::refuse_if_forked();
  if (runtime::is_in_print_sink())
    throw LaunchError(kernel->refusal() +
                      "it is launched by a print sink, while the launch that printed the line is still running");
  state = OpState::failed; // until it has not
  const trace::Record& record = kernel->record();
  if (record.parameters.size() != static_cast<std::size_t>(n))
    throw InternalError("kernel '" + kernel->name + "': the trace has " + std::to_string(record.parameters.size()) +
                        " parameters, the launch " + std::to_string(n));
  const Proof& proof = kernel->proof();
  if (proof.refuted())
    throw ProofError(proof.refutation);
  DeviceState* device = common_device(*kernel, arguments, n);
  check_extents(*kernel, record, arguments);
  const i64 programs = count_programs(*kernel, record, arguments, n, device->parallelism());
  if (programs > largest)
    throw LaunchError(kernel->refusal() + "it would have " + std::to_string(programs) + " programs; a launch has at most " +
                      largest_text());
  check_conditions(*kernel, record, proof, arguments, programs);
  check_written(*kernel, record, arguments);
  if (programs == 0)
    return;
  kernel->warn_of_checks();
  device->run(*kernel, arguments, n, programs);
  for (int output : proof.covered)
    arguments[output].view.control->written = true;
}

void check_takeable(const KernelState* kernel, OpState state) {
  if (state == OpState::done)
    throw LaunchError("kernel '" + kernel->name + "': the operation has already been run or given up; it holds no outputs");
}

void report_dropped(const KernelState* kernel) noexcept {
  if (std::uncaught_exceptions() == 0) // an exception on its way says enough
    std::fprintf(
        stderr, "tegula: an operation of kernel '%s' was dropped and never run; call sync(), or cancel() to get its outputs back\n",
        kernel->name.c_str());
}

} // namespace tegula::host

// What only the values of arguments show, before any work.
#include "lib/runtime/LaunchChecks.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/Grid.h"
#include "lib/runtime/Recording.h"
#include "tegula/error.hpp"
#include "tegula/limits.hpp"

#include <algorithm>

namespace tegula::host {
namespace {

std::string largest_text() { return std::to_string(max_extent) + " (2^48)"; }

/// Null for a scalar, and for what is fresh wherever the others are.
DeviceState* device_of(const Argument& argument) {
  return argument.hold == Hold::fresh ? argument.device : argument.view.control ? argument.view.control->device : nullptr;
}

} // namespace

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

namespace {

void check_extents(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const std::size_t rank = record.parameters[i].is_view() ? record.parameters[i].type.shape.size() : 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
      if (arguments[i].view.extents[axis] > max_extent)
        throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) + " has extent " +
                          std::to_string(arguments[i].view.extents[axis]) + " along axis " + std::to_string(axis) +
                          "; a launch takes at most " + largest_text());
    if (rank == 0 || !record.parameters[i].is_output())
      continue;
    // Axes without tiles count as one: the product of some axes' counts is then no larger than that of all.
    __int128 tiles = 1;
    for (std::size_t axis = 0; axis < rank && tiles <= max_extent; ++axis)
      tiles *= std::max<i64>(1, (arguments[i].view.extents[axis] - 1) / record.parameters[i].type.shape[axis] + 1);
    if (tiles > max_extent)
      throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) + " has more than " + largest_text() + " tiles");
  }
}

/// Of indices that are written: there is a value for each element, and the bound is one that a kernel reckons with.
void check_bounds(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (parameter.kind != ParameterKind::out_index)
      continue;
    const Argument& argument = arguments[i];
    const std::string head = kernel.refusal() + parameter_name(static_cast<int>(i));
    if (argument.bound < 0 || argument.bound > max_extent)
      throw LaunchError(head + " is to hold values below " + std::to_string(argument.bound) + ": the bound is 0 to " +
                        largest_text());
    if (argument.bound == 0 && count(static_cast<int>(parameter.type.shape.size()), argument.view.extents) > 0)
      throw LaunchError(head + " has elements, but its bound is 0: there is no value that they could hold");
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
    if (parameter.is_view())
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

} // namespace

i64 checked_programs(const KernelState& kernel, const trace::Record& record, const Proof& proof, const Argument* arguments, int n,
                     i64 asked, int parallelism) {
  check_extents(kernel, record, arguments);
  check_bounds(kernel, record, arguments);
  const i64 programs = count_programs(kernel, record, arguments, n, asked, parallelism);
  if (programs > max_extent)
    throw LaunchError(kernel.refusal() + "it would have " + std::to_string(programs) + " programs; a launch has at most " +
                      largest_text());
  check_conditions(kernel, record, proof, arguments, programs);
  return programs;
}

void check_written(const KernelState& kernel, const trace::Record& record, const Argument* arguments, Recording* recording) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    const trace::Parameter& parameter = record.parameters[i];
    if (!parameter.is_view() || parameter.is_only_written())
      continue;
    const Control* control = arguments[i].view.control; // no such parameter takes what is fresh
    if (!control->written && !(recording && recording->covers(control)))
      throw LaunchError(
          kernel.refusal() + parameter_name(static_cast<int>(i)) +
          " is a tensor that has never been written: it was made by uninit() or fresh(), and only an Out or OutTiles takes it");
  }
}

void check_frozen(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i)
    if (!record.parameters[i].is_view() && !arguments[i].frozen)
      throw LaunchError(kernel.refusal() + parameter_name(static_cast<int>(i)) +
                        " is a number of the host, which every replay of a graph would have as it is now: write frozen(number) if "
                        "that is meant, or take it from a tensor of rank 0, which can be changed between replays");
}

void check_refilled(const KernelState& kernel, const trace::Record& record, const Argument* arguments) {
  for (std::size_t i = 0; i < record.parameters.size(); ++i)
    if (record.parameters[i].kind == ParameterKind::out_index && arguments[i].hold == Hold::lent)
      require_refillable(&kernel, static_cast<int>(i), arguments[i].view.control, arguments[i].bound);
}

} // namespace tegula::host

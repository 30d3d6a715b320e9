// From an operation to running programs: what only the values of arguments show is checked here.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelState.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

namespace tegula::host {
namespace {

std::string parameter_name(int i) { return "parameter " + std::to_string(i + 1); }

/// Tiles per axis.
std::vector<i64> grid_of(const Argument& output, const std::vector<i64>& tile) {
  std::vector<i64> grid;
  for (std::size_t axis = 0; axis < tile.size(); ++axis) {
    const i64 extent = output.view.extents[axis];
    grid.push_back(extent / tile[axis] + (extent % tile[axis] != 0));
  }
  return grid;
}

/// Pieces are numbered in row-major order, so axes with one piece make no difference.
std::vector<i64> significant(std::vector<i64> grid) {
  std::erase(grid, 1);
  return grid;
}

std::string grid_text(int parameter, const Argument& output, const std::vector<i64>& tile, const std::vector<i64>& grid) {
  const int rank = static_cast<int>(tile.size());
  return parameter_name(parameter) + " (" + shape_text(rank, output.view.extents) + " in tiles of " +
         shape_text(rank, tile.data()) + ") has " + shape_text(rank, grid.data()) + " tiles";
}

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

/// One program per piece of the `Out`s; if there are only `Outs`, as many as pieces() asked for.
i64 count_programs(const KernelState& kernel, const trace::Record& record, const Argument* arguments, int n, int parallelism) {
  int out = -1, asked = -1;
  std::vector<i64> out_grid;
  i64 most_tiles = 0;
  for (int i = 0; i < n; ++i) {
    const trace::Parameter& parameter = record.parameters[static_cast<std::size_t>(i)];
    if (!parameter.is_view || parameter.access == trace::Access::in)
      continue;
    const std::vector<i64> grid = grid_of(arguments[i], parameter.type.shape);
    const i64 tiles = count(static_cast<int>(grid.size()), grid.data());
    if (parameter.access == trace::Access::outs) {
      most_tiles = std::max(most_tiles, tiles);
      const i64 programs = arguments[i].programs;
      if (programs < 0)
        throw LaunchError(kernel.refusal() + parameter_name(i) + " asks for " + std::to_string(programs) +
                          " programs; 0 means one per core");
      if (programs != 0 && asked >= 0 && programs != arguments[asked].programs)
        throw LaunchError(kernel.refusal() + parameter_name(asked) + " asks for " + std::to_string(arguments[asked].programs) +
                          " programs, " + parameter_name(i) + " for " + std::to_string(programs));
      if (programs != 0)
        asked = i;
    } else if (out < 0) {
      out = i;
      out_grid = grid;
    } else if (significant(grid) != significant(out_grid)) {
      throw LaunchError(kernel.refusal() +
                        grid_text(out, arguments[out], record.parameters[static_cast<std::size_t>(out)].type.shape, out_grid) +
                        ", " + grid_text(i, arguments[i], parameter.type.shape, grid) + "; each program writes one of each");
    }
  }
  if (out >= 0) {
    const i64 programs = count(static_cast<int>(out_grid.size()), out_grid.data());
    if (asked >= 0 && arguments[asked].programs != programs)
      throw LaunchError(kernel.refusal() + parameter_name(asked) + " asks for " + std::to_string(arguments[asked].programs) +
                        " programs, but " +
                        grid_text(out, arguments[out], record.parameters[static_cast<std::size_t>(out)].type.shape, out_grid) +
                        ", which makes " + std::to_string(programs));
    return programs;
  }
  if (most_tiles == 0)
    return 0;
  return asked >= 0 ? arguments[asked].programs : std::min<i64>(parallelism, most_tiles);
}

template <class T> u64 integer_bits(bool negative, u64 bits, bool& fits) {
  const auto value = static_cast<T>(bits);
  fits = static_cast<u64>(value) == bits && (value < T{0}) == negative;
  u64 word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

} // namespace

Control* require_argument(const KernelState* kernel, int parameter, Control* control) {
  if (!control)
    throw LaunchError(kernel->refusal() + parameter_name(parameter) + " is a tensor that was moved from");
  return control;
}

void borrow(const KernelState* kernel, int parameter, const ViewData& view) {
  if (!view.control->add_reader(view.generation))
    throw LaunchError(kernel->refusal() + parameter_name(parameter) +
                      " is a view of a tensor that has been moved, assigned or destroyed since");
}

void give_back_inputs(Argument* arguments, int n) noexcept {
  for (int i = 0; i < n; ++i) {
    Argument& argument = arguments[i];
    if (argument.hold == Hold::output)
      continue;
    if (argument.hold == Hold::reader)
      argument.view.control->remove_reader();
    else if (argument.hold == Hold::share)
      drop(argument.view.control, End::destroyed);
    argument.hold = Hold::nothing;
  }
}

void give_back(Argument* arguments, int n) noexcept {
  give_back_inputs(arguments, n);
  for (int i = 0; i < n; ++i)
    if (arguments[i].hold == Hold::output)
      drop(arguments[i].view.control, End::destroyed);
}

u64 encode_integer(const KernelState* kernel, int parameter, DType dtype, bool negative, u64 bits) {
  bool fits = true;
  u64 word = bits;
  switch (size_of(dtype)) {
  case 1:
    word = is_unsigned(dtype) || dtype == DType::boolean ? integer_bits<u8>(negative, bits, fits)
                                                         : integer_bits<i8>(negative, bits, fits);
    break;
  case 2:
    word = is_unsigned(dtype) ? integer_bits<u16>(negative, bits, fits) : integer_bits<i16>(negative, bits, fits);
    break;
  case 4:
    word = is_unsigned(dtype) ? integer_bits<u32>(negative, bits, fits) : integer_bits<i32>(negative, bits, fits);
    break;
  default:
    word = is_unsigned(dtype) ? integer_bits<u64>(negative, bits, fits) : integer_bits<i64>(negative, bits, fits);
    break;
  }
  if (!fits)
    throw LaunchError(kernel->refusal() + parameter_name(parameter) + " is a scalar " + name(dtype) + ", which cannot hold " +
                      (negative ? std::to_string(static_cast<i64>(bits)) : std::to_string(bits)));
  return word;
}

u64 encode_float(DType dtype, double value) noexcept {
  const float single = static_cast<float>(value);
  u64 word = 0;
  switch (dtype) {
  case DType::f64:
    std::memcpy(&word, &value, sizeof value);
    break;
  case DType::f32:
    std::memcpy(&word, &single, sizeof single);
    break;
  case DType::f16:
    word = f16(single).bits;
    break;
  case DType::bf16:
    word = bf16(single).bits;
    break;
  case DType::f8e4m3:
    word = f8e4m3(single).bits;
    break;
  default:
    word = f8e5m2(single).bits;
    break;
  }
  return word;
}

void launch(KernelState* kernel, Argument* arguments, int n, OpState& state) {
  if (state == OpState::done)
    throw LaunchError(kernel->refusal() + "the operation has already been run or given up; call the kernel again for another one");
  state = OpState::failed; // until it has not
  const trace::Record& record = kernel->record();
  if (record.parameters.size() != static_cast<std::size_t>(n))
    throw InternalError("kernel '" + kernel->name + "': the trace has " + std::to_string(record.parameters.size()) +
                        " parameters, the launch " + std::to_string(n));
  DeviceState* device = common_device(*kernel, arguments, n);
  const i64 programs = count_programs(*kernel, record, arguments, n, device->parallelism());
  if (programs > 0)
    device->run(*kernel, arguments, n, programs);
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

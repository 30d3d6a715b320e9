// Arguments of a launch, one by one: taken, encoded and given back.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/KernelState.h"
#include "tegula/error.hpp"

#include <cstring>

namespace tegula::host {
namespace {

template <class T> u64 integer_bits(bool negative, u64 bits, bool& fits) {
  const auto value = static_cast<T>(bits);
  fits = static_cast<u64>(value) == bits && (value < T{0}) == negative;
  u64 word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

} // namespace

std::string parameter_name(int i) { return "parameter " + std::to_string(i + 1); }

void throw_empty(const KernelState* kernel, int parameter) {
  throw LaunchError(kernel->refusal() + parameter_name(parameter) + " is a tensor that was moved from or never made");
}

void throw_outdated(const KernelState* kernel, int parameter) {
  throw LaunchError(kernel->refusal() + parameter_name(parameter) +
                    " is a view of a tensor that has been moved, assigned, lent or destroyed since");
}

[[noreturn]] static void throw_lent(const KernelState* kernel, int parameter) {
  throw LaunchError(kernel->refusal() + parameter_name(parameter) +
                    " is an output of an operation that has not run yet, perhaps this one, and cannot be read meanwhile");
}

[[gnu::always_inline]] static inline void borrow(Argument& item, const KernelState* kernel, int parameter, Control& control,
                                                 u64 generation) {
  const bool home = control.is_home();
  switch (home ? control.add_home_reader(generation) : control.add_reader(generation)) {
  case Borrow::done:
    item.hold = home ? Hold::home_reader : Hold::reader;
    return;
  case Borrow::outdated:
    throw_outdated(kernel, parameter);
  case Borrow::in_use:
    throw_lent(kernel, parameter);
  }
}

void hold_tensor(Argument& item, const KernelState* kernel, int parameter, Control* control, int rank, const i64* extents) {
  require_argument(kernel, parameter, control);
  describe_whole(item.view, control, rank, extents);
  borrow(item, kernel, parameter, *control, item.view.generation);
}

void hold_view(Argument& item, const KernelState* kernel, int parameter, const ViewData& view) {
  require_argument(kernel, parameter, view.control);
  item.view = view;
  borrow(item, kernel, parameter, *view.control, view.generation);
}

void hold_shared(Argument& item, const KernelState* kernel, int parameter, const ViewData& view) {
  require_argument(kernel, parameter, view.control);
  retain(view.control);
  item.view = view;
  item.hold = Hold::share;
}

u64 lend(const KernelState* kernel, int parameter, const ViewData& view) {
  switch (view.control->lend(view.generation)) {
  case Borrow::done:
    break;
  case Borrow::outdated:
    throw LaunchError(kernel->refusal() + parameter_name(parameter) +
                      " was lent by out(), but the tensor has been moved, assigned, lent or destroyed since");
  case Borrow::in_use:
    throw LaunchError(kernel->refusal() + parameter_name(parameter) +
                      " is in use by an operation that has not run yet, perhaps this one: an output is written by one, and nobody "
                      "reads it meanwhile");
  }
  return view.control->generation();
}

void require_promise(const KernelState* kernel, int parameter, const Certificate& certificate, Promise wanted) {
  const Promise given = certificate.promise;
  if (given.offsets == wanted.offsets && given.distinct >= wanted.distinct && given.or_none <= wanted.or_none)
    return;
  const std::string head = kernel->refusal() + parameter_name(parameter);
  const std::string advice = std::string("write certify(std::move(tensor), n") + (wanted.distinct ? ", distinct" : "") +
                             (wanted.or_none ? ", or_none" : "") + (wanted.offsets ? ", as_offsets)" : ")");
  if (wanted.offsets)
    throw LaunchError(head + " is offsets, but its argument is not certified to be; " + advice);
  if (wanted.distinct && !given.distinct)
    throw LaunchError(head + " is a distinct index, but its argument is not certified to be; " + advice);
  if (given.offsets)
    throw LaunchError(head +
                      " is an index, but its argument is certified as offsets, the last of which is no position below its bound; " +
                      advice);
  throw LaunchError(head + " is an index, but its argument may hold -1 for none; take it as " +
                    (wanted.distinct ? "a DistinctIndexOrNone" : "an IndexOrNone") + ", or " + advice);
}

void require_not_lent(const KernelState* kernel, int parameter, const Control* control) {
  if (control->is_lent())
    throw_lent(kernel, parameter);
}

void require_refillable(const KernelState* kernel, int parameter, const Control* control, const Certificate& certificate) {
  const std::string head = kernel->refusal() + parameter_name(parameter);
  if (certificate.promise.distinct || certificate.promise.offsets)
    throw LaunchError(head + " is refilled with values below a bound, but it is certified " +
                      (certificate.promise.offsets ? "as offsets" : "to hold distinct values") +
                      ", which the kernel does not prove; write fresh(extents...).below(n)");
  if (!control->has_one_reliant())
    throw LaunchError(head + " is refilled, but it has other owners, for whom it does not change: copies of it, or operations that "
                             "have not run yet; drop them, or write fresh(extents...).below(n)");
}

void release_held(Argument& argument) noexcept {
  Control* control = argument.view.control;
  switch (argument.hold) {
  case Hold::nothing:
    break;
  case Hold::reader:
    control->remove_reader();
    break;
  case Hold::home_reader:
    control->remove_home_reader();
    break;
  case Hold::lent:
    control->take_back();
    break;
  case Hold::share:
  case Hold::given:
    drop(control, End::destroyed);
    break;
  case Hold::fresh:
    if (argument.device)
      release(argument.device);
    break;
  }
  argument.hold = Hold::nothing;
}

void give_back_inputs(Argument* arguments, int n) noexcept {
  for (int i = 0; i < n; ++i) {
    Argument& argument = arguments[i];
    if (argument.hold == Hold::home_reader) { // as most are
      argument.view.control->remove_home_reader();
      argument.hold = Hold::nothing;
    } else if (argument.hold != Hold::given && argument.hold != Hold::fresh) {
      release_argument(argument);
    }
  }
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
  case DType::f8e5m2:
    word = f8e5m2(single).bits;
    break;
  default:
    word = f8e8m0(single).bits; // the last float type
    break;
  }
  return word;
}

} // namespace tegula::host

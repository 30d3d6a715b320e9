// Certificates of index tensors: checked by kernels where the tensor is, or on the host while it is built.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/CertifyingKernels.h"
#include "lib/runtime/Control.h"
#include "lib/runtime/Inspect.h"
#include "tegula/error.hpp"
#include "tegula/tegula.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

namespace tegula::host {
namespace {

struct Shape {
  int rank;
  const i64* extents;
  i64 size() const { return count(rank, extents); }
};

void check_bound(const Certificate& certificate) {
  if (certificate.bound < 0 || certificate.bound > max_extent)
    throw Error((certificate.promise.offsets ? "tegula: offsets up to " : "tegula: an index tensor with values below ") +
                std::to_string(certificate.bound) + ": the bound is 0 to " + std::to_string(max_extent) + " (2^48)");
}

/// "(2, 5)", for a position in row-major order.
std::string element_text(const Shape& shape, i64 position) {
  std::string text;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    text.insert(0, (axis ? ", " : "") + std::to_string(position % shape.extents[axis]));
    position /= shape.extents[axis];
  }
  return "(" + text + ")";
}

std::string head(const Shape& shape) { return "tegula: an index tensor of " + shape_text(shape.rank, shape.extents); }

/// The least value that an index tensor may hold.
i64 least(const Certificate& certificate) { return certificate.promise.or_none ? -1 : 0; }

template <class T> [[noreturn]] void refuse_outside(const Shape& shape, const Certificate& certificate, i64 position, T value) {
  throw Error(head(shape) + " with values in [" + std::to_string(least(certificate)) + ", " + std::to_string(certificate.bound) +
              ")" + (certificate.promise.or_none ? ", -1 for none" : "") + ": element " + element_text(shape, position) + " is " +
              std::to_string(value));
}
template <class T> [[noreturn]] void refuse_repeated(const Shape& shape, i64 first, i64 second, T value) {
  throw Error(head(shape) + " with distinct values: elements " + element_text(shape, first) + " and " +
              element_text(shape, second) + " are both " + std::to_string(value));
}

[[noreturn]] void refuse_offsets(const Shape& shape, const std::string& why) {
  throw Error("tegula: a tensor of " + shape_text(shape.rank, shape.extents) + " as offsets: " + why);
}
/// `at` gives the element at a position, `falling` the first position with less than the one before it, or the size.
template <class At, class Falling> i64 check_offsets(const Shape& shape, i64 most, const At& at, const Falling& falling) {
  auto element = [&](i64 position) { return "element " + element_text(shape, position) + " is " + std::to_string(at(position)); };
  const i64 size = shape.size();
  if (size == 0)
    refuse_offsets(shape, "there is no element; offsets of no segment are one 0");
  if (at(0) != 0)
    refuse_offsets(shape, element(0) + ", but the first segment begins at 0");
  if (const i64 position = falling(); position < size)
    refuse_offsets(shape, element(position) + ", less than the one before it, which is " + std::to_string(at(position - 1)));
  if (at(size - 1) > most)
    refuse_offsets(shape, element(size - 1) + ", but the last segment ends at " + std::to_string(most) + " or before");
  return at(size - 1);
}

template <class F> void with_integer(DType dtype, const F& f) {
  switch (dtype) {
  case DType::i64:
    return f(i64{});
  case DType::i32:
    return f(i32{});
  case DType::i16:
    return f(i16{});
  case DType::i8:
    return f(i8{});
  default:
    throw InternalError(std::string("an index tensor of ") + name(dtype));
  }
}

// On the device

constexpr int tile = 1024;

/// Never destroyed: tensors may be certified while static objects are.
template <class T, auto F> const auto& kernel_named(const std::string& name) {
  static const auto& instance = *new auto(kernel<F>(name + "_" + tegula::name(dtype_of<T>::value), {.strict = true}));
  return instance;
}

template <class T> const auto& range_kernel() { return kernel_named<T, certifying::first_outside<T, tile>>("certify_range"); }
template <class T> const auto& holders_kernel() { return kernel_named<T, certifying::first_holders<T, tile>>("certify_holders"); }
template <class T> const auto& falling_kernel() { return kernel_named<T, certifying::first_falling<T, tile>>("certify_offsets"); }
template <class T> const auto& distinct_kernel() {
  return kernel_named<T, certifying::first_repeated<T, tile>>("certify_distinct");
}

/// A tensor's elements in one row.
template <class T> class Row {
public:
  Row(Control* control, i64 size) : control_(control), size_(size) {}

  i64 first_outside(i64 low, i64 bound) const {
    return position([&](Tensor<i64, 1>& first) { range_kernel<T>()(out(first), view(), low, bound).programs(programs()).sync(); });
  }
  /// For each value below the bound; all are, and at least -1.
  Tensor<i64, 1> first_holders(i64 bound) const {
    auto holders = Tensor<i64, 1>::full(device(), {bound}, std::numeric_limits<i64>::max());
    return holders_kernel<T>()(std::move(holders), certified(bound)).programs(programs()).sync();
  }
  i64 first_repeated(i64 bound, const Tensor<i64, 1>& holders) const {
    return position(
        [&](Tensor<i64, 1>& first) { distinct_kernel<T>()(out(first), certified(bound), holders).programs(programs()).sync(); });
  }
  i64 first_falling() const {
    return position([&](Tensor<i64, 1>& first) { falling_kernel<T>()(out(first), view()).programs(programs()).sync(); });
  }
  T at(i64 position) const { return view().slice(0, position, position + 1).to_host()[0]; }

private:
  Device device() const { return device_of(control_); }
  View<T, 1> view() const { return Handles::view<T, 1>(whole(control_, 1, &size_)); }
  Certified<T, 1> certified(i64 bound) const { return Handles::certified<T, 1>(control_, {size_}, {bound, or_none}); }
  i64 programs() const { return std::min<i64>(device().parallelism(), (size_ + tile - 1) / tile); }
  template <class Run> i64 position(const Run& run) const {
    auto first = Tensor<i64, 1>::full(device(), {1}, size_); // none
    run(first);
    return first.to_host()[0];
  }

  Control* control_;
  i64 size_;
};

template <class T> void check_on_device(Control* control, const Shape& shape, Certificate& certificate) {
  const i64 size = shape.size(), bound = certificate.bound;
  const Row<T> row(control, size);
  if (certificate.promise.offsets) {
    certificate.bound = check_offsets(shape, bound, [&](i64 at) { return i64{row.at(at)}; }, [&] { return row.first_falling(); });
    return;
  }
  if (size == 0)
    return;
  if (const i64 position = row.first_outside(least(certificate), bound); position < size)
    refuse_outside(shape, certificate, position, row.at(position));
  if (!certificate.promise.distinct)
    return;
  const Tensor<i64, 1> holders = row.first_holders(bound);
  if (const i64 position = row.first_repeated(bound, holders); position < size) {
    const T value = row.at(position);
    const i64 at = static_cast<i64>(static_cast<std::make_unsigned_t<T>>(value)); // it is not negative
    refuse_repeated(shape, holders.view().slice(0, at, at + 1).to_host()[0], position, value);
  }
}

// On the host

template <class T> void check_distinct(const T* elements, const Shape& shape) {
  std::vector<i64> order(static_cast<std::size_t>(shape.size()));
  std::iota(order.begin(), order.end(), i64{0});
  std::ranges::sort(order, [&](i64 a, i64 b) { return elements[a] != elements[b] ? elements[a] < elements[b] : a < b; });
  std::optional<std::pair<i64, i64>> found; // the pair that ends first
  for (std::size_t i = 1; i < order.size(); ++i)
    if (elements[order[i]] >= 0 && elements[order[i - 1]] == elements[order[i]] && (!found || order[i] < found->second))
      found = {order[i - 1], order[i]};
  if (found)
    refuse_repeated(shape, found->first, found->second, elements[found->second]);
}

template <class T> void check_on_host(const T* elements, const Shape& shape, Certificate& certificate) {
  if (certificate.promise.offsets) {
    const T* end = elements + shape.size();
    certificate.bound = check_offsets(
        shape, certificate.bound, [&](i64 at) { return i64{elements[at]}; },
        [&] { return static_cast<i64>(std::is_sorted_until(elements, end) - elements); });
    return;
  }
  for (i64 i = 0; i < shape.size(); ++i)
    if (elements[i] < least(certificate) || elements[i] >= certificate.bound)
      refuse_outside(shape, certificate, i, elements[i]);
  if (certificate.promise.distinct)
    check_distinct(elements, shape);
}

} // namespace

Certificate check_certificate(Control* control, DType dtype, int rank, const i64* extents, const Certificate& wanted) {
  check_bound(wanted);
  Certificate certificate = wanted;
  const Reading meanwhile(whole(control, rank, extents)); // no graph writes it
  with_integer(dtype, [&](auto zero) { check_on_device<decltype(zero)>(control, Shape{rank, extents}, certificate); });
  mark_certified(control);
  return certificate;
}

Certificate check_certificate(const void* elements, DType dtype, int rank, const i64* extents, const Certificate& wanted) {
  check_bound(wanted);
  Certificate certificate = wanted;
  with_integer(dtype,
               [&](auto zero) { check_on_host(static_cast<const decltype(zero)*>(elements), Shape{rank, extents}, certificate); });
  return certificate;
}

void refill(Control* control, DType dtype, int rank, const i64* extents, const Certificate& certificate, const void* elements,
            std::size_t size) {
  CopyEnd to{whole(require_owned(control, "copy_from()"), rank, extents), rank};
  if (const i64 wanted = count(rank, extents); static_cast<i64>(size) != wanted)
    throw Error("tegula: copy_from(): " + std::to_string(size) + " elements for a certified tensor of " + std::to_string(wanted));
  if (control->reliants() != 1)
    throw Error(
        "tegula: copy_from(): the certified tensor has other owners, for whom it does not change: copies of it, or operations "
        "that have not run yet; drop them, or certify another tensor");
  if (const Certificate kept = check_certificate(elements, dtype, rank, extents, certificate); kept.bound != certificate.bound)
    throw Error("tegula: copy_from(): the last of the offsets is " + std::to_string(kept.bound) +
                ", but they are certified to end at " + std::to_string(certificate.bound));
  CopyOperation("copy_from()", dtype, to, host_end(elements, size)).run(nullptr, true);
}

} // namespace tegula::host

namespace tegula {

std::vector<AnyKernel> certifying_kernels(DType dtype) {
  std::vector<AnyKernel> all;
  host::with_integer(dtype, [&](auto zero) {
    using T = decltype(zero);
    all = {host::range_kernel<T>(), host::holders_kernel<T>(), host::distinct_kernel<T>(), host::falling_kernel<T>()};
  });
  return all;
}

} // namespace tegula

// What a launch writes to: a tensor that is given up, one that is lent, or memory that the launch makes.
#pragma once
#include "tegula/host/attributes.hpp"
#include "tegula/host/buffer.hpp"

#include <optional>
#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {

template <class T, int R> class Tensor;

namespace host {

template <int R> struct FreshBelow;
/// Made by fresh().
template <int R> struct Fresh {
  Extents<R> extents;
  std::optional<Device> device; // without one, that of the other arguments
  /// For an OutIndex<>: every value is in [0, n), and what the launch returns is certified.
  [[nodiscard]] FreshBelow<R> below(i64 n) const { return {*this, n}; }
};
template <int R> struct FreshBelow {
  Fresh<R> fresh;
  i64 bound;
};

/// Made by out(). Second class, as a view is.
template <class T, int R> class TEGULA_BORROW Lent {
public:
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  /// The same once more, for a group.
  Lent again() const { return Lent(data_); }

private:
  template <class U, int S> friend Lent<U, S> lend(Tensor<U, S>&);
  friend struct Handles;
  explicit Lent(const ViewData& data) : data_(data) {}
  ViewData data_; // as of a view: it shows if the tensor is gone
};
template <class T, int R> Lent<T, R> lend(Tensor<T, R>& tensor) {
  return Lent<T, R>(whole_if_owned(tensor.control_, R, tensor.extents_.begin()));
}
/// What an output takes that it is lent. It is bound to the tensor, not to the Lent that it was made of.
template <class T, int R> class TEGULA_BORROW Borrowed {
public:
  Borrowed(const Lent<T, R>& lent) : lent_(lent.again()) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  operator const Lent<T, R>&() const { return lent_; }

private:
  Lent<T, R> lent_;
};

/// A tensor on its way into a launch, or the promise of one: what an output takes that the launch returns. Only who does not read
/// what it writes can do with what is fresh.
template <class T, int R, bool OrFresh> class Given {
public:
  Given(const Fresh<R>& fresh)
    requires OrFresh
      : extents_(fresh.extents), device_(fresh.device ? state_of(*fresh.device) : nullptr), fresh_(true) {}
  Given(Given&& other) noexcept : tensor_(other.tensor_), extents_(other.extents_), device_(other.device_), fresh_(other.fresh_) {}
  Given& operator=(Given&&) = delete;

private:
  template <class, int> friend class tegula::Tensor;
  friend struct Handles;
  explicit Given(Tensor<T, R>* tensor) : tensor_(tensor), extents_(tensor->extents_) {}
  Tensor<T, R>* tensor_ = nullptr; // gives its memory up when the operation is made, and not before
  Extents<R> extents_;
  DeviceState* device_ = nullptr;
  bool fresh_ = false;
};

} // namespace host

/// Lends a tensor to one launch, to be written; it stays where it is, whatever becomes of the launch.
template <class T, int R> [[nodiscard]] host::Lent<T, R> out(Tensor<T, R>& tensor TEGULA_BOUND TEGULA_STAYS_LIVE) {
  return host::lend(tensor);
}

template <class T, int R> void out(const Tensor<T, R>&) {
  static_assert(R > max_rank, "tegula: out(tensor) lends a tensor to be written: it has a name, and is not const");
}

/// Memory that the launch makes, on the device of its other arguments, and returns. It has no values: the kernel must be proved to
/// write every element before they can be read.
template <class... I>
  requires(std::is_integral_v<I> && ...)
[[nodiscard]] host::Fresh<static_cast<int>(sizeof...(I))> fresh(I... extents) {
  return {{extents...}, std::nullopt};
}
template <int R> [[nodiscard]] host::Fresh<R> fresh(const Extents<R>& extents) { return {extents, std::nullopt}; }
/// The same where no other argument has a device.
template <class... I>
  requires(std::is_integral_v<I> && ...)
[[nodiscard]] host::Fresh<static_cast<int>(sizeof...(I))> fresh(const Device& device, I... extents) {
  return {{extents...}, device};
}
template <int R> [[nodiscard]] host::Fresh<R> fresh(const Device& device, const Extents<R>& extents) { return {extents, device}; }

} // namespace tegula
TEGULA_HOST_END

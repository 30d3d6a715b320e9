// Certified tensors that a launch writes: an OutIndex<T, D...> proves of its values what the certificate says.
#pragma once
#include "tegula/host/certified.hpp"

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

/// Made by out() of a certified tensor. It shows if that is gone, or lent again.
template <class T, int R> class TEGULA_BORROW LentIndex {
public:
  LentIndex(const LentIndex&) = default;
  LentIndex& operator=(const LentIndex&) = delete;

private:
  template <class U, int S> friend LentIndex<U, S> lend(Certified<U, S>&);
  friend struct Handles;
  LentIndex(const ViewData& data, const Certificate& certificate) : data_(data), certificate_(certificate) {}
  ViewData data_;
  Certificate certificate_;
};
template <class T, int R> LentIndex<T, R> lend(Certified<T, R>& certified) {
  return {whole_if_owned(certified.control_, R, certified.extents_.begin()), certified.certificate_};
}

/// A certified tensor on its way into a launch that refills it, or the promise of one.
template <class T, int R> class GivenIndex {
public:
  GivenIndex(const FreshBelow<R>& below)
      : extents_(below.fresh.extents), device_(below.fresh.device ? state_of(*below.fresh.device) : nullptr),
        certificate_(below.bound) {}
  GivenIndex(Certified<T, R>&& certified)
      : tensor_(&certified), extents_(certified.extents_), certificate_(certified.certificate_) {}
  GivenIndex(GivenIndex&& other) noexcept
      : tensor_(other.tensor_), extents_(other.extents_), device_(other.device_), certificate_(other.certificate_) {}
  GivenIndex& operator=(GivenIndex&&) = delete;

private:
  friend struct Handles;
  Certified<T, R>* tensor_ = nullptr; // gives its memory up when the operation is made; none: the launch makes it
  Extents<R> extents_;
  DeviceState* device_ = nullptr;
  Certificate certificate_;
};

} // namespace host

/// Lends a certified tensor to one launch, to be refilled; it keeps its certificate. It must have no other owners.
template <class T, int R> [[nodiscard]] host::LentIndex<T, R> out(Certified<T, R>& certified TEGULA_BOUND) {
  return host::lend(certified);
}
template <class T, int R> void out(const Certified<T, R>&) {
  static_assert(R > max_rank, "tegula: out(certified) lends a tensor to be refilled: it has a name, and is not const");
}

} // namespace tegula
TEGULA_HOST_END

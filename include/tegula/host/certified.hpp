// Index tensors that carry a certificate: kernels use their values as positions without checking them again.
#pragma once
#include "tegula/host/tensor.hpp"

TEGULA_HOST_BEGIN
namespace tegula {

/// certify(std::move(tensor), n, distinct)
struct Distinct {};
inline constexpr Distinct distinct{};

namespace host {
/// What a certificate says of a tensor's values.
struct Certificate {
  i64 bound = 0;
  bool distinct = false;
};
// Each throws an Error that names the first element for which the certificate would be wrong. The first looks on the device, by
// kernels; the second at elements of the host, in row-major order.
void check_certificate(Control*, DType, int rank, const i64* extents, const Certificate&);
void check_certificate(const void* elements, DType, int rank, const i64* extents, const Certificate&);
} // namespace host

/// Argument of an `Index<T, D...>`: an immutable tensor with any number of owners, whose values are in [0, bound()); and of a
/// `DistinctIndex<T, D...>` if they are also distinct. Made by certify() or from_host().
template <class T, int R> class Certified {
  static_assert(std::is_same_v<T, i64> || std::is_same_v<T, i32> || std::is_same_v<T, i16> || std::is_same_v<T, i8>,
                "tegula: an index tensor has a signed integer element type: i64, i32, i16 or i8");

public:
  using Element = T;
  static constexpr int rank = R;

  static Certified from_host(const Device& device, Extents<R> extents, std::span<const T> elements, i64 n) {
    return checked(Tensor<T, R>::from_host(device, extents, elements), elements.data(), {n, false});
  }
  static Certified from_host(const Device& device, Extents<R> extents, std::span<const T> elements, i64 n, Distinct) {
    return checked(Tensor<T, R>::from_host(device, extents, elements), elements.data(), {n, true});
  }
  static Certified from_host(const Device& device, Extents<R> extents, std::initializer_list<T> elements, i64 n) {
    return from_host(device, extents, std::span<const T>(elements.begin(), elements.size()), n);
  }
  static Certified from_host(const Device& device, Extents<R> extents, std::initializer_list<T> elements, i64 n, Distinct d) {
    return from_host(device, extents, std::span<const T>(elements.begin(), elements.size()), n, d);
  }

  Certified(const Certified& other) noexcept
      : control_(other.control_), extents_(other.extents_), certificate_(other.certificate_) {
    host::retain(control_);
  }
  Certified(Certified&& other) noexcept : control_(other.control_), extents_(other.extents_), certificate_(other.certificate_) {
    other.control_ = nullptr;
  }
  Certified& operator=(Certified other) noexcept {
    host::Control* mine = control_;
    control_ = other.control_;
    other.control_ = mine;
    extents_ = other.extents_;
    certificate_ = other.certificate_;
    return *this;
  }
  ~Certified() { host::drop(control_, host::End::destroyed); }

  /// Every value is at least 0 and less than this.
  i64 bound() const { return certificate_.bound; }
  /// Are all values known to be different?
  bool distinct() const { return certificate_.distinct; }

  Extents<R> shape() const { return extents_; }
  i64 extent(int axis) const { return host::extent(R, extents_.begin(), axis); }
  i64 size() const { return host::count(R, extents_.begin()); }
  Device device() const { return host::device_of(control_); }
  View<T, R> view() const& TEGULA_BOUND { return View<T, R>(host::whole(control_, R, extents_.begin())); }
  View<T, R> view() const&& = delete;
  std::vector<T> to_host() const { return View<T, R>(host::whole(control_, R, extents_.begin())).to_host(); }

  /// The tensor, which can be written again; the certificate is gone. An Error if there are other owners.
  Tensor<T, R> tensor() && { return Tensor<T, R>::adopt(host::take_from_sole_owner(control_, "tensor()"), extents_); }

private:
  friend struct host::Handles;
  template <class U, int S> friend Certified<U, S> certify(Tensor<U, S>&&, i64);
  template <class U, int S> friend Certified<U, S> certify(Tensor<U, S>&&, i64, Distinct);

  Certified(host::Control* control, Extents<R> extents, host::Certificate certificate) noexcept
      : control_(control), extents_(extents), certificate_(certificate) {}
  static Certified checked(Tensor<T, R>&& tensor, const void* elements, host::Certificate certificate) {
    host::check_certificate(elements, dtype_of<T>::value, R, tensor.extents_.begin(), certificate);
    return adopt(tensor, certificate);
  }
  static Certified checked(Tensor<T, R>& tensor, host::Certificate certificate) {
    host::require_written(tensor.control_, "certify()");
    host::check_certificate(tensor.control_, dtype_of<T>::value, R, tensor.extents_.begin(), certificate);
    return adopt(tensor, certificate);
  }
  static Certified adopt(Tensor<T, R>& tensor, host::Certificate certificate) noexcept {
    return Certified(host::hand_over(tensor.control_, host::End::shared), tensor.extents_, certificate);
  }

  host::Control* control_;
  Extents<R> extents_;
  host::Certificate certificate_;
};

/// Checks on the tensor's device that every value is in [0, n), and takes the tensor over. If it throws, the tensor stays as it is.
template <class T, int R> Certified<T, R> certify(Tensor<T, R>&& tensor, i64 n) {
  return Certified<T, R>::checked(tensor, {n, false});
}
/// The same, and that all values are different.
template <class T, int R> Certified<T, R> certify(Tensor<T, R>&& tensor, i64 n, Distinct) {
  return Certified<T, R>::checked(tensor, {n, true});
}
template <class T, int R> Certified<T, R> certify(Tensor<T, R>&, i64) {
  static_assert(R > detail::max_rank, "tegula: a certified tensor cannot be changed: write certify(std::move(tensor), n)");
}
template <class T, int R> Certified<T, R> certify(Tensor<T, R>&, i64, Distinct) {
  static_assert(R > detail::max_rank,
                "tegula: a certified tensor cannot be changed: write certify(std::move(tensor), n, distinct)");
}

} // namespace tegula
TEGULA_HOST_END

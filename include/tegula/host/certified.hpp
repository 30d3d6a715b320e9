// Index tensors that carry a certificate: kernels use their values as positions without checking them again.
#pragma once
#include "tegula/host/tensor.hpp"

TEGULA_HOST_BEGIN
namespace tegula {

/// certify(std::move(tensor), n, distinct)
struct Distinct {};
inline constexpr Distinct distinct{};
/// certify(std::move(tensor), n, or_none), certify(std::move(tensor), n, distinct, or_none)
struct OrNone {};
inline constexpr OrNone or_none{};
/// certify(std::move(tensor), n, as_offsets)
struct AsOffsets {};
inline constexpr AsOffsets as_offsets{};

template <class T, int R> class Certified;

namespace host {
template <class T, int R> class LentIndex;
template <class T, int R> class GivenIndex;
template <class T, int R> LentIndex<T, R> lend(Certified<T, R>&);
/// What is known of values: they are in [0, bound), or perhaps -1; and all others are different; or they never fall, from 0 up to
/// the bound.
struct Promise {
  bool distinct = false, or_none = false, offsets = false;
};
struct Certificate {
  i64 bound = 0;
  Promise promise;
  constexpr Certificate() = default;
  constexpr Certificate(i64 n) : bound(n) {}
  constexpr Certificate(i64 n, Distinct) : bound(n), promise{.distinct = true} {}
  constexpr Certificate(i64 n, OrNone) : bound(n), promise{.or_none = true} {}
  constexpr Certificate(i64 n, Distinct, OrNone) : bound(n), promise{.distinct = true, .or_none = true} {}
  constexpr Certificate(i64 n, AsOffsets) : bound(n), promise{.offsets = true} {}
};
// Each returns the certificate, of offsets with the last one for a bound, or throws an Error that names the first element for which
// it would be wrong. The first looks on the device, by kernels; the second at elements of the host, in row-major order.
Certificate check_certificate(Control*, DType, int rank, const i64* extents, const Certificate&);
Certificate check_certificate(const void* elements, DType, int rank, const i64* extents, const Certificate&);
/// Other values for what is certified, under the same certificate.
void refill(Control*, DType, int rank, const i64* extents, const Certificate&, const void* elements, std::size_t size);
template <int R, class... P> consteval void check_promise() {
  static_assert(
      std::is_constructible_v<Certificate, i64, P...>,
      "tegula: what is certified besides the bound is nothing, `distinct`, `or_none`, `distinct, or_none` or `as_offsets`");
  static_assert(R == 1 || !(std::is_same_v<P, AsOffsets> || ...), "tegula: offsets are a tensor of rank 1");
}
} // namespace host

/// Argument of an `Index<T, D...>`: an immutable tensor with any number of owners, whose values are in [0, bound()); of a
/// `DistinctIndex<T, D...>` if they are also distinct; of these with `OrNone` also if they may be -1; or of an `Offsets<T>`. Made
/// by certify() or from_host(), or by a launch that writes it as an `OutIndex<T, D...>`.
template <class T, int R> class Certified {
  static_assert(std::is_same_v<T, i64> || std::is_same_v<T, i32> || std::is_same_v<T, i16> || std::is_same_v<T, i8>,
                "tegula: an index tensor has a signed integer element type: i64, i32, i16 or i8");

public:
  using Element = T;
  static constexpr int rank = R;

  /// `promise`: nothing, `distinct`, `or_none`, `distinct, or_none` or `as_offsets`.
  template <class... Promise>
  static Certified from_host(const Device& device, Extents<R> extents, std::span<const T> elements, i64 n, Promise... promise) {
    host::check_promise<R, Promise...>();
    return checked(Tensor<T, R>::from_host(device, extents, elements), elements.data(), {n, promise...});
  }
  template <class... Promise> static Certified from_host(const Device& device, Extents<R> extents,
                                                         std::initializer_list<T> elements, i64 n, Promise... promise) {
    return from_host(device, extents, std::span<const T>(elements.begin(), elements.size()), n, promise...);
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

  /// Every value is at least 0, or -1 with or_none(), and less than this; of offsets, the last one is this.
  i64 bound() const { return certificate_.bound; }
  /// Are all values but -1 known to be different?
  bool distinct() const { return certificate_.promise.distinct; }
  /// May values be -1, for none?
  bool or_none() const { return certificate_.promise.or_none; }
  /// Are they known to be offsets of segments?
  bool offsets() const { return certificate_.promise.offsets; }

  Extents<R> shape() const { return extents_; }
  i64 extent(int axis) const { return host::extent(R, extents_.begin(), axis); }
  i64 size() const { return host::count(R, extents_.begin()); }
  Device device() const { return host::device_of(control_); }
  /// As those of a Tensor.
  bool ready() const { return host::is_ready(host::require_owned(control_, "ready()")); }
  void sync() const { host::wait(host::require_owned(control_, "sync()")); }
  CopyOp copy_to(Pinned<T>& to TEGULA_BOUND) const& TEGULA_BOUND {
    return host::copy_of<T>("copy_to()", to, {host::whole_if_owned(control_, R, extents_.begin()), R});
  }
  /// Other values in their place, under the same certificate: they are checked on the host, and have been copied when it returns.
  /// Graphs that read it go on with them. An Error, and nothing is changed, if one breaks the certificate, or if there are other
  /// owners, for whom it does not change.
  void copy_from(std::span<const T> elements) & {
    host::refill(control_, dtype_of<T>::value, R, extents_.begin(), certificate_, elements.data(), elements.size());
  }
  View<T, R> view() const& TEGULA_BOUND {
    return View<T, R>(host::whole(host::require_owned(control_, "view()"), R, extents_.begin()));
  }
  View<T, R> view() const&& = delete;
  std::vector<T> to_host() const {
    return View<T, R>(host::whole(host::require_written(control_, "to_host()"), R, extents_.begin())).to_host();
  }

  /// The tensor, which can be written again; the certificate is gone. An Error if there are other owners.
  Tensor<T, R> tensor() && { return Tensor<T, R>::made_of(host::take_from_sole_owner(control_, "tensor()"), extents_); }

private:
  friend struct host::Handles;
  template <class U, int S> friend class host::GivenIndex;
  template <class U, int S> friend host::LentIndex<U, S> host::lend(Certified<U, S>&);
  template <class U, int S, class... P> friend Certified<U, S> certify(Tensor<U, S>&&, i64, P...);

  Certified(host::Control* control, Extents<R> extents, host::Certificate certificate) noexcept
      : control_(control), extents_(extents), certificate_(certificate) {}
  static Certified checked(Tensor<T, R>&& tensor, const void* elements, host::Certificate certificate) {
    return adopt(tensor, host::check_certificate(elements, dtype_of<T>::value, R, tensor.extents_.begin(), certificate));
  }
  static Certified checked(Tensor<T, R>& tensor, host::Certificate certificate) {
    host::require_written(tensor.control_, "certify()");
    return adopt(tensor, host::check_certificate(tensor.control_, dtype_of<T>::value, R, tensor.extents_.begin(), certificate));
  }
  static Certified adopt(Tensor<T, R>& tensor, host::Certificate certificate) noexcept {
    return Certified(host::hand_over(tensor.control_, host::End::certified), tensor.extents_, certificate);
  }

  host::Control* control_;
  Extents<R> extents_;
  host::Certificate certificate_;
};

/// Checks on the tensor's device that every value is in [0, n), with `distinct` also that all are different, each with `or_none`
/// but for values of -1; or, with `as_offsets`, that the first is 0, none is less than the one before it, and the last, which
/// becomes the bound, is at most n. Then takes the tensor over. If it throws, the tensor stays as it is.
template <class T, int R, class... Promise> Certified<T, R> certify(Tensor<T, R>&& tensor, i64 n, Promise... promise) {
  host::check_promise<R, Promise...>();
  return Certified<T, R>::checked(tensor, {n, promise...});
}
template <class T, int R, class... Promise> Certified<T, R> certify(Tensor<T, R>&, i64, Promise...) {
  static_assert(R > max_rank, "tegula: a certified tensor cannot be changed: write certify(std::move(tensor), ...)");
}

} // namespace tegula
TEGULA_HOST_END

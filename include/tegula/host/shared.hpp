// Tensors and parts of them with many owners, that nobody can write any more.
#pragma once
#include "tegula/host/view.hpp"

TEGULA_HOST_BEGIN
namespace tegula {

/// Made by `std::move(tensor).share()`. It owns what it shows, so it can be copied and stored, as can its parts:
/// `Shared<bf16, 2> queries = weights.slice(0, 0, n)`. An operation whose inputs are all shared, and that is lent nothing, can be
/// moved and stored, too.
template <class T, int R> class Shared {
public:
  using Element = T;
  static constexpr int rank = R;

  /// Empty, until it is assigned to.
  Shared() noexcept = default;
  Shared(const Shared& other) noexcept : data_(other.data_) { host::retain(data_.control); }
  Shared(Shared&& other) noexcept : data_(other.data_) { other.data_.control = nullptr; }
  Shared& operator=(Shared other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Shared() { host::drop(data_.control, host::End::destroyed); }

  Extents<R> shape() const { return Extents<R>::copy_of(data_.extents); }
  i64 extent(int axis) const { return host::extent(R, data_.extents, axis); }
  i64 stride(int axis) const { return host::extent(R, data_.strides, axis); }
  i64 size() const { return host::count(R, data_.extents); }
  Device device() const { return host::device_of(data_.control); }
  bool ready() const { return host::is_ready(host::require_owned(data_.control, "ready()")); }
  void sync() const { host::wait(host::require_owned(data_.control, "sync()")); }
  T item() const { return static_cast<T>(host::only(to_host())); }
  View<T, R> view() const& TEGULA_BOUND { return View<T, R>(whole("view()")); }
  View<T, R> view() const&& = delete;
  std::vector<HostElement<T>> to_host() const { return View<T, R>(whole("to_host()")).to_host(); }

  // As those of a View.
  template <int... Axes> Shared permute() const {
    static_assert(sizeof...(Axes) == R, "tegula: permute<...>() names every axis of the view once");
    constexpr int axes[] = {Axes..., 0};
    return Shared(host::permuted(whole("permute()"), R, axes));
  }
  Shared transpose() const {
    static_assert(R >= 2, "tegula: transpose() needs a view of rank 2 or more");
    return Shared(host::transposed(whole("transpose()"), R));
  }
  Shared slice(int axis, i64 from, i64 to) const {
    return Shared(host::sliced(whole("slice()"), dtype_of<T>::value, R, axis, from, to));
  }
  template <int To> Shared<T, To> reshape(Extents<To> extents) const {
    return Shared<T, To>(host::reshaped(whole("reshape()"), R, To, extents.begin()));
  }
  template <int To> Shared<T, To> broadcast(Extents<To> extents) const {
    static_assert(To >= R, "tegula: broadcast() cannot take axes away");
    return Shared<T, To>(host::repeated(whole("broadcast()"), R, To, extents.begin()));
  }

private:
  template <class, int> friend class Tensor;
  template <class, int> friend class Shared;
  template <class, int> friend class host::Input;
  friend struct host::Handles;
  /// Takes over one count.
  Shared(host::Control* control, Extents<R> extents) : data_(host::whole(control, R, extents.begin())) {}
  explicit Shared(const host::ViewData& data) noexcept : data_(data) { host::retain(data_.control); }
  const host::ViewData& whole(const char* what) const {
    host::require_owned(data_.control, what);
    return data_;
  }
  host::ViewData data_;
};

} // namespace tegula
TEGULA_HOST_END

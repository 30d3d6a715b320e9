// Tensors with many owners, that nobody can write any more.
#pragma once
#include "tegula/host/attributes.hpp"
#include "tegula/host/view.hpp"

namespace tegula {

template <class T, int R> class Tensor;

/// Made by `std::move(tensor).share()`. An operation whose inputs are all shared owns what it needs: it can be moved and stored.
template <class T, int R> class Shared {
public:
  Shared(const Shared& other) noexcept : control_(other.control_), extents_(other.extents_) { host::retain(control_); }
  Shared(Shared&& other) noexcept : control_(other.control_), extents_(other.extents_) { other.control_ = nullptr; }
  Shared& operator=(Shared other) noexcept {
    host::Control* mine = control_;
    control_ = other.control_;
    other.control_ = mine;
    extents_ = other.extents_;
    return *this;
  }
  ~Shared() { host::drop(control_, host::End::destroyed); }

  Extents<R> shape() const { return extents_; }
  i64 extent(int axis) const { return host::extent(R, extents_.begin(), axis); }
  i64 size() const { return host::count(R, extents_.begin()); }
  Device device() const { return host::device_of(control_); }
  View<T, R> view() const& TEGULA_BOUND { return View<T, R>(host::whole(control_, R, extents_.begin())); }
  View<T, R> view() const&& = delete;
  std::vector<HostElement<T>> to_host() const { return View<T, R>(host::whole(control_, R, extents_.begin())).to_host(); }

private:
  friend class Tensor<T, R>;
  friend struct host::Handles;
  Shared(host::Control* control, Extents<R> extents) noexcept : control_(control), extents_(extents) {}
  host::Control* control_;
  Extents<R> extents_;
};

} // namespace tegula

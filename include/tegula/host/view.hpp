// A borrowed, strided look at a tensor.
#pragma once
#include "tegula/host/attributes.hpp"
#include "tegula/host/buffer.hpp"

#include <vector>

namespace tegula {
template <class T, int R> class Tensor;
namespace host {
template <class T, int R> class Input;
}

/// Second class: it cannot be copied, moved or assigned, so it cannot outlive the scope that made it by being stored. Once its
/// tensor has been moved, assigned or destroyed, every use of it throws.
template <class T, int R> class TEGULA_BORROW View {
public:
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  /// The same view once more, for an argument.
  View again() const { return View(data_); }
  /// Axis i of the result is axis Axes[i] of this view.
  template <int... Axes> View permute() const {
    static_assert(sizeof...(Axes) == R, "tegula: permute<...>() names every axis of the view once");
    constexpr int axes[] = {Axes..., 0};
    return View(host::permuted(data_, R, axes));
  }
  /// The last two axes exchanged.
  View transpose() const {
    static_assert(R >= 2, "tegula: transpose() needs a view of rank 2 or more");
    return View(host::transposed(data_, R));
  }
  /// Repeats axes of extent 1 and adds leading ones, as NumPy does; nothing is copied.
  template <int To> View<T, To> broadcast(Extents<To> extents) const {
    static_assert(To >= R, "tegula: broadcast() cannot take axes away");
    return View<T, To>(host::repeated(data_, R, To, extents.begin()));
  }
  /// The same elements in the same, row-major order; nothing is copied. Throws an Error where strides do not allow that.
  template <int To> View<T, To> reshape(Extents<To> extents) const {
    return View<T, To>(host::reshaped(data_, R, To, extents.begin()));
  }
  /// The axes First to Last as one; all of them, if none is named.
  template <int First = 0, int Last = R - 1> View<T, R - Last + First> flatten() const {
    static_assert(0 <= First && First <= Last && Last < R, "tegula: flatten<First, Last>() names axes of the view, in order");
    return View<T, R - Last + First>(host::flattened(data_, R, First, Last));
  }
  /// An axis as two, of which the second has the extent `inner`.
  template <int Axis> View<T, R + 1> split(i64 inner) const {
    static_assert(0 <= Axis && Axis < R, "tegula: split<Axis>(inner) names an axis of the view");
    static_assert(R < max_rank, "tegula: a view has rank 0 to 6: there is no axis to spare for split()");
    return View<T, R + 1>(host::split(data_, R, Axis, inner));
  }
  /// Elements `from` up to, but without, `to` along an axis.
  View slice(int axis, i64 from, i64 to) const { return View(host::sliced(data_, dtype_of<T>::value, R, axis, from, to)); }

  Extents<R> shape() const { return Extents<R>::copy_of(data_.extents); }
  i64 extent(int axis) const { return host::extent(R, data_.extents, axis); }
  i64 stride(int axis) const { return host::extent(R, data_.strides, axis); }
  i64 size() const { return host::count(R, data_.extents); }
  /// All elements, in row-major order.
  std::vector<HostElement<T>> to_host() const {
    std::vector<HostElement<T>> host = host::room_for<HostElement<T>>(size());
    host::download(data_, dtype_of<T>::value, R, host.data());
    return host;
  }

private:
  template <class, int> friend class View;
  template <class, int> friend class Tensor;
  template <class, int> friend class Shared;
  template <class, int> friend class Certified;
  template <class, int> friend class host::Input;
  friend struct host::Handles;
  explicit View(const host::ViewData& data) : data_(data) {}
  host::ViewData data_;
};

} // namespace tegula

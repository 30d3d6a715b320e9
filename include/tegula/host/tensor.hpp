// Tensors: memory on a device, with an element type and a rank.
#pragma once
#include "tegula/host/copy.hpp"
#include "tegula/host/inputs.hpp"
#include "tegula/host/outputs.hpp"
#include "tegula/host/pinned.hpp"
#include "tegula/host/shared.hpp"
#include "tegula/host/view.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

TEGULA_HOST_BEGIN
namespace tegula {
namespace detail {
struct Unsafe;
}

/// The one owner of its memory: it moves and is never copied by accident. Row-major; an extent may be 0. A launch reads a tensor
/// that it is passed by name, and writes one that it is passed by `std::move(tensor)` or `out(tensor)`.
template <class T, int R> class TEGULA_OWNER Tensor {
  static_assert(dtype_of<T>::known,
                "tegula: not an element type: use f64 f32 f16 bf16 f8e4m3 f8e5m2 f8e8m0 i64 i32 i16 i8 u64 u32 u16 u8 bool");
  static_assert(R >= 0 && R <= max_rank, "tegula: a tensor has rank 0 to 6");

public:
  using Element = T;
  static constexpr int rank = R;

  static Tensor zeros(const Device& device, Extents<R> extents) {
    static_assert(!std::is_same_v<T, f8e8m0>, "tegula: f8e8m0 has no zero; write full(device, extents, f8e8m0(1))");
    return Tensor(host::allocate(device, dtype_of<T>::value, R, extents.begin(), nullptr), extents);
  }
  static Tensor full(const Device& device, Extents<R> extents, T value) {
    return Tensor(host::allocate(device, dtype_of<T>::value, R, extents.begin(), &value), extents);
  }
  /// Memory without values: it cannot be read until a kernel that is proved to write every element has run.
  static Tensor uninit(const Device& device, Extents<R> extents) {
    return Tensor(host::allocate_unwritten(device, dtype_of<T>::value, R, extents.begin()), extents);
  }
  /// Copies elements in row-major order, as many as the shape has.
  static Tensor from_host(const Device& device, Extents<R> extents, std::span<const HostElement<T>> elements) {
    return Tensor(host::upload(device, dtype_of<T>::value, R, extents.begin(), elements.data(), elements.size()), extents);
  }
  static Tensor from_host(const Device& device, Extents<R> extents, std::initializer_list<T> elements) {
    static_assert(sizeof(T) == sizeof(HostElement<T>));
    return Tensor(host::upload(device, dtype_of<T>::value, R, extents.begin(), elements.begin(), elements.size()), extents);
  }

  /// Memory that somebody else made: of this device (of a GPU, an address as its driver knows it), large enough, aligned to its
  /// elements, all written, and used by nobody else from now on. Nothing can check that, so it is said why it is so:
  /// `adopt(device, {n}, data, std::free, unsafe("just allocated"))`. The deleter is called with `data`, once: when the last tensor
  /// is gone, after the last work that uses the memory, which is waited for; at once, if this throws.
  template <class Deleter>
  static Tensor adopt(const Device& device, Extents<R> extents, HostElement<T>* data, Deleter deleter, const detail::Unsafe&) {
    static_assert(std::is_invocable_v<Deleter&, HostElement<T>*>,
                  "tegula: adopt() takes a function to be called with the pointer when nobody uses the memory any more");
    return Tensor(host::adopt(device, dtype_of<T>::value, R, extents.begin(), std::shared_ptr<void>(data, std::move(deleter))),
                  extents);
  }
  template <class Deleter> static Tensor adopt(const Device&, Extents<R>, HostElement<T>*, Deleter) {
    static_assert(!sizeof(Deleter), "tegula: nothing can check memory that somebody else made: say last why all is right with it, "
                                    "adopt(device, extents, data, deleter, unsafe(\"why\"))");
  }

  /// Empty, until it is assigned to.
  TEGULA_STAYS_LIVE Tensor() noexcept : control_(nullptr), extents_(Extents<R>::copy_of(host::no_extents)) {}
  Tensor(Tensor&& other) noexcept : control_(host::hand_over(other.control_, host::End::moved)), extents_(other.extents_) {}
  TEGULA_REFILLS Tensor& operator=(Tensor&& other) noexcept {
    if (this != &other) {
      host::Control* taken = host::hand_over(other.control_, host::End::moved);
      host::drop(control_, host::End::assigned);
      control_ = taken;
      extents_ = other.extents_;
    }
    return *this;
  }
  ~Tensor() { host::drop(control_, host::End::destroyed); }
  friend void swap(Tensor& a TEGULA_STAYS_LIVE, Tensor& b TEGULA_STAYS_LIVE) noexcept {
    Tensor t(static_cast<Tensor&&>(a));
    a = static_cast<Tensor&&>(b);
    b = static_cast<Tensor&&>(t);
  }

  TEGULA_LIVE Extents<R> shape() const { return extents_; }
  TEGULA_LIVE i64 extent(int axis) const { return host::extent(R, extents_.begin(), axis); }
  TEGULA_LIVE i64 size() const { return host::count(R, extents_.begin()); }
  TEGULA_LIVE Device device() const { return host::device_of(control_); }

  /// Is the work done that writes it?
  TEGULA_LIVE bool ready() const { return host::is_ready(host::require_owned(control_, "ready()")); }
  /// Waits for the work that writes it. Throws its error, if it failed.
  TEGULA_LIVE void sync() const { host::wait(host::require_owned(control_, "sync()")); }
  /// The element, of a tensor that has one.
  TEGULA_LIVE T item() const { return static_cast<T>(host::only(to_host())); }

  TEGULA_LIVE View<T, R> view() const& TEGULA_BOUND {
    return View<T, R>(host::whole(host::require_owned(control_, "view()"), R, extents_.begin()));
  }
  View<T, R> view() const&& = delete; // of a temporary
  TEGULA_LIVE std::vector<HostElement<T>> to_host() const {
    return View<T, R>(host::whole(host::require_written(control_, "to_host()"), R, extents_.begin())).to_host();
  }
  // As arguments of a launch: borrowed as an input, or given up as an output.
  TEGULA_LIVE operator host::Input<T, R>() const& TEGULA_BOUND { return host::Input<T, R>(control_, extents_); }
  operator host::Input<T, R>() && = delete;
  template <bool OrFresh> TEGULA_LIVE operator host::Given<T, R, OrFresh>() && { return host::Given<T, R, OrFresh>(this); }
  TEGULA_LIVE Tensor copy() const { return Tensor(host::duplicate(control_), extents_); }

  // Operations that copy, run by sync() or start(). Extents agree, and a part of a tensor has its elements without gaps.
  TEGULA_LIVE CopyOp copy_from(host::Input<T, R> source TEGULA_BOUND) & TEGULA_BOUND {
    return CopyOp("copy_from()", dtype_of<T>::value, end(), host::CopyEnd{source.data(), R});
  }
  TEGULA_LIVE CopyOp copy_from(const Pinned<T>& source TEGULA_BOUND) & TEGULA_BOUND {
    return CopyOp("copy_from()", dtype_of<T>::value, end(), source.end());
  }
  TEGULA_LIVE CopyOp copy_to(Pinned<T>& to TEGULA_BOUND) const& TEGULA_BOUND { return host::copy_of<T>("copy_to()", to, end()); }
  // With memory of the host's own, which could be gone later: at once, and done when they return.
  TEGULA_LIVE void copy_from(std::span<const HostElement<T>> source) & {
    host::CopyOperation("copy_from()", dtype_of<T>::value, end(), host::host_end(source.data(), source.size())).run(nullptr, true);
  }
  TEGULA_LIVE void copy_to(std::span<HostElement<T>> to) const& {
    host::CopyOperation("copy_to()", dtype_of<T>::value, host::host_end(to.data(), to.size()), end()).run(nullptr, true);
  }
  /// Gives every element this value.
  TEGULA_LIVE CopyOp fill(T value) & TEGULA_BOUND { return CopyOp(dtype_of<T>::value, end(), &value); }

  /// Immutable from now on, and held by any number of owners.
  TEGULA_LIVE Shared<T, R> share() && {
    host::require_written(control_, "share()");
    return Shared<T, R>(host::hand_over(control_, host::End::shared), extents_);
  }
  /// The same memory with other extents.
  template <int To> TEGULA_LIVE Tensor<T, To> reshape(Extents<To> extents) && {
    host::require_owned(control_, "reshape()");
    host::check_reshape("tensor", R, extents_.begin(), To, extents.begin());
    return Tensor<T, To>::made_of(host::hand_over(control_, host::End::moved), extents);
  }
  template <int To> Tensor<T, To> reshape(Extents<To>) & {
    static_assert(
        To > max_rank,
        "tegula: a tensor is given up to be reshaped: write std::move(tensor).reshape<...>(...), or view().reshape<...>(...)");
  }

  /// Cuts it in front of these rows: `auto [low, rest] = std::move(t).split<0>(n)`. Each part is a tensor like any other, and two
  /// queues can write two of them at once; `join` makes them one again. The memory is freed when all parts are gone.
  template <int Axis, class... I> TEGULA_LIVE std::array<Tensor, sizeof...(I) + 1> split(I... at) && {
    static_assert(R > 0, "tegula: a tensor of rank 0 has no axis to be split along");
    static_assert(Axis == 0, "tegula: a tensor is split along axis 0, so that each part is contiguous; along another axis, "
                             "view().slice(axis, from, to) is a part to read");
    static_assert((std::is_integral_v<I> && ...), "tegula: split<0>(...) takes the rows in front of which the tensor is cut");
    const i64 places[] = {static_cast<i64>(at)..., extents_[0]};
    std::array<host::Control*, sizeof...(I) + 1> parts{};
    host::take_apart(control_, extents_.begin(), {places, sizeof...(I)}, parts.data());
    std::array<Tensor, sizeof...(I) + 1> result;
    i64 from = 0;
    for (std::size_t i = 0; i < parts.size(); from = places[i++]) {
      i64 extents[R > 0 ? R : 1];
      std::copy(extents_.begin(), extents_.end(), extents);
      extents[0] = places[i] - from;
      result[i] = Tensor(parts[i], Extents<R>::copy_of(extents));
    }
    return result;
  }
  template <int Axis, class... I> void split(I...) & {
    static_assert(Axis < 0, "tegula: a tensor is given up to be split: write std::move(tensor).split<0>(...)");
  }

private:
  template <class, int> friend class Tensor;
  template <class, int> friend class Certified;
  template <class U, int S, class... More> friend Tensor<U, S> join(Tensor<U, S>&&, More&&...);
  template <class, int, bool> friend class host::Given;
  template <class U, int S> friend host::Lent<U, S> host::lend(Tensor<U, S>&);
  friend struct host::Handles;
  TEGULA_STAYS_LIVE Tensor(host::Control* control, Extents<R> extents) noexcept : control_(control), extents_(extents) {}
  host::CopyEnd end() const { return {host::whole_if_owned(control_, R, extents_.begin()), R}; }
  static Tensor made_of(host::Control* control, Extents<R> extents) noexcept { return Tensor(control, extents); }
  host::Control* control_; // null if it is empty, as after a move
  Extents<R> extents_;
};

/// Neighbouring parts of one tensor, in order, as one tensor again: `join(std::move(low), std::move(rest))`. Waits for nothing. An
/// Error says which parts do not fit; they stay where they are then.
template <class T, int R, class... More> Tensor<T, R> join(Tensor<T, R>&& first, More&&... more) {
  static_assert(sizeof...(More) > 0, "tegula: join() makes one tensor of two or more parts");
  static_assert((std::is_same_v<More, Tensor<T, R>> && ...),
                "tegula: the parts of one tensor have one type, and each is given up: write join(std::move(low), std::move(high))");
  const host::Part parts[] = {{&first.control_, first.extents_.begin()}, {&more.control_, more.extents_.begin()}...};
  i64 extents[R > 0 ? R : 1];
  std::copy(first.extents_.begin(), first.extents_.end(), extents);
  host::Control* whole = host::put_together(parts, dtype_of<T>::value, R, extents);
  return Tensor<T, R>(whole, Extents<R>::copy_of(extents));
}
template <class T, int R, class... More> void join(const Tensor<T, R>&, More&&...) {
  static_assert(R > max_rank, "tegula: parts are given up to be joined: write join(std::move(low), std::move(high))");
}

} // namespace tegula
TEGULA_HOST_END

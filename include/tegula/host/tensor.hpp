// Tensors: memory on a device, with an element type and a rank.
#pragma once
#include "tegula/host/partition.hpp"
#include "tegula/host/shared.hpp"
#include "tegula/host/view.hpp"

#include <initializer_list>
#include <span>
#include <vector>

TEGULA_HOST_BEGIN
namespace tegula {

/// The one owner of its memory: it moves and is never copied by accident. Row-major; an extent may be 0. A kernel reads a tensor by
/// reference and writes one that was given up with partition(), pieces() or accumulate().
template <class T, int R> class TEGULA_OWNER Tensor {
  static_assert(dtype_of<T>::known,
                "tegula: not an element type: use f64 f32 f16 bf16 f8e4m3 f8e5m2 f8e8m0 i64 i32 i16 i8 u64 u32 u16 u8 bool");
  static_assert(R >= 0 && R <= detail::max_rank, "tegula: a tensor has rank 0 to 6");

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

  TEGULA_LIVE View<T, R> view() const& TEGULA_BOUND {
    return View<T, R>(host::whole(host::require_written(control_, "view()"), R, extents_.begin()));
  }
  View<T, R> view() const&& = delete; // of a temporary
  TEGULA_LIVE std::vector<HostElement<T>> to_host() const {
    return View<T, R>(host::whole(host::require_written(control_, "to_host()"), R, extents_.begin())).to_host();
  }
  TEGULA_LIVE Tensor copy() const { return Tensor(host::duplicate(control_), extents_); }

  /// Immutable from now on, and held by any number of owners.
  TEGULA_LIVE Shared<T, R> share() && {
    host::require_written(control_, "share()");
    return Shared<T, R>(host::hand_over(control_, host::End::shared), extents_);
  }
  /// The same memory with other extents.
  template <int To> TEGULA_LIVE Tensor<T, To> reshape(Extents<To> extents) && {
    host::require_owned(control_, "reshape()");
    host::check_reshape("tensor", R, extents_.begin(), To, extents.begin());
    return Tensor<T, To>::adopt(host::hand_over(control_, host::End::moved), extents);
  }
  template <int To> Tensor<T, To> reshape(Extents<To>) & {
    static_assert(
        To > detail::max_rank,
        "tegula: a tensor is given up to be reshaped: write std::move(tensor).reshape<...>(...), or view().reshape<...>(...)");
  }
  /// Gives the tensor up to be written by an `Out<T, D...>` or `InOut<T, D...>`; the launch returns it.
  template <int... D> TEGULA_LIVE Partition<T, D...> partition() && {
    check_tile<D...>();
    host::require_owned(control_, "partition()");
    return Partition<T, D...>(host::hand_over(control_, host::End::given_up), extents_);
  }
  /// Gives the tensor up to be written by an `Outs<T, D...>` or `Patch<T, D...>`, by so many programs; 0 means one per core.
  template <int... D> TEGULA_LIVE Pieces<T, D...> pieces(i64 programs = 0) && {
    check_tile<D...>();
    host::require_owned(control_, "pieces()");
    return Pieces<T, D...>(host::hand_over(control_, host::End::given_up), extents_, programs);
  }
  /// Gives the tensor up to an `AddInto<T, D...>` or one of its kin, for so many programs; 0 means one per core.
  template <int... D> TEGULA_LIVE Accumulation<T, D...> accumulate(i64 programs = 0) && {
    check_tile<D...>();
    host::require_owned(control_, "accumulate()");
    return Accumulation<T, D...>(host::hand_over(control_, host::End::given_up), extents_, programs);
  }
  template <int... D> Partition<T, D...> partition() & {
    static_assert(sizeof...(D) > detail::max_rank,
                  "tegula: a launch takes its output and gives it back: write std::move(tensor).partition<...>()");
  }
  template <int... D> Pieces<T, D...> pieces(i64 = 0) & {
    static_assert(sizeof...(D) > detail::max_rank,
                  "tegula: a launch takes its output and gives it back: write std::move(tensor).pieces<...>()");
  }
  template <int... D> Accumulation<T, D...> accumulate(i64 = 0) & {
    static_assert(sizeof...(D) > detail::max_rank,
                  "tegula: a launch takes its output and gives it back: write std::move(tensor).accumulate<...>()");
  }

private:
  template <class, int> friend class Tensor;
  template <class, int...> friend class Partition;
  template <class, int...> friend class Pieces;
  template <class, int...> friend class Accumulation;
  template <class, int> friend class Certified;
  friend struct host::Handles;
  TEGULA_STAYS_LIVE Tensor(host::Control* control, Extents<R> extents) noexcept : control_(control), extents_(extents) {}
  static Tensor adopt(host::Control* control, Extents<R> extents) noexcept { return Tensor(control, extents); }
  template <int... D> static constexpr void check_tile() {
    static_assert(sizeof...(D) == R, "tegula: give one tile extent per axis of the tensor");
    static_assert(host::are_tile_extents({D...}), "tegula: tile extents are powers of two");
  }

  host::Control* control_; // null after a move
  Extents<R> extents_;
};

} // namespace tegula
TEGULA_HOST_END

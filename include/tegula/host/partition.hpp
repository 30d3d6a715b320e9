// Tensors that were given up to be written: cut into tiles, one or several for each program of a launch.
#pragma once
#include "tegula/host/attributes.hpp"
#include "tegula/host/buffer.hpp"

TEGULA_HOST_BEGIN
namespace tegula {

template <class T, int R> class Tensor;

namespace host {
/// A tensor on its way into a launch.
template <class T, int R> class GivenUp {
public:
  GivenUp(Control* control, Extents<R> extents) noexcept : control_(control), extents_(extents) {}
  GivenUp(GivenUp&& other) noexcept : control_(other.control_), extents_(other.extents_) { other.control_ = nullptr; }
  GivenUp& operator=(GivenUp&&) = delete;
  ~GivenUp() { drop(control_, End::destroyed); }

protected:
  friend struct Handles;
  Control* control_;
  Extents<R> extents_;
};

constexpr bool are_tile_extents(std::initializer_list<int> extents) {
  for (int extent : extents)
    if (extent < 1 || (extent & (extent - 1)) != 0)
      return false;
  return true;
}
} // namespace host

/// Argument of an `Out<T, D...>` or `InOut<T, D...>`: program p writes tile p, in row-major order. The launch returns the tensor.
template <class T, int... D>
class [[nodiscard("tegula: pass the partition to a kernel, or take the tensor back with tensor()")]] TEGULA_LINEAR Partition
    : private host::GivenUp<T, sizeof...(D)> {
public:
  using Whole = Tensor<T, static_cast<int>(sizeof...(D))>;
  Partition(Partition&&) noexcept = default;
  TEGULA_CLANG(clang::callable_when("consumed")) ~Partition() {}
  /// The tensor, unwritten.
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) Whole tensor() && {
    return Whole::adopt(host::hand_over(this->control_, host::End::moved), this->extents_);
  }

private:
  template <class, int> friend class Tensor;
  friend struct host::Handles;
  using host::GivenUp<T, sizeof...(D)>::GivenUp;
};

/// Argument of an `Outs<T, D...>` or `Patch<T, D...>`: each program writes several tiles.
template <class T, int... D>
class [[nodiscard("tegula: pass the pieces to a kernel, or take the tensor back with tensor()")]] TEGULA_LINEAR Pieces
    : private host::GivenUp<T, sizeof...(D)> {
public:
  using Whole = Tensor<T, static_cast<int>(sizeof...(D))>;
  Pieces(Pieces&&) noexcept = default;
  TEGULA_CLANG(clang::callable_when("consumed")) ~Pieces() {}
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) Whole tensor() && {
    return Whole::adopt(host::hand_over(this->control_, host::End::moved), this->extents_);
  }

private:
  template <class, int> friend class Tensor;
  friend struct host::Handles;
  Pieces(host::Control* control, Extents<sizeof...(D)> extents, i64 programs) noexcept
      : host::GivenUp<T, sizeof...(D)>(control, extents), programs_(programs) {}
  i64 programs_;
};

/// Argument of an `AddInto<T, D...>` or of one of its kin: every program may change any element, and none may read it.
template <class T, int... D>
class [[nodiscard("tegula: pass the accumulation to a kernel, or take the tensor back with tensor()")]] TEGULA_LINEAR Accumulation
    : private host::GivenUp<T, sizeof...(D)> {
public:
  using Whole = Tensor<T, static_cast<int>(sizeof...(D))>;
  Accumulation(Accumulation&&) noexcept = default;
  TEGULA_CLANG(clang::callable_when("consumed")) ~Accumulation() {}
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) Whole tensor() && {
    return Whole::adopt(host::hand_over(this->control_, host::End::moved), this->extents_);
  }

private:
  template <class, int> friend class Tensor;
  friend struct host::Handles;
  Accumulation(host::Control* control, Extents<sizeof...(D)> extents, i64 programs) noexcept
      : host::GivenUp<T, sizeof...(D)>(control, extents), programs_(programs) {}
  i64 programs_;
};

} // namespace tegula
TEGULA_HOST_END

// What tensors, views and operations of every type share: memory with a control block, and strided views of it.
#pragma once
#include "tegula/dtype.hpp"
#include "tegula/host/device.hpp"
#include "tegula/kernel/recording.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace tegula {

/// One 64-bit extent per axis.
template <int R> class Extents {
public:
  static_assert(R >= 0 && R <= max_rank, "tegula: a tensor has rank 0 to 6");
  template <class... I> constexpr Extents(I... extents) : extents_{static_cast<i64>(extents)...} {
    static_assert(sizeof...(I) == R, "tegula: give one extent per axis of the tensor");
    static_assert((std::is_integral_v<I> && ...), "tegula: extents are integers");
  }
  static constexpr Extents copy_of(const i64* extents) {
    Extents r(Unset{});
    for (int axis = 0; axis < R; ++axis)
      r.extents_[axis] = extents[axis];
    return r;
  }
  constexpr i64 operator[](int axis) const { return extents_[axis]; }
  constexpr const i64* begin() const { return extents_; }
  constexpr const i64* end() const { return extents_ + R; }
  static constexpr int size() { return R; }
  friend constexpr bool operator==(const Extents& a, const Extents& b) {
    for (int axis = 0; axis < R; ++axis)
      if (a.extents_[axis] != b.extents_[axis])
        return false;
    return true;
  }

private:
  struct Unset {};
  constexpr explicit Extents(Unset) : extents_{} {}
  i64 extents_[R > 0 ? R : 1];
};

/// How elements travel to and from the host: a bool as one byte, because std::vector<bool> has no array.
template <class T> using HostElement = std::conditional_t<std::is_same_v<T, bool>, u8, T>;

namespace host {

/// Counts owners and readers of one piece of memory. Control blocks are reused but never unmapped, so that an outdated view can
/// tell that it is outdated: the generation has changed.
struct Control;

/// A view without its types. Strides are in elements.
struct ViewData {
  Control* control = nullptr;
  u64 generation = 0;
  void* data = nullptr;
  i64 extents[max_rank] = {};
  i64 strides[max_rank] = {};
};

inline constexpr i64 no_extents[max_rank] = {};

/// What ends all views of a tensor.
enum class End : u8 { moved, assigned, destroyed, shared, certified, given_up };

// Memory. Each function that makes some throws an Error that names the numbers when they do not fit.
Control* allocate(const Device&, DType, int rank, const i64* extents, const void* element); // null: zeros
Control* allocate_unwritten(const Device&, DType, int rank, const i64* extents);
Control* upload(const Device&, DType, int rank, const i64* extents, const void* host, std::size_t count);
Control* duplicate(Control*);
Control* adopt(const Device&, DType, int rank, const i64* extents, std::shared_ptr<void> memory); // which goes with its last use
void download(const ViewData&, DType, int rank, void* host);
[[noreturn]] void throw_no_host_memory(i64 elements, std::size_t size);
/// Elements on the host; an Error where there is no memory for them.
template <class T> std::vector<T> room_for(i64 elements) {
  try {
    return std::vector<T>(static_cast<std::size_t>(elements));
  } catch (const std::exception&) {
    throw_no_host_memory(elements, sizeof(T));
  }
}

[[noreturn]] void throw_not_one(std::size_t elements);
template <class T> T only(const std::vector<T>& elements) {
  if (elements.size() != 1)
    throw_not_one(elements.size());
  return elements[0];
}

// Owners. `null` stands for one that is empty: moved from, or never made.
void retain(Control*) noexcept;
void drop(Control*, End) noexcept;                               // one owner less; the last one frees the memory
Control* hand_over(Control*& from, End) noexcept;                // ends all views
Control* require_owned(Control*, const char* what);              // throws if null
Control* require_written(Control*, const char* what);            // and if no kernel has written it since uninit()
Control* take_from_sole_owner(Control*& from, const char* what); // throws if there is another owner
Device device_of(const Control*);
void mark_certified(Control*) noexcept; // if there is one: kernels rely on its values

// Parts along the first axis. If these throw, all is as it was.
void take_apart(Control*& whole, const i64* extents, std::span<const i64> at, Control** parts); // one more than places
struct Part {
  Control** control;
  const i64* extents;
};
/// Sets the first of the extents.
Control* put_together(std::span<const Part> parts, DType, int rank, i64* extents);

// Work that writes the memory. The first throws the error of work that failed.
void wait(Control*);
bool is_ready(Control*);

// Views.
ViewData whole(Control*, int rank, const i64* extents);
ViewData whole_if_owned(Control*, int rank, const i64* extents) noexcept; // of nothing, nothing
ViewData permuted(const ViewData&, int rank, const int* axes);
ViewData transposed(const ViewData&, int rank); // the last two axes
ViewData repeated(const ViewData&, int rank, int to_rank, const i64* extents);
ViewData sliced(const ViewData&, DType, int rank, int axis, i64 from, i64 to);
ViewData reshaped(const ViewData&, int rank, int to_rank, const i64* extents);
ViewData flattened(const ViewData&, int rank, int first, int last);
ViewData split(const ViewData&, int rank, int axis, i64 inner);
void check_reshape(const char* what, int rank, const i64* from, int to_rank, const i64* to); // throws unless the sizes agree
i64 count(int rank, const i64* extents) noexcept;
i64 extent(int rank, const i64* extents, int axis); // checks the axis

} // namespace host
} // namespace tegula

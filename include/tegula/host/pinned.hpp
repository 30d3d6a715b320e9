// Memory of the host that a device reads and writes by itself.
#pragma once
#include "tegula/host/copy.hpp"

#include <span>
#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {
Control* allocate_pinned(const Device&, DType, i64 size);
void read_pinned(Control*);  // waits for who writes it; then nobody writes it
void write_pinned(Control*); // waits for all who use it; then nobody uses it
void leave_pinned(Control*, bool written) noexcept;
std::size_t checked_position(i64 i, std::size_t size);

/// Elements of a Pinned while the host looks at them. No copy writes them meanwhile.
template <class T, bool Writes> class [[nodiscard]] TEGULA_BORROW PinnedAccess {
  using E = std::conditional_t<Writes, HostElement<T>, const HostElement<T>>;

public:
  PinnedAccess(const PinnedAccess&) = delete;
  PinnedAccess& operator=(const PinnedAccess&) = delete;
  ~PinnedAccess() { leave_pinned(control_, Writes); }
  // What they return is of use as long as this lives.
  /// Throws an Error if there is no such element.
  E& operator[](i64 i) const TEGULA_BOUND { return elements_[checked_position(i, elements_.size())]; }
  E* begin() const& noexcept TEGULA_BOUND { return elements_.data(); }
  E* end() const& noexcept TEGULA_BOUND { return elements_.data() + elements_.size(); }
  E* begin() const&& = delete; // of a temporary
  i64 size() const noexcept { return static_cast<i64>(elements_.size()); }
  std::span<E> elements() const& noexcept TEGULA_BOUND { return elements_; }
  std::span<E> elements() const&& = delete;

private:
  template <class> friend class tegula::Pinned;
  PinnedAccess(Control* control, std::span<E> elements) : control_(control), elements_(elements) {}
  Control* control_;
  std::span<E> elements_;
};
} // namespace host

/// Elements on the host, for copies that are started and not waited for: `tokens.copy_to(pinned).start(queue)`. The host reads and
/// writes them through read() and write(), which wait for the copies that were started.
template <class T> class Pinned {
public:
  using Element = T;

  Pinned() noexcept = default;
  Pinned(const Device& device, i64 size) : control_(host::allocate_pinned(device, dtype_of<T>::value, size)), size_(size) {
    static_assert(!std::is_same_v<T, bool>, "tegula: a host could write any byte for a bool: use a Pinned<u8>");
  }
  Pinned(Pinned&& other) noexcept
      : control_(host::hand_over(other.control_, host::End::moved)), size_(std::exchange(other.size_, 0)) {}
  Pinned& operator=(Pinned&& other) noexcept {
    if (this != &other) {
      host::Control* taken = host::hand_over(other.control_, host::End::moved);
      host::drop(control_, host::End::assigned);
      control_ = taken;
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }
  ~Pinned() { host::drop(control_, host::End::destroyed); }

  i64 size() const noexcept { return size_; }
  Device device() const { return host::device_of(control_); }
  /// Is the work done that writes it?
  bool ready() const { return host::is_ready(host::require_owned(control_, "ready()")); }
  /// For reading, while the result lives.
  host::PinnedAccess<T, false> read() const& TEGULA_BOUND {
    host::read_pinned(host::require_owned(control_, "read()"));
    return {control_, elements()};
  }
  host::PinnedAccess<T, false> read() const&& = delete;
  /// For writing, while the result lives.
  host::PinnedAccess<T, true> write() & TEGULA_BOUND {
    host::write_pinned(host::require_owned(control_, "write()"));
    return {control_, elements()};
  }

private:
  template <class, int> friend class Tensor;
  template <class U> friend CopyOp host::copy_of(const char*, Pinned<U>&, const host::CopyEnd&);
  friend struct host::Handles;
  std::span<HostElement<T>> elements() const {
    void* const data = host::whole_if_owned(control_, 1, &size_).data;
    return {static_cast<HostElement<T>*>(data), static_cast<std::size_t>(size_)};
  }
  host::CopyEnd end() const { return {host::whole_if_owned(control_, 1, &size_), 1, true}; }
  host::Control* control_ = nullptr;
  i64 size_ = 0;
};

template <class T> CopyOp host::copy_of(const char* name, Pinned<T>& to, const CopyEnd& from) {
  return CopyOp(name, dtype_of<T>::value, to.end(), from);
}

} // namespace tegula
TEGULA_HOST_END

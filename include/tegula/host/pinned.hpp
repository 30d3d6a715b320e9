// Memory of the host that a device reads and writes by itself.
#pragma once
#include "tegula/host/copy.hpp"

#include <span>
#include <utility>
#include <vector>

TEGULA_HOST_BEGIN
namespace tegula {
namespace detail {
struct Unsafe;
}
namespace host {
Control* allocate_pinned(const Device&, DType, i64 size);
Control* require_pinned(Control*, const char* name);                             // throws an Error for what was moved from
void read_pinned(const char* name, const CopyEnd& to, const CopyEnd& pinned);    // waits for who writes it
void write_pinned(const char* name, const CopyEnd& pinned, const CopyEnd& from); // waits for all who use it
void await_users(const char* name, Control*);
} // namespace host

/// Elements on the host, for copies that are started and not waited for: `tokens.copy_to(pinned).start(queue)`. What the host reads
/// and writes waits for the copies that were started.
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
  bool ready() const { return host::is_ready(host::require_pinned(control_, "ready()")); }
  std::vector<HostElement<T>> to_host() const {
    std::vector<HostElement<T>> elements(static_cast<std::size_t>(size_));
    read("to_host()", elements);
    return elements;
  }
  // As those of a tensor: done when they return.
  void copy_to(std::span<HostElement<T>> to) const { read("copy_to()", to); }
  void copy_from(std::span<const HostElement<T>> from) {
    host::require_pinned(control_, "copy_from()");
    host::write_pinned("copy_from()", end(), host::host_end(from.data(), from.size()));
  }
  /// The elements themselves, which nothing uses when this returns. Nobody checks how long they are used, nor what is started
  /// meanwhile, so it is said why all is right with that: `elements(unsafe("read from a file, then copied"))`. Throws the error of
  /// work that was to write it.
  std::span<HostElement<T>> elements(const detail::Unsafe&) & TEGULA_BOUND {
    host::await_users("elements()", host::require_pinned(control_, "elements()"));
    return {static_cast<HostElement<T>*>(end().view.data), static_cast<std::size_t>(size_)};
  }
  template <bool Never = false> std::span<HostElement<T>> elements() const {
    static_assert(Never, "tegula: nobody checks how long the elements are used: to_host(), copy_to(span) and copy_from(span) copy "
                         "them; or say why it is right, elements(unsafe(\"why\"))");
    return {};
  }

private:
  template <class, int> friend class Tensor;
  template <class U> friend CopyOp host::copy_of(const char*, Pinned<U>&, const host::CopyEnd&);
  friend struct host::Handles;
  void read(const char* name, std::span<HostElement<T>> to) const {
    host::require_pinned(control_, name);
    host::read_pinned(name, host::host_end(to.data(), to.size()), end());
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

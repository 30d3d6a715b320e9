// Copies and fills: work like a launch, without a kernel.
#pragma once
#include "tegula/host/attributes.hpp"
#include "tegula/host/inputs.hpp"
#include "tegula/host/outputs.hpp"
#include "tegula/host/queue.hpp"

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

/// One end of a copy: a tensor, a part of one, or memory of the host's own.
struct CopyEnd {
  ViewData view; // without a control block, the host's own memory
  int rank = 1;
  bool on_host = false; // pinned, or the host's own
};

inline CopyEnd host_end(const void* elements, std::size_t size) {
  CopyEnd end{{}, 1, true};
  end.view.data = const_cast<void*>(elements);
  end.view.extents[0] = static_cast<i64>(size);
  end.view.strides[0] = 1;
  return end;
}

struct Transfer;

/// An operation without its types. It borrows what it reads, and is lent what it writes, until it is run or given up.
class CopyOperation {
public:
  CopyOperation(const char* name, DType, const CopyEnd& to, const CopyEnd& from);
  CopyOperation(DType, const CopyEnd& to, const void* element); // fills
  CopyOperation(const CopyOperation&) = delete;
  CopyOperation& operator=(const CopyOperation&) = delete;
  ~CopyOperation();
  void run(const Queue*, bool wait);
  void cancel();

private:
  void take();
  void give_back() noexcept;
  void copy_now(DeviceState&, const Transfer&);
  const char* name_; // "copy_from()"
  CopyEnd to_, from_;
  std::size_t bytes_;
  std::size_t element_bytes_;
  bool fills_ = false;
  bool pending_ = true;
  bool is_flag_; // elements are bools
  unsigned char element_[8] = {};
};

} // namespace host

template <class T> class Pinned;
class CopyOp;
namespace host {
template <class T> CopyOp copy_of(const char* name, Pinned<T>& to, const CopyEnd& from);
}

/// Lazy and linear, as the operation of a kernel.
class [[nodiscard("tegula: a copy does nothing until sync() or start() runs it")]] [[gnu::warn_unused]] TEGULA_BORROW TEGULA_LINEAR
    CopyOp {
public:
  CopyOp(const CopyOp&) = delete;
  CopyOp& operator=(const CopyOp&) = delete;
  TEGULA_CLANG(clang::callable_when("consumed")) ~CopyOp() {}

  /// Runs it and waits. If it could not be started, it can be run again, or given up.
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)) void sync() && {
    operation_.run(nullptr, true);
  }
  /// Starts it, on a queue, and returns at once: whoever uses what it writes waits, if he must.
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed))
  void start(const Queue& queue) && { operation_.run(&queue, false); }
  TEGULA_CLANG(clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed))
  void start() && { operation_.run(nullptr, false); }
  TEGULA_CLANG(clang::set_typestate(consumed)) void cancel() && { operation_.cancel(); }

private:
  template <class, int> friend class Tensor;
  template <class T> friend CopyOp host::copy_of(const char*, Pinned<T>&, const host::CopyEnd&);
  template <class... A> explicit CopyOp(A&&... arguments) : operation_(arguments...) {}
  host::CopyOperation operation_;
};

} // namespace tegula
TEGULA_HOST_END

// co_await of operations and tensors: a coroutine goes on when the work is done, and no thread waits for it.
#pragma once
#include "tegula/host/op.hpp"

#include <coroutine>
#include <memory>
#include <optional>

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

struct Waiting;

/// Work that a coroutine waits for. A coroutine that is destroyed meanwhile is not resumed; the work goes on.
class Awaited {
public:
  Awaited();
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
  ~Awaited();

  void add(Control*);                        // the work that writes the memory
  void add_outputs(const Argument*, int n);  // of an operation that was started
  bool is_done() const noexcept;             // or will never be: finish() says why
  bool suspend(std::coroutine_handle<> who); // false, if there is no need any more
  void finish() const;                       // throws the error of work that failed

private:
  std::unique_ptr<Waiting> waiting_;
};

template <class Operation> class OpAwaiter {
public:
  explicit OpAwaiter(Operation& op) : op_(op) {}
  bool await_ready() {
    start(op_.operation_, op_.arguments_.items, Operation::count, nullptr);
    work_.add_outputs(op_.arguments_.items, Operation::count);
    if constexpr (std::is_void_v<Outputs>)
      op_.outputs();
    else
      outputs_.emplace(op_.outputs());
    return work_.is_done();
  }
  bool await_suspend(std::coroutine_handle<> who) { return work_.suspend(who); }
  auto await_resume() {
    work_.finish();
    if constexpr (!std::is_void_v<Outputs>)
      return std::move(*outputs_);
  }

private:
  using Outputs = decltype(std::declval<Operation>().cancel());
  Operation& op_;
  Awaited work_;
  std::optional<std::conditional_t<std::is_void_v<Outputs>, Unfit, Outputs>> outputs_;
};

/// Returns the tensor, if it has no other name.
template <class Tensor> class TensorAwaiter {
public:
  explicit TensorAwaiter(Tensor&& tensor) : tensor_(static_cast<Tensor&&>(tensor)) {}
  bool await_ready() {
    work_.add(require_owned(Handles::control(tensor_), "co_await"));
    return work_.is_done();
  }
  bool await_suspend(std::coroutine_handle<> who) { return work_.suspend(who); }
  auto await_resume() {
    work_.finish();
    if constexpr (!std::is_lvalue_reference_v<Tensor>)
      return std::move(tensor_);
  }

private:
  Tensor&& tensor_;
  Awaited work_;
};

} // namespace host

/// `auto c = co_await mm(fresh(m, n), a, b);` starts the operation on its device's own queue and returns what sync() would, when
/// the work is done. If the work fails, its error is thrown here, and outputs that were given up are gone, as with start(). The
/// coroutine goes on in a thread that resumes all that wait like this: it should not keep it.
template <bool Movable, unsigned Returned, class... P> auto operator co_await(Op<Movable, Returned, P...>&& op) {
  return host::OpAwaiter<Op<Movable, Returned, P...>>(op);
}
template <bool Movable, unsigned Returned, class... P> void operator co_await(Op<Movable, Returned, P...>&) {
  static_assert(detail::never<Op<Movable, Returned, P...>>, "tegula: an operation is run once: write co_await std::move(op)");
}
/// `co_await t` waits for the work that writes it, and throws its error if it failed. `co_await mm(...).start(queue)` returns the
/// tensor then.
template <class T, int R> auto operator co_await(const Tensor<T, R>& tensor) {
  return host::TensorAwaiter<const Tensor<T, R>&>(tensor);
}
template <class T, int R> auto operator co_await(Tensor<T, R>&& tensor) {
  return host::TensorAwaiter<Tensor<T, R>>(static_cast<Tensor<T, R>&&>(tensor));
}
template <class T, int R> auto operator co_await(const Shared<T, R>& shared) {
  return host::TensorAwaiter<const Shared<T, R>&>(shared);
}

} // namespace tegula
TEGULA_HOST_END

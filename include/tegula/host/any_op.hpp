// An operation whatever its kernel, to be stored, and run by others.
#pragma once
#include "tegula/host/op.hpp"

#include <memory>

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

[[noreturn]] void throw_no_operation(const char* what);

template <class> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;

/// Several outputs are several arguments.
template <class F, class Outputs> constexpr bool takes_outputs() {
  if constexpr (is_tuple<Outputs>)
    return []<class... T>(std::type_identity<std::tuple<T...>>) {
      return std::is_invocable_v<F&, T...>;
    }(std::type_identity<Outputs>{});
  else
    return std::is_invocable_v<F&, Outputs>;
}

} // namespace host

/// Made by `op.then(function)` of an operation that owns all it uses. When it is run, the outputs are passed to the function: one
/// argument each, in the order of the parameters, with sync() written and with start() perhaps still being written. As an Op, it
/// must be run or given up, once. It is empty when it was moved from or run: using it is a LaunchError.
class [[nodiscard("tegula: an operation does nothing until sync() or start() runs it")]] AnyOp {
public:
  AnyOp() noexcept = default;
  template <bool Movable, unsigned Returned, class... P> AnyOp(Op<Movable, Returned, P...>&&) {
    static_assert(detail::never<Op<Movable, Returned, P...>>,
                  "tegula: an AnyOp is told what becomes of the outputs: op.then([](Tensor<f32, 2> c) { ... "
                  "}); a function that ignores them drops them");
  }
  AnyOp(AnyOp&&) noexcept = default;
  AnyOp& operator=(AnyOp&&) noexcept = default;

  /// Whether there is something to run.
  explicit operator bool() const noexcept { return held_ != nullptr; }

  /// As those of an Op. If the operation throws, it stays here; what the function throws comes when it is gone.
  void sync() && { held("sync()").sync(held_); }
  void start(const Queue& queue) && { held("start()").start(held_, &queue); }
  void start() && { held("start()").start(held_, nullptr); }
  /// Drops all that it holds; the function is not called.
  void cancel() && {
    held("cancel()").cancel();
    held_ = nullptr;
  }

private:
  template <bool, unsigned, class...> friend class Op;
  struct Held {
    virtual ~Held() = default;
    // Each empties `self`, its owner, before it calls the function.
    virtual void sync(std::unique_ptr<Held>& self) = 0;
    virtual void start(std::unique_ptr<Held>& self, const Queue*) = 0;
    virtual void cancel() = 0;
  };
  template <class Operation, class F> struct Holding final : Held {
    Holding(Operation&& operation, F function) : op(static_cast<Operation&&>(operation)), use(std::move(function)) {}
    void sync(std::unique_ptr<Held>& self) override { pass_on(static_cast<Operation&&>(op).sync(), self); }
    void start(std::unique_ptr<Held>& self, const Queue* queue) override {
      pass_on(queue ? static_cast<Operation&&>(op).start(*queue) : static_cast<Operation&&>(op).start(), self);
    }
    void cancel() override { static_cast<void>(static_cast<Operation&&>(op).cancel()); }
    template <class Outputs> static void pass_on(Outputs outputs, std::unique_ptr<Held>& self) {
      const std::unique_ptr<Held> gone = std::move(self);
      F& function = static_cast<Holding&>(*gone).use;
      if constexpr (host::is_tuple<Outputs>)
        std::apply(function, std::move(outputs));
      else
        function(std::move(outputs));
    }
    Operation op;
    F use;
  };
  template <class Operation, class F> static AnyOp made_of(Operation&& op, F use) {
    constexpr bool fits = host::takes_outputs<F, decltype(std::declval<Operation>().cancel())>();
    static_assert(fits, "tegula: the function takes the outputs as values, in the order of the parameters: "
                        "op.then([](Tensor<f32, 2> c) { ... })");
    AnyOp made;
    if constexpr (fits)
      made.held_ = std::make_unique<Holding<Operation, F>>(static_cast<Operation&&>(op), std::move(use));
    return made;
  }
  Held& held(const char* what) const {
    if (!held_)
      host::throw_no_operation(what);
    return *held_;
  }
  std::unique_ptr<Held> held_;
};

} // namespace tegula
TEGULA_HOST_END

// A coroutine type, which C++20 has not.
#pragma once
#include "tegula/host/await.hpp"

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

namespace tegula {
template <class T = void> class Task;

namespace host {

/// Of a task: null while it runs and nobody waits for it, the address of the coroutine that does, or that of `finished_task`.
using Waiter = std::atomic<void*>;
extern char finished_task;
inline bool is_finished(const Waiter& waiter) noexcept { return waiter.load(std::memory_order_acquire) == &finished_task; }
/// Returns who waits. The task may be gone by then.
void* finish(Waiter&) noexcept;
void wait(const Waiter&);
/// In a forked process: threads did not come along.
bool is_left_behind() noexcept;
[[noreturn]] void throw_no_task(const char* what);
[[noreturn]] void throw_task_started();

/// While there is one, no coroutine is resumed that waits for work: it can be destroyed.
class Pause {
public:
  Pause() noexcept;
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
  ~Pause();

private:
  bool paused_;
};

template <class T> struct TaskResult {
  std::optional<T> value;
  template <class U = T> void return_value(U&& result) { value.emplace(static_cast<U&&>(result)); }
  T take() { return std::move(*value); }
};
template <> struct TaskResult<void> {
  void return_void() const noexcept {}
  void take() const noexcept {}
};

/// Can a task hold such a parameter for as long as it lives? It may outlive what it refers to: also in a vector, an optional, a
/// tuple or an array. What a class of the user's or a std::function holds is not found out. A lambda, and the object of a member
/// function, are parameters by reference; where they are empty there is nothing to refer to.
template <class P> struct IsKept : std::bool_constant<!std::is_pointer_v<P> && !std::ranges::view<P>> {};
template <class P> struct IsKept<P&> : std::is_empty<P> {};
template <class P> struct IsKept<P&&> : std::is_empty<P> {};
template <class T> struct IsKept<std::reference_wrapper<T>> : std::false_type {};
template <class T> struct IsKept<std::initializer_list<T>> : std::false_type {};
template <class T> struct IsKept<std::shared_ptr<T>> : std::true_type {};
template <class T, class D> struct IsKept<std::unique_ptr<T, D>> : std::true_type {};
template <class T, std::size_t N> struct IsKept<std::array<T, N>> : IsKept<std::remove_cv_t<T>> {};
template <template <class...> class C, class... T> struct IsKept<C<T...>>
    : std::bool_constant<!std::ranges::view<C<T...>> && std::conjunction_v<IsKept<std::remove_cv_t<T>>...>> {};

template <class T> struct TaskState : TaskResult<T> {
  void unhandled_exception() noexcept { error = std::current_exception(); }
  T take_or_throw() {
    if (error)
      std::rethrow_exception(error);
    return this->take();
  }
  void start() {
    if (started)
      throw_task_started();
    started = true;
  }

  Waiter waiter{nullptr};
  bool started = false;
  std::exception_ptr error;
};

template <class T, class... P> struct TaskPromise : TaskState<T> {
  struct Final {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<TaskPromise> task) const noexcept {
      void* who = finish(task.promise().waiter);
      return who ? std::coroutine_handle<>::from_address(who) : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  Task<T> get_return_object() noexcept {
    static_assert(std::conjunction_v<IsKept<std::remove_cv_t<P>>...>,
                  "tegula: a task may outlive what it refers to: it takes values, no reference, pointer, span or other view; if it "
                  "is a lambda it captures nothing, and if it is a member function, let it be static and take what it needs");
    return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this), this);
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
};

} // namespace host

/// A coroutine that returns a T: `Task<f32> mean(Shared<f32, 2> x) { auto y = co_await sums(fresh(1), x); co_return y.item(); }`.
/// It does nothing until it is started, or waited for: by `co_await std::move(task)` in another coroutine, or by sync() anywhere
/// else. What it throws is thrown there. One that is dropped goes no further than where it waits; work that it started is done all
/// the same. It holds its parameters, which are values: tensors that are moved in, Shared, kernels, devices, a std::shared_ptr.
template <class T> class [[nodiscard("tegula: a task does nothing until it is started, or waited for")]] Task {
  static_assert(!std::is_reference_v<T>, "tegula: a task returns a value, or nothing");

public:
  Task(Task&& other) noexcept : task_(std::exchange(other.task_, nullptr)), state_(other.state_) {}
  Task& operator=(Task&& other) noexcept {
    Task(std::move(other)).swap(*this);
    return *this;
  }
  ~Task() {
    if (!task_)
      return;
    std::optional<host::Pause> pause;
    if (state_->started && !host::is_finished(state_->waiter)) {
      if (host::is_left_behind())
        return; // a thread of the parent's may be in the middle of it
      pause.emplace();
    }
    task_.destroy();
  }

  /// Runs it to where it waits for the first time; from there it goes on by itself.
  Task start() && {
    state("start()").start();
    task_.resume();
    return std::move(*this);
  }
  /// Waits for it, and starts it if nobody has.
  T sync() && {
    if (!state("sync()").started)
      *this = std::move(*this).start();
    host::wait(state_->waiter);
    return Task(std::move(*this)).state_->take_or_throw();
  }

  class Awaiter {
  public:
    bool await_ready() const noexcept { return host::is_finished(task_.state_->waiter); }
    /// What has not begun begins here, and not in place of `who`: compilers need not make that a jump, and a loop would then take
    /// stack in every turn.
    bool await_suspend(std::coroutine_handle<> who) {
      host::TaskState<T>& state = *task_.state_;
      if (!state.started) {
        state.started = true;
        task_.task_.resume();
      }
      void* nobody = nullptr; // once `who` is named, he may be resumed by another thread at once
      return state.waiter.compare_exchange_strong(nobody, who.address(), std::memory_order_acq_rel);
    }
    T await_resume() { return task_.state_->take_or_throw(); }

  private:
    friend class Task;
    explicit Awaiter(Task&& task) noexcept : task_(std::move(task)) {}
    Task task_;
  };
  Awaiter operator co_await() && {
    state("co_await");
    return Awaiter(std::move(*this));
  }
  Awaiter operator co_await() & = delete; // it returns its value once: write co_await std::move(task)

private:
  template <class, class...> friend struct host::TaskPromise;
  Task(std::coroutine_handle<> task, host::TaskState<T>* state) noexcept : task_(task), state_(state) {}
  void swap(Task& other) noexcept {
    std::swap(task_, other.task_);
    std::swap(state_, other.state_);
  }
  host::TaskState<T>& state(const char* what) const {
    if (!task_)
      host::throw_no_task(what);
    return *state_;
  }
  std::coroutine_handle<> task_;
  host::TaskState<T>* state_; // in it
};

} // namespace tegula

template <class T, class... P> struct std::coroutine_traits<tegula::Task<T>, P...> {
  using promise_type = tegula::host::TaskPromise<T, P...>;
};

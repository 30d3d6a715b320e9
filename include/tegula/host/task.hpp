// A coroutine type, which C++20 has not.
#pragma once
#include "tegula/host/await.hpp"

#include <atomic>
#include <exception>
#include <utility>

namespace tegula {
namespace host {

/// Of a task: null while it runs and nobody waits for it, the address of the coroutine that does, or that of `finished_task`.
using TaskState = std::atomic<void*>;
extern char finished_task;
inline bool is_finished(const TaskState& state) noexcept { return state.load(std::memory_order_acquire) == &finished_task; }
/// Returns who waits. The task may be gone by then.
void* finish(TaskState&) noexcept;
void wait(const TaskState&);
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

} // namespace host

/// A coroutine that returns a T: `Task<f32> mean(Shared<f32, 2> x) { auto y = co_await sums(fresh(1), x); co_return y.item(); }`.
/// It does nothing until it is started, or waited for: by `co_await std::move(task)` in another coroutine, or by sync() anywhere
/// else. What it throws is thrown there. One that is dropped goes no further than where it waits; work that it started is done all
/// the same.
template <class T = void> class [[nodiscard("tegula: a task does nothing until it is started, or waited for")]] Task {
  static_assert(!std::is_reference_v<T>, "tegula: a task returns a value, or nothing");

public:
  struct promise_type;

  Task(Task&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    Task(std::move(other)).swap(*this);
    return *this;
  }
  ~Task() {
    if (!task_)
      return;
    std::optional<host::Pause> pause;
    if (task_.promise().started && !host::is_finished(task_.promise().state)) {
      if (host::is_left_behind())
        return; // a thread of the parent's may be in the middle of it
      pause.emplace();
    }
    task_.destroy();
  }

  /// Runs it to where it waits for the first time; from there it goes on by itself.
  Task start() && {
    promise("start()").start();
    task_.resume();
    return std::move(*this);
  }
  /// Waits for it, and starts it if nobody has.
  T sync() && {
    if (!promise("sync()").started)
      *this = std::move(*this).start();
    host::wait(task_.promise().state);
    return Task(std::move(*this)).take();
  }

  class Awaiter {
  public:
    bool await_ready() const noexcept { return host::is_finished(task_.task_.promise().state); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> who) noexcept {
      const std::coroutine_handle<promise_type> task = task_.task_;
      promise_type& promise = task.promise();
      if (!promise.started) {
        promise.started = true;
        promise.state.store(who.address(), std::memory_order_relaxed);
        return task;
      }
      void* nobody = nullptr; // once `who` is named, he may be resumed by another thread at once
      if (promise.state.compare_exchange_strong(nobody, who.address(), std::memory_order_acq_rel))
        return std::noop_coroutine();
      return who;
    }
    T await_resume() { return task_.take(); }

  private:
    friend class Task;
    explicit Awaiter(Task&& task) noexcept : task_(std::move(task)) {}
    Task task_;
  };
  Awaiter operator co_await() && {
    promise("co_await");
    return Awaiter(std::move(*this));
  }
  Awaiter operator co_await() & = delete; // it returns its value once: write co_await std::move(task)

private:
  explicit Task(std::coroutine_handle<promise_type> task) noexcept : task_(task) {}
  void swap(Task& other) noexcept { std::swap(task_, other.task_); }
  promise_type& promise(const char* what) const {
    if (!task_)
      host::throw_no_task(what);
    return task_.promise();
  }
  T take() {
    if (task_.promise().error)
      std::rethrow_exception(task_.promise().error);
    return task_.promise().take();
  }
  std::coroutine_handle<promise_type> task_;
};

template <class T> struct Task<T>::promise_type : host::TaskResult<T> {
  struct Final {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> task) const noexcept {
      void* who = host::finish(task.promise().state);
      return who ? std::coroutine_handle<>::from_address(who) : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  Task get_return_object() noexcept { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
  void start() {
    if (started)
      host::throw_task_started();
    started = true;
  }

  host::TaskState state{nullptr};
  bool started = false;
  std::exception_ptr error;
};

} // namespace tegula

// What coroutines wait for: work, and tasks.
#include "lib/runtime/Control.h"
#include "lib/runtime/DeviceState.h"
#include "lib/runtime/Fork.h"
#include "lib/runtime/Poller.h"
#include "tegula/error.hpp"
#include "tegula/host/any_op.hpp"
#include "tegula/host/task.hpp"

#include <algorithm>

namespace tegula::host {

using runtime::Poller;

bool is_left_behind() noexcept { return runtime::is_forked(); }

struct Waiting : runtime::Sleeper {
  Faults faults;
  DeviceState* device = nullptr; // counted: tickets are of its queues
  ~Waiting() {
    if (device)
      release(device);
  }
};

Awaited::Awaited() : waiting_(std::make_unique<Waiting>()) {}
Awaited::~Awaited() { Poller::instance().remove(*waiting_); }

void Awaited::add(Control* control) {
  if (!waiting_->device) {
    retain(control->device);
    waiting_->device = control->device;
  }
  const std::lock_guard lock(control->device->submitting);
  for (const Ticket& ticket : control->uses.writers())
    if (std::ranges::find(waiting_->tickets, ticket) == waiting_->tickets.end())
      waiting_->tickets.push_back(ticket);
  add_faults(waiting_->faults, control->uses.faults);
}

void Awaited::add_outputs(const Argument* arguments, int n) {
  for (int i = 0; i < n; ++i)
    if (arguments[i].hold == Hold::given || arguments[i].hold == Hold::lent)
      add(arguments[i].view.control);
}

bool Awaited::is_done() const noexcept {
  return std::ranges::all_of(waiting_->tickets,
                             [](const Ticket& ticket) { return ticket.queue->is_finished(ticket.number, true); });
}

bool Awaited::suspend(std::coroutine_handle<> who) {
  refuse_in_print_sink();
  runtime::refuse_if_forked();
  bool somebody_works = true;
  for (const Ticket& ticket : waiting_->tickets)
    somebody_works &= ticket.queue->wake();
  waiting_->coroutine = who;
  if (somebody_works && Poller::instance().add(*waiting_))
    return true; // and perhaps resumed already
  for (const Ticket& ticket : waiting_->tickets)
    ticket.queue->wait(ticket.number);
  return false;
}

void Awaited::finish() const {
  for (const Ticket& ticket : waiting_->tickets)
    ticket.queue->wait(ticket.number);
  settle(waiting_->faults);
}

void throw_no_operation(const char* what) {
  throw LaunchError(std::string("tegula: ") + what + " of an AnyOp that is empty: it was never made, moved from, run or given up");
}

// Tasks.

char finished_task;
namespace {
struct Finishes {
  std::mutex mutex;
  std::condition_variable changed;
  static Finishes& instance() {
    static Finishes& finishes = *new Finishes;
    return finishes;
  }
};
} // namespace

void* finish(Waiter& waiter) noexcept {
  Finishes& finishes = Finishes::instance();
  const std::lock_guard lock(finishes.mutex);
  void* who = waiter.exchange(&finished_task, std::memory_order_acq_rel);
  finishes.changed.notify_all();
  return who;
}

void wait(const Waiter& waiter) {
  const auto is_over = [&] { return is_finished(waiter); };
  if (is_over())
    return;
  refuse_in_print_sink();
  runtime::refuse_if_forked();
  if (Poller::instance().work_until(is_over))
    return;
  Finishes& finishes = Finishes::instance();
  std::unique_lock lock(finishes.mutex);
  finishes.changed.wait(lock, is_over);
}

void throw_no_task(const char* what) {
  throw Error(std::string("tegula: ") + what + " of a task that was moved from, or has been waited for");
}
void throw_task_started() { throw Error("tegula: start() of a task that has been started"); }

Pause::Pause() noexcept : paused_(!runtime::is_forked()) {
  if (paused_)
    Poller::instance().resuming.lock();
}
Pause::~Pause() {
  if (paused_)
    Poller::instance().resuming.unlock();
}

} // namespace tegula::host

// One thread for all coroutines that wait for work: it asks how far the queues are, and resumes those whose work is done.
#pragma once
#include "lib/runtime/Queue.h"

#include <condition_variable>
#include <coroutine>
#include <list>
#include <mutex>
#include <thread>

namespace tegula::runtime {

/// Coroutines are resumed here when the work of all tickets is done, or will never be.
struct Sleeper {
  std::vector<host::Ticket> tickets;
  std::coroutine_handle<> coroutine;
  std::list<Sleeper*>* in = nullptr; // while it sleeps
  std::list<Sleeper*>::iterator at;
};

class Poller {
public:
  /// Never destroyed: coroutines may be, after all else.
  static Poller& instance();
  /// False if there is no thread to be had: nobody would resume it. When the process is about to end, work_until() alone does.
  bool add(Sleeper&);
  /// Who sleeps is not resumed any more. Not while a coroutine that sleeps here is resumed: see `resuming`.
  void remove(Sleeper&) noexcept;
  /// Held while a coroutine runs on the thread.
  std::recursive_mutex resuming;
  /// Resumes coroutines here until something holds, if the thread would not: because this is it, or there is none any more.
  bool work_until(const std::function<bool()>&);

private:
  Poller() = default;
  void work_on();
  /// After so many rounds in which nothing was done. Whether somebody has come.
  bool nap(int rounds);
  /// Resumes those whose work is done. Whether there were any.
  bool round();
  void end() noexcept;

  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::list<Sleeper*> sleeping_, ready_; // oldest first
  bool news_ = false;                    // somebody has come since the last nap
  bool ended_ = false;
  std::thread thread_;
};

} // namespace tegula::runtime

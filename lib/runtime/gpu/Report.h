// What work has to say, until somebody listens.
#pragma once
#include "lib/runtime/Fault.h"
#include "lib/runtime/gpu/Speech.h"

namespace tegula::gpu {

/// Of one launch, or of one replay of a graph.
class Report {
public:
  Report(const Context& context, std::vector<std::unique_ptr<Speech>> speeches, std::shared_ptr<host::Fault> fault)
      : context_(context), speeches_(std::move(speeches)), fault_(std::move(fault)) {}

  u64 number() const noexcept { return fault_->ticket.number; }
  std::size_t bytes() const noexcept { // that it keeps, of the host's memory and of the device's
    std::size_t all = 0;
    for (const std::unique_ptr<Speech>& speech : speeches_)
      all += speech->bytes();
    return all;
  }
  /// When the work is done: prints what programs print, and closes the fault.
  void listen() noexcept {
    try {
      if (fault_->inherit())
        return;
      Context::Use use(context_);
      for (const std::unique_ptr<Speech>& speech : speeches_)
        speech->read();
      fault_->succeed();
    } catch (...) {
      fault_->fail(std::current_exception());
    }
  }

private:
  const Context& context_;
  std::vector<std::unique_ptr<Speech>> speeches_; // in the order of the launches
  std::shared_ptr<host::Fault> fault_;
};

} // namespace tegula::gpu

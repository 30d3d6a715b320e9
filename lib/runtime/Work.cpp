#include "lib/runtime/Work.h"
#include "tegula/error.hpp"

namespace tegula::host {

void throw_out_of_turn() { throw InternalError("tegula: work was submitted out of turn"); }

void finish(const Started& started, const QueueState::Purpose& purpose) {
  if (!started.ticket.queue)
    return;
  started.ticket.queue->wait(started.ticket.number, purpose);
  settle(started.faults);
}

} // namespace tegula::host

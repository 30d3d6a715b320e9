#include "lib/runtime/Work.h"
#include "lib/runtime/Recording.h"
#include "tegula/error.hpp"

namespace tegula::host {

void refuse_borrowed(const Control& control, const Recording* recording) {
  if (control.is_borrowed && !(recording && recording->made(&control)))
    throw Error(
        "tegula: a tensor that was made while recording beside another graph is of use in that recording alone, whose memory it "
        "has; write to one that is lent by out(tensor)");
}

void throw_out_of_turn() { throw InternalError("tegula: work was submitted out of turn"); }

void finish(const Started& started, const QueueState::Purpose& purpose) {
  if (!started.ticket.queue)
    return;
  started.ticket.queue->wait(started.ticket.number, purpose);
  settle(started.faults);
}

} // namespace tegula::host

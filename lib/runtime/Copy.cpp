// Copies and fills as operations, and memory of the host that takes part in them.
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Recording.h"
#include "tegula/error.hpp"
#include "tegula/host/op.hpp"
#include "tegula/host/pinned.hpp"

#include <array>
#include <cstdio>
#include <cstring>

namespace tegula::host {
namespace {

[[noreturn]] void refuse(const char* name, const std::string& why) { throw Error(std::string("tegula: ") + name + ": " + why); }

void check_borrow(const char* name, Borrow borrow, const char* what) {
  if (borrow == Borrow::outdated)
    refuse(name, std::string(what) + " has been moved, assigned, lent or destroyed since");
  if (borrow == Borrow::in_use)
    refuse(name, std::string(what) + " is in use by an operation that has not run yet, perhaps this one, or by another thread");
}

/// Pinned memory and the host's own is a row of elements, for a tensor of any rank.
void check_ends(const char* name, const CopyEnd& to, const CopyEnd& from) {
  const i64 written = count(to.rank, to.view.extents), read = count(from.rank, from.view.extents);
  bool alike = written == read;
  if (!to.on_host && !from.on_host)
    for (int axis = 0; axis < to.rank; ++axis)
      alike &= to.view.extents[axis] == from.view.extents[axis];
  if (!alike)
    refuse(name, "from " + shape_text(from.rank, from.view.extents) + " to " + shape_text(to.rank, to.view.extents) +
                     ": extents must agree, and with the host's memory the number of elements");
  if (!is_contiguous(from.view, from.rank))
    refuse(name, "from a view with gaps between its elements; copy it by a kernel, or look at the whole tensor");
}

Touch touch_of(const CopyEnd& end, bool writes) { return {end.view.control, writes, !writes}; }

/// Does something at the end of its scope.
template <class F> class [[nodiscard]] AtEnd {
public:
  explicit AtEnd(F f) : f_(std::move(f)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { f_(); }

private:
  F f_;
};

void wait_for_users(Control& control) {
  for (Ticket user = under_way(control); user.queue; user = under_way(control))
    user.queue->wait(user.number);
}

} // namespace

CopyOperation::CopyOperation(const char* name, DType dtype, const CopyEnd& to, const CopyEnd& from)
    : name_(name), to_(to), from_(from), bytes_(0), element_bytes_(static_cast<std::size_t>(size_of(dtype))),
      is_flag_(dtype == DType::boolean) {
  if ((!to.view.control && !to.on_host) || (!from.view.control && !from.on_host))
    refuse(name, "a tensor was moved from or never made");
  check_ends(name, to, from);
  take();
}

CopyOperation::CopyOperation(DType dtype, const CopyEnd& to, const void* element)
    : name_("fill()"), to_(to), bytes_(0), element_bytes_(static_cast<std::size_t>(size_of(dtype))), fills_(true),
      is_flag_(dtype == DType::boolean) {
  if (!to.view.control)
    refuse(name_, "the tensor was moved from or never made");
  std::memcpy(element_, element, element_bytes_);
  take();
}

void CopyOperation::take() {
  bytes_ = static_cast<std::size_t>(count(to_.rank, to_.view.extents)) * element_bytes_;
  if (!fills_ && from_.view.control)
    check_borrow(name_, from_.view.control->add_reader(from_.view.generation), "what is read");
  if (!to_.view.control)
    return;
  try {
    check_borrow(name_, to_.view.control->lend(to_.view.generation), "what is written");
  } catch (...) {
    if (!fills_ && from_.view.control)
      from_.view.control->remove_reader();
    throw;
  }
}

void CopyOperation::give_back() noexcept {
  pending_ = false;
  if (!fills_ && from_.view.control)
    from_.view.control->remove_reader();
  if (to_.view.control)
    to_.view.control->take_back();
}

CopyOperation::~CopyOperation() {
  if (!pending_)
    return;
  give_back();
  if (std::uncaught_exceptions() == 0)
    std::fprintf(stderr, "tegula: an operation of %s was dropped and never run; call sync() or start(), or cancel() it\n", name_);
}

void CopyOperation::cancel() {
  if (!pending_)
    refuse(name_, "the operation has already been run or given up");
  give_back();
}

/// With memory of the host's own. The operation keeps others from using the tensor.
void CopyOperation::copy_now(DeviceState& device, const Transfer& transfer) {
  const bool to_host = !to_.view.control;
  if (to_host)
    host::wait(from_.view.control);
  else
    wait_for_users(*to_.view.control);
  device.copy_now(device.copying_queue(), transfer);
  if (to_host)
    return;
  const std::lock_guard lock(device.submitting);
  to_.view.control->uses.faults.clear();
  to_.view.control->written = true;
}

void CopyOperation::run(const Queue* wanted, bool wait) {
  if (!pending_)
    refuse(name_, "the operation has already been run or given up");
  refuse_in_print_sink();
  Control* const some = to_.view.control ? to_.view.control : from_.view.control;
  DeviceState& device = *some->device;
  for (const CopyEnd* end : {&to_, &from_})
    if (end->view.control && end->view.control->device != &device)
      refuse(name_, "the two are on different devices; go by way of the host: from_host(device, extents, tensor.to_host())");
  QueueState* queue = wanted ? Handles::state(*wanted) : nullptr;
  if (queue && &queue->device != &device)
    refuse(name_, "it is started on a queue of device '" + queue->device.name() + "', but the tensor is on device '" +
                      device.name() + "'");
  Recording* const recording = queue ? queue->recording() : nullptr;
  if (!fills_ && from_.view.control && !from_.view.control->written && !(recording && recording->covers(from_.view.control)))
    refuse(name_, "what is read has never been written: it was made by uninit() or fresh()");
  for (const CopyEnd* end : {&to_, &from_})
    if (end->view.control)
      refuse_borrowed(*end->view.control, recording);
  std::vector<u8> flags; // 0 or 1, whatever the host has
  if (is_flag_ && from_.on_host)
    for (std::size_t i = 0; i < bytes_; ++i)
      flags.push_back(static_cast<const u8*>(from_.view.data)[i] != 0);
  Transfer transfer{.kind = from_.on_host ? Transfer::Kind::from_host
                            : to_.on_host ? Transfer::Kind::to_host
                                          : Transfer::Kind::copy,
                    .to = to_.view.data,
                    .from = flags.empty() ? from_.view.data : flags.data(),
                    .bytes = bytes_};
  if (fills_)
    transfer = fill_of(to_.view.data, bytes_, element_, element_bytes_);
  std::array<Touch, 2> touches{};
  std::size_t used = 0;
  if (to_.view.control)
    touches[used++] = touch_of(to_, true);
  if (!fills_ && from_.view.control)
    touches[used++] = touch_of(from_, false);
  const std::span<const Touch> all(touches.data(), used);
  if (recording) {
    if (bytes_ != 0)
      recording->add({.transfer = transfer}, all);
    give_back();
    return;
  }
  if (bytes_ != 0 && (!to_.view.control || (!fills_ && !from_.view.control))) {
    copy_now(device, transfer);
    give_back();
    return;
  }
  Started started;
  if (bytes_ != 0) {
    const std::lock_guard lock(device.submitting);
    if (!queue)
      queue = some->uses.writer.queue ? some->uses.writer.queue : &device.own_queue(Priority::normal);
    submit(*queue, all, false, wait, started, [&](const std::shared_ptr<Fault>&) { return device.transfer(*queue, transfer); });
    if (to_.view.control)
      to_.view.control->written = true;
  }
  give_back();
  if (wait)
    finish(started, [&] { return std::string(name_); });
  else if (started.ticket.queue)
    started.ticket.queue->wake();
}

Control* allocate_pinned(const Device& on, DType dtype, i64 size) {
  DeviceState& device = *state_of(on);
  const std::size_t bytes = checked_bytes(dtype, 1, &size);
  std::shared_ptr<void> memory = device.allocate_pinned(bytes);
  if (!memory && bytes != 0)
    throw Error("tegula: the host has no " + std::to_string(bytes) + " bytes of pinned memory for device '" + device.name() + "'");
  if (bytes != 0)
    std::memset(memory.get(), 0, bytes);
  return adopt(on, dtype, 1, &size, std::move(memory));
}

Control* require_pinned(Control* control, const char* name) {
  if (!control)
    throw Error(std::string("tegula: ") + name + " of pinned memory that was moved from or never made");
  return control;
}

void read_pinned(const char* name, const CopyEnd& to, const CopyEnd& pinned) {
  Control* control = pinned.view.control;
  refuse_in_print_sink();
  check_ends(name, to, pinned);
  check_borrow(name, control->add_reader(control->generation()), "what is read");
  const AtEnd leave([control] { control->remove_reader(); });
  wait(control);
  if (control->bytes != 0)
    std::memcpy(to.view.data, pinned.view.data, control->bytes);
}

void write_pinned(const char* name, const CopyEnd& pinned, const CopyEnd& from) {
  Control* control = pinned.view.control;
  refuse_in_print_sink();
  check_ends(name, pinned, from);
  check_borrow(name, control->lend(control->generation()), "what is written");
  const AtEnd leave([control] { control->take_back(); });
  wait_for_users(*control);
  if (control->bytes != 0)
    std::memcpy(pinned.view.data, from.view.data, control->bytes);
  const std::lock_guard lock(control->device->submitting);
  control->uses.faults.clear(); // it holds what the host wrote
}

void await_users(const char* name, Control* control) {
  refuse_in_print_sink();
  check_borrow(name, control->lend(control->generation()), "the memory");
  const AtEnd leave([control] { control->take_back(); });
  wait_for_users(*control);
  wait(control); // throws if it was not written after all
}

} // namespace tegula::host

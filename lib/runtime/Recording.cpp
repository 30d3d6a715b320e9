#include "lib/runtime/Recording.h"
#include "lib/runtime/Fork.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <utility>

namespace tegula::host {
const Control* memory_of(const Control* control) noexcept { return control->part_of ? control->part_of : control; }

Recording::Recording(DeviceState& device, std::shared_ptr<Arena> arena)
    : QueueState(device, -1, Priority::normal), arena_(std::move(arena)) {
  const std::lock_guard lock(arena_->mutex);
  beside_ = arena_->attach(this);
  retain(&device);
}

Recording::~Recording() {
  if (!runtime::is_forked()) { // a thread of the parent's may hold the lock
    const std::lock_guard lock(arena_->mutex);
    arena_->detach(this);
  }
  for (const auto& [control, entry] : entries_)
    if (!entry.is_temporary)
      drop_by_graph(control);
  arena_.reset(); // before the device
  release(&device);
}

/// Those that use the memory in a way that matters; some may come before others.
NodeSet Recording::users(std::span<const Touch> touches) const {
  NodeSet nodes;
  if (in_order && !nodes_.empty())
    nodes.insert(static_cast<int>(nodes_.size()) - 1);
  for (const Touch& touch : touches) {
    const auto found = orders_.find(memory_of(touch.control));
    if (found == orders_.end())
      continue;
    if (found->second.writer >= 0)
      nodes.insert(found->second.writer);
    if (touch.writes)
      nodes.insert(found->second.readers);
  }
  return nodes;
}

NodeSet Recording::before(std::span<const Touch> touches) {
  const std::lock_guard lock(arena_->mutex);
  if (is_over_)
    throw Error("tegula: a Recorder that has been finished records nothing more; make another one");
  NodeSet all;
  for (const int user : users(touches).list())
    all.insert(ancestors_[static_cast<std::size_t>(user)]);
  return all;
}

Control* Recording::allocate(std::size_t bytes, const NodeSet& before) {
  Control* control = nullptr;
  try {
    const std::lock_guard lock(arena_->mutex);
    control = Arena::allocate(arena_, bytes, before);
    entries_[control].is_temporary = true;
    control->is_borrowed = beside_;
  } catch (...) {
    drop(control, End::destroyed); // without the lock
    throw;
  }
  return control;
}

void Recording::add(Node node, std::span<const Touch> touches) {
  NodeSet all = before(touches);
  const std::lock_guard lock(arena_->mutex);
  // Of the users, those that no other is behind.
  NodeSet direct = users(touches);
  for (const int user : direct.list()) {
    NodeSet behind = ancestors_[static_cast<std::size_t>(user)];
    behind.remove(user);
    direct.remove(behind);
  }
  const int number = static_cast<int>(nodes_.size());
  all.insert(number);
  node.after = direct.list();
  node.waits_fully = waits_fully;
  for (const Touch& touch : touches) {
    const auto [entry, is_new] = entries_.try_emplace(touch.control);
    if (is_new)
      retain_for_graph(touch.control);
    orders_[memory_of(touch.control)].readers.make_room(number);
  }
  nodes_.push_back(std::move(node));
  try {
    ancestors_.push_back(std::move(all));
  } catch (...) {
    nodes_.pop_back();
    throw;
  }
  for (const Touch& touch : touches) {
    Entry& entry = entries_.at(touch.control);
    entry.needs |= touch.keeps && !entry.covers;
    entry.writes |= touch.writes;
    entry.covers |= touch.writes && !touch.keeps;
    entry.certifies &= !touch.writes || touch.certifies;
    Order& order = orders_.at(memory_of(touch.control));
    if (touch.writes) {
      order.writer = number;
      order.readers.clear();
    }
  }
  for (const Touch& touch : touches) // what a node reads of a tensor, a part of which it writes, it reads before
    if (Order& order = orders_.at(memory_of(touch.control)); order.writer != number)
      order.readers.insert(number);
}

bool Recording::covers(const Control* control) {
  const std::lock_guard lock(arena_->mutex);
  const auto found = entries_.find(const_cast<Control*>(control));
  return found != entries_.end() && found->second.covers;
}

bool Recording::made(const Control* control) const {
  const std::lock_guard lock(arena_->mutex);
  const auto found = entries_.find(const_cast<Control*>(control));
  return found != entries_.end() && found->second.is_temporary;
}

NodeSet Recording::forget(Control* control) {
  entries_.erase(control);
  const auto found = orders_.find(control);
  if (found == orders_.end())
    return {};
  NodeSet users = std::move(found->second.readers);
  if (found->second.writer >= 0)
    users.insert(found->second.writer);
  orders_.erase(found);
  return users;
}

Recording::Result Recording::finish() {
  const std::lock_guard lock(arena_->mutex);
  if (is_over_)
    throw Error("tegula: a Recorder is finished once; make another one");
  if (std::ranges::any_of(entries_, [](const auto& one) { return one.first->is_borrowed; }))
    throw Error(
        "tegula: a graph that shares its memory with another one makes nothing that outlives its recording: drop the tensors "
        "that recorded launches made, and have results written to tensors that are lent by out(tensor)");
  Result result{{}, {}, arena_};
  result.externals.reserve(entries_.size());
  result.nodes = std::move(nodes_);
  for (const auto& [control, entry] : entries_) {
    if (entry.is_temporary && !retain_for_graph_if_alive(control)) // it is not: somebody still has it, unless he drops it now
      continue;
    result.externals.push_back({control, entry.needs, entry.writes, entry.covers, entry.certifies});
  }
  entries_.clear();
  arena_->detach(this);
  is_over_ = true;
  return result;
}

} // namespace tegula::host

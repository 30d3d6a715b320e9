#include "lib/runtime/Graph.h"
#include "lib/runtime/Buffer.h"
#include "lib/runtime/Messages.h"
#include "lib/runtime/Words.h"
#include "tegula/error.hpp"
#include "tegula/host/graph.hpp"
#include "tegula/host/op.hpp"

#include <algorithm>
#include <new>
#include <set>
#include <thread>
#include <utility>

namespace tegula::host {
namespace {

constexpr const char* refusal = "tegula: a graph was not replayed: a tensor that it ";

GraphState& require(GraphState* graph, const char* what) {
  if (!graph)
    throw Error(std::string("tegula: ") + what + " of a graph that was moved from or never made");
  return *graph;
}

void wait_for(const Ticket& replay) noexcept {
  while (replay.queue)
    try {
      return replay.queue->wait(replay.number);
    } catch (const std::bad_alloc&) { // it is under way all the same
      std::this_thread::yield();
    } catch (const std::exception&) { // of a lost device nothing is under way, nor of a parent's
      return;
    }
}

/// The code of each launch. What no node writes keeps its values while a replay runs, so that a program may read it while nodes
/// before its own still run. That stays so: bind() takes no tensor that another node writes.
void choose_code(DeviceState& device, Nodes& nodes, std::span<const External> externals) {
  std::set<const Control*> written;
  for (const External& external : externals)
    if (external.writes)
      written.insert(memory_of(external.control));
  for (Node& node : nodes) {
    if (!node.launch)
      continue;
    auto launch = std::make_shared<LaunchNode>(*node.launch);
    for (Argument& argument : launch->arguments)
      argument.unsettled = !argument.view.control || written.contains(memory_of(argument.view.control));
    launch->code = device.prepare(*launch->kernel, launch->arguments.data(), static_cast<int>(launch->arguments.size()));
    node.launch = std::move(launch);
  }
}

} // namespace

GraphState::GraphState(DeviceState& on, Recording::Result recorded) : device(on), arena(std::move(recorded.arena)) {
  retain(&device);
  try {
    choose_code(device, recorded.nodes, recorded.externals);
    externals_.reserve(recorded.externals.size());
    for (External& external : recorded.externals)
      externals_.push_back({std::exchange(external, {}), false});
    {
      const std::lock_guard lock(arena->mutex);
      chunks_ = arena->chunks();
    }
    touches_.reserve(externals_.size() + chunks_.size());
    nodes = std::make_shared<const Nodes>(std::move(recorded.nodes));
    for (const Node& node : *nodes)
      if (node.launch) {
        ++launches_;
        programs_ += node.launch->programs;
      }
    graph_ = device.make_graph(nodes);
    may_fail_ = graph_->may_fail();
  } catch (...) {
    for (const External& external : recorded.externals)
      if (external.control)
        drop_by_graph(external.control);
    drop_externals();
    throw;
  }
}

Kept::~Kept() { release(&graph_); }

GraphState::~GraphState() {
  wait_for(replays_.writer);
  graph_.reset();
  drop_externals();
}

void GraphState::exchange(std::unique_ptr<DeviceGraph>& other) {
  Ticket last;
  {
    const std::lock_guard lock(device.submitting);
    graph_.swap(other);
    may_fail_ = graph_->may_fail();
    last = replays_.writer;
  }
  wait_for(last);
}

void GraphState::drop_externals() noexcept {
  for (const Used& used : externals_)
    drop_by_graph(used.control);
  arena.reset();
  release(&device);
}

void GraphState::check_externals() const {
  for (const Used& used : externals_) {
    if (used.constant)
      continue;
    const Control& control = *used.control;
    const u64 readers = control.readers();
    if (used.writes ? readers != 0 : readers == Control::reader_mask)
      throw LaunchError(std::string(refusal) + (used.writes ? "writes" : "reads") +
                        " is in use: by an operation that has not run yet, which is to be run or given up first, or by another "
                        "thread");
    if (used.writes && control.standing != (used.certifies ? Standing::certified : Standing::owned))
      throw LaunchError(std::string(refusal) + "writes has been shared or certified since, and others rely on its contents");
    if (used.writes && used.certifies && control.reliants() > 1)
      throw LaunchError(std::string(refusal) + "refills has other owners, for whom it does not change: drop the copies of it");
    if (used.needs && !control.written)
      throw LaunchError(std::string(refusal) + "reads has never been written: it was made by uninit() or fresh()");
  }
}

void GraphState::find_touches() {
  touches_.clear();
  for (Used& used : externals_) {
    const Uses& uses = used.control->uses;
    used.constant |= !used.writes && used.control->standing == Standing::shared && uses.faults.empty() && uses.is_written();
    if (!used.constant)
      touches_.push_back({used.control, used.writes, used.needs});
  }
  for (Control* chunk : chunks_)
    touches_.push_back({chunk, true, false});
}

Started GraphState::start(QueueState& queue, bool awaited) {
  if (&queue.device != &device)
    throw LaunchError("tegula: a graph of device '" + device.name() + "' is started on a queue of device '" + queue.device.name() +
                      "'");
  if (queue.recording())
    throw LaunchError("tegula: a graph cannot be part of another one: record what it was recorded from");
  if (may_fail_)
    queue.relieve();
  Started started;
  const std::lock_guard lock(device.submitting);
  check_externals();
  find_touches();
  replays_.before_writing(queue);
  submit(queue, touches_, may_fail_, awaited, started,
         [&](std::shared_ptr<Fault> fault) { return graph_->replay(queue, std::move(fault)); });
  replays_.written_by(started.ticket);
  device.count_launches(launches_, programs_);
  for (const Used& used : externals_)
    if (used.covers && !used.control->written)
      used.control->written = true; // or will be, before anybody can look
  return started;
}

void GraphState::bind(const ViewData& of_recorded, const ViewData& of_now, int rank) {
  Control *const recorded = of_recorded.control, *const now = of_now.control;
  refuse_borrowed(*now, nullptr);
  const auto offset = [](const ViewData& view) {
    return static_cast<const char*>(view.data) - static_cast<const char*>(view.control->data);
  };
  constexpr std::uintptr_t alignment = 16; // as ViewFacts::aligned asks
  const auto misaligned = [](const Control* control) { return reinterpret_cast<std::uintptr_t>(control->data) % alignment; };
  if (now->device != &device)
    throw Error("tegula: bind() of a tensor on device '" + now->device->name() + "' to a graph of device '" + device.name() + "'");
  if (now->bytes != recorded->bytes || offset(of_now) != offset(of_recorded) || misaligned(now) != misaligned(recorded) ||
      !std::equal(of_now.strides, of_now.strides + rank, of_recorded.strides))
    throw Error(
        "tegula: bind() of a tensor that lies otherwise in memory than the one in whose place it comes: views are of the same part "
        "of tensors of one size, alike in strides and alignment");
  const auto find = [&](const Control* control) { return std::ranges::find(externals_, control, &Used::control); };
  const std::lock_guard lock(device.submitting);
  const auto used = find(recorded);
  if (used == externals_.end())
    throw Error("tegula: bind() of a tensor that the graph does not use");
  if (recorded->arena == arena)
    throw Error("tegula: bind() of a tensor that the graph makes itself: lend it one by out(tensor) when it is recorded");
  if (used->writes && used->certifies)
    throw Error("tegula: bind() of a certified tensor that the graph refills");
  for (const Used& other : externals_) // parts of one tensor count as one
    if (&other != &*used && memory_of(other.control) == memory_of(now) && (other.writes || used->writes))
      throw Error("tegula: bind() of a tensor that the graph uses already, where one of the two is written");
  auto changed = std::make_shared<Nodes>(*nodes);
  for (Node& node : *changed) {
    if (!node.launch) {
      const auto* begin = static_cast<const char*>(recorded->data);
      const auto within = [&](const void* p) { return begin <= p && p < begin + recorded->bytes; };
      if (within(node.transfer.to) || within(node.transfer.from))
        throw Error("tegula: bind() of a tensor that the graph copies or fills; copy it into one that stays");
      continue;
    }
    const auto uses = [&](const Argument& argument) { return argument.view.control == recorded; };
    if (std::ranges::none_of(node.launch->arguments, uses))
      continue;
    auto launch = std::make_shared<LaunchNode>(*node.launch);
    for (Argument& argument : launch->arguments)
      if (uses(argument)) {
        argument.view.data = static_cast<char*>(now->data) +
                             (static_cast<const char*>(argument.view.data) - static_cast<const char*>(recorded->data));
        argument.view.control = now;
      }
    launch->words = runtime::pack_words(launch->kernel->parameter_facts(), launch->arguments.data());
    node.launch = std::move(launch);
  }
  recorded->uses.make_room_for_reader();
  graph_->rebind(changed);
  nodes = std::move(changed);
  if (replays_.writer.queue)
    recorded->uses.read_by(replays_.writer); // perhaps it was constant until now
  if (const auto other = find(now); other != externals_.end()) {
    other->needs |= used->needs;
    other->constant = false;
    externals_.erase(used);
    return;
  }
  retain_for_graph(now);
  used->control = now;
  used->constant = false;
}

void release(GraphState* graph) noexcept {
  if (graph && graph->users.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (!graph || !runtime::is_in_print_sink()) {
    delete graph;
    return;
  }
  try { // a sink cannot wait for the launch that called it
    std::thread([graph] { delete graph; }).detach();
  } catch (const std::exception&) { // no thread is to be had: a leak is all that is safe
  }
}

void start(GraphState* graph, const Queue* queue, int times) {
  GraphState& state = require(graph, "start()");
  const Kept kept(state);
  refuse_in_print_sink();
  QueueState& on = queue ? *Handles::state(*queue) : state.device.own_queue(Priority::normal);
  if (times < 0)
    throw LaunchError("tegula: a graph is replayed " + std::to_string(times) + " times: want 0 or more");
  try {
    for (int i = 0; i < times; ++i)
      state.start(on, false);
  } catch (...) {
    on.wake(); // for those that were started
    throw;
  }
  on.wake();
}

void sync(GraphState* graph) {
  GraphState& state = require(graph, "sync()");
  const Kept kept(state);
  refuse_in_print_sink();
  finish(state.start(state.device.own_queue(Priority::normal), true), [] { return std::string("replaying a graph"); });
}

int count_nodes(const GraphState* graph) {
  return static_cast<int>(require(const_cast<GraphState*>(graph), "nodes()").nodes->size());
}

std::int64_t temporary_bytes(const GraphState* graph) {
  Arena& arena = *require(const_cast<GraphState*>(graph), "temporary_bytes()").arena;
  const std::lock_guard lock(arena.mutex);
  std::int64_t bytes = 0;
  for (const Control* chunk : arena.chunks())
    bytes += static_cast<std::int64_t>(chunk->bytes);
  return bytes;
}

Device device_of(const GraphState* graph) {
  DeviceState& device = require(const_cast<GraphState*>(graph), "device()").device;
  retain(&device);
  return Handles::device(&device);
}

void bind(GraphState* graph, const ViewData& recorded, const ViewData& now, int rank) {
  GraphState& state = require(graph, "bind()");
  refuse_in_print_sink();
  require_owned(recorded.control, "bind()");
  require_owned(now.control, "bind()");
  if (!std::equal(recorded.extents, recorded.extents + rank, now.extents))
    throw Error("tegula: bind() of a tensor of " + shape_text(rank, now.extents) + " in the place of one of " +
                shape_text(rank, recorded.extents));
  if (recorded.control == now.control)
    return;
  state.bind(recorded, now, rank);
  drop_by_graph(recorded.control);
}

} // namespace tegula::host

namespace tegula {

Recorder::Recorder(const Device& device)
    : Queue(device,
            std::make_shared<host::Recording>(*host::state_of(device), std::make_shared<host::Arena>(*host::state_of(device)))) {}
Recorder::Recorder(const Graph& beside)
    : Queue(beside.device(), std::make_shared<host::Recording>(*host::state_of(beside.device()), beside.state_->arena)) {}

Graph Recorder::finish() && {
  host::Recording& recording = *state()->recording();
  return Graph(new host::GraphState(recording.device, recording.finish()));
}

} // namespace tegula

// Work that is recorded once and replayed as one.
#pragma once
#include "tegula/host/op.hpp"

#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {

namespace host {
struct GraphState;
class Recording;
void release(GraphState*) noexcept;
void start(GraphState*, const Queue*, int times);
void sync(GraphState*);
int count_nodes(const GraphState*);
std::int64_t temporary_bytes(const GraphState*);
Device device_of(const GraphState*);
void bind(GraphState*, const ViewData& recorded, const ViewData& now, int rank);
} // namespace host

/// Replays what a Recorder has recorded: on a GPU one call of the driver, whatever the number of launches. It shares what it uses
/// with its owners: their tensors may be moved, changed between replays, or destroyed.
class Graph {
public:
  /// Empty, until it is assigned to.
  Graph() noexcept = default;
  Graph(Graph&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Graph& operator=(Graph other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  /// Waits for replays that are under way.
  ~Graph() { host::release(state_); }

  /// Starts a replay, or several one after the other, and returns at once: whoever uses what it writes waits, if he must. If a
  /// kernel fails, all that the replay writes is poisoned.
  void start() const { host::start(state_, nullptr, 1); }
  void start(const Queue& queue, int times = 1) const { host::start(state_, &queue, times); }
  /// Starts a replay and waits for it. Throws its error, if it failed.
  void sync() const { host::sync(state_); }

  Device device() const { return host::device_of(state_); }
  /// How many launches, copies and fills a replay has.
  int nodes() const { return host::count_nodes(state_); }
  /// Of the memory for what lives only while it runs.
  std::int64_t temporary_bytes() const { return host::temporary_bytes(state_); }

  /// Later replays use another tensor of the same extents in the place of one that the graph uses now.
  template <class T, int R> void bind(const Tensor<T, R>& recorded, Tensor<T, R>& now) {
    host::bind(state_, host::Handles::whole_of(recorded), host::Handles::whole_of(now), R);
  }
  template <class T, int R> void bind(const Shared<T, R>& recorded, const Shared<T, R>& now) {
    host::bind(state_, host::Handles::whole_of(recorded), host::Handles::whole_of(now), R);
  }

private:
  friend class Recorder;
  friend struct host::Handles;
  explicit Graph(host::GraphState* state) noexcept : state_(state) {}
  host::GraphState* state_ = nullptr;
};

inline host::GraphState* host::Handles::state(const Graph& graph) noexcept { return graph.state_; }

/// A queue that runs nothing: what is started on it becomes a part of a graph. One function can so be run, or recorded:
/// `forward(queue, ...)`, `forward(recorder, ...)`. What a recorded launch makes has values when a replay has run; what is made
/// and dropped while recording shares its memory with what comes later.
class Recorder : public Queue {
public:
  explicit Recorder(const Device&);
  /// For a graph that uses the same memory for what lives only while it runs: the two never run at once.
  explicit Recorder(const Graph& beside);
  Recorder(Recorder&&) = delete;

  [[nodiscard]] Graph finish() &&;
};

} // namespace tegula
TEGULA_HOST_END

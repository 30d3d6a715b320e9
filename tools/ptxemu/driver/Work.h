#pragma once

// Pieces of work, and which come before which: by streams, events, edges of graphs, and what the host has waited for.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/ptxemu/Random.h"
#include "tools/ptxemu/driver/Results.h"

namespace ptxemu::driver {

struct State;

// Pieces of work that come one after the other can share an agent, which counts them.
struct Moment {
  std::uint32_t agent = 0, clock = 0;
  bool operator==(const Moment&) const = default;
};

// How far each agent has come, as somebody knows it.
class Seen {
public:
  std::uint32_t of(std::size_t agent) const { return agent < clocks_.size() ? clocks_[agent] : 0; }
  bool has(Moment moment) const { return of(moment.agent) >= moment.clock; }
  void join(const Seen& other);
  void add(Moment moment);

private:
  std::vector<std::uint32_t> clocks_;
};

// Something is wrong with the order of work, or with what it does: the device is lost.
struct Finding {
  Result result;
  std::string text;
};

struct Piece;

// What work does, wherever it is: in a stream, or as a node of a graph.
struct Task {
  std::string name;                        // "kernel 'k'"
  std::function<void(State&, Piece&)> run; // throws Finding; if empty, it has only a place in the order
  bool is_kernel = false;
};

struct Piece {
  struct Edge {
    std::shared_ptr<Piece> from;
    bool programmatic = false;
  };
  Task task;
  std::shared_ptr<const std::string> name; // "kernel 'k' in stream 2"
  std::vector<Edge> after;
  bool starts_early = false; // some edge is programmatic
  bool done = false;

  // As it runs: what has happened when it starts, when it has waited for the kernels that let it start early, and when it has
  // ended.
  Moment moment;
  Seen start, waited, end;
  bool has_waited = true; // in all of its blocks
  std::chrono::steady_clock::time_point time;
};

class Work {
public:
  // From now on work runs as late as it may, in an order that the seed decides; or at once.
  void delay(std::optional<std::uint64_t> seed);

  void submit(State& s, const std::shared_ptr<Piece>& piece);
  // Runs work until this piece is done; without one, until all are.
  void finish(State& s, const Piece* wanted);
  // The same, and the host knows.
  void wait(State& s, const Piece& piece);
  void wait_for_all(State& s);
  // Some piece, if any is left: for those who ask again and again.
  void run_one(State& s);
  // The device is lost, with all that was to run.
  void drop();

private:
  static constexpr std::size_t most = 256; // pieces that wait; with more, some run

  void run(State& s, Piece& piece);
  void take_agent(Piece& piece);
  void run_some(State& s, const std::vector<std::shared_ptr<Piece>>& among);

  bool delayed_ = false;
  Random random_{0};
  std::vector<std::shared_ptr<Piece>> pending_;
  std::vector<std::uint32_t> clocks_; // of the agents
  Seen host_;
};

} // namespace ptxemu::driver

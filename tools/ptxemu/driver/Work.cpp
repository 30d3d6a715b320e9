#include "tools/ptxemu/driver/Work.h"

#include <algorithm>
#include <unordered_set>

#include "tools/ptxemu/driver/State.h"

namespace ptxemu::driver {
namespace {

// What a piece needs and is not done, and the piece itself.
std::vector<std::shared_ptr<Piece>> needed_for(const Piece& wanted, const std::vector<std::shared_ptr<Piece>>& pending) {
  std::unordered_set<const Piece*> found{&wanted};
  std::vector<const Piece*> open{&wanted};
  while (!open.empty()) {
    const Piece* piece = open.back();
    open.pop_back();
    for (const Piece::Edge& edge : piece->after)
      if (!edge.from->done && found.insert(edge.from.get()).second)
        open.push_back(edge.from.get());
  }
  std::vector<std::shared_ptr<Piece>> needed;
  std::ranges::copy_if(pending, std::back_inserter(needed), [&](const auto& piece) { return found.contains(piece.get()); });
  return needed;
}

} // namespace

void Seen::join(const Seen& other) {
  clocks_.resize(std::max(clocks_.size(), other.clocks_.size()));
  for (std::size_t i = 0; i < other.clocks_.size(); ++i)
    clocks_[i] = std::max(clocks_[i], other.clocks_[i]);
}

void Seen::add(Moment moment) {
  clocks_.resize(std::max<std::size_t>(clocks_.size(), moment.agent + 1));
  clocks_[moment.agent] = std::max(clocks_[moment.agent], moment.clock);
}

void Work::delay(std::optional<std::uint64_t> seed) {
  delayed_ = seed.has_value();
  random_ = Random(seed.value_or(0));
}

// An agent may go on with whatever comes behind all that it has done.
void Work::take_agent(Piece& piece) {
  std::uint32_t agent = 0;
  while (agent < clocks_.size() && piece.start.of(agent) != clocks_[agent])
    ++agent;
  clocks_.resize(std::max<std::size_t>(clocks_.size(), agent + 1));
  piece.moment = {agent, ++clocks_[agent]};
}

void Work::run(State& s, Piece& piece) {
  for (const Piece::Edge& edge : piece.after)
    piece.start.join(edge.programmatic ? edge.from->start : edge.from->end);
  piece.waited = piece.start;
  for (const Piece::Edge& edge : piece.after)
    piece.waited.join(edge.from->end);
  take_agent(piece);
  try {
    if (piece.task.run && s.lost == success)
      piece.task.run(s, piece);
  } catch (const Finding& finding) {
    lose(s, finding);
  }
  piece.end = piece.has_waited ? piece.waited : piece.start;
  piece.end.add(piece.moment);
  piece.after.clear();
  piece.task.run = nullptr;
  piece.done = true;
  piece.time = std::chrono::steady_clock::now();
}

void Work::run_some(State& s, const std::vector<std::shared_ptr<Piece>>& among) {
  std::vector<std::shared_ptr<Piece>> ready;
  std::ranges::copy_if(among, std::back_inserter(ready), [](const auto& piece) {
    return std::ranges::all_of(piece->after, [](const Piece::Edge& edge) { return edge.from->done; });
  });
  const std::shared_ptr<Piece> chosen = ready[random_.below(static_cast<std::uint32_t>(ready.size()))];
  std::erase(pending_, chosen);
  run(s, *chosen);
}

void Work::submit(State& s, const std::shared_ptr<Piece>& piece) {
  piece->start = host_;
  if (!delayed_)
    return run(s, *piece);
  pending_.push_back(piece);
  while (pending_.size() > most)
    run_some(s, pending_);
}

void Work::finish(State& s, const Piece* wanted) {
  // At times only what must, at times anything.
  const bool only_needed = random_.below(2) == 0;
  while (wanted ? !wanted->done : !pending_.empty())
    run_some(s, wanted && only_needed ? needed_for(*wanted, pending_) : pending_);
}

void Work::wait(State& s, const Piece& piece) {
  finish(s, &piece);
  host_.join(piece.end);
}

void Work::wait_for_all(State& s) {
  finish(s, nullptr);
  for (std::uint32_t agent = 0; agent < clocks_.size(); ++agent)
    host_.add({agent, clocks_[agent]});
}

void Work::run_one(State& s) {
  if (!pending_.empty())
    run_some(s, pending_);
}

void Work::drop() {
  for (const auto& piece : pending_) {
    piece->after.clear();
    piece->done = true;
  }
  pending_.clear();
}

} // namespace ptxemu::driver

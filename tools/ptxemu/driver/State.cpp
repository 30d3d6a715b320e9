#include "tools/ptxemu/driver/State.h"

#include <algorithm>
#include <cstdio>

namespace ptxemu::driver {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

// The default stream waits for all streams that are not told otherwise, and they for it.
std::vector<std::shared_ptr<Piece>> tails_beside(State& s, const Stream& stream) {
  if (&stream != &s.default_stream)
    return stream.blocking ? s.default_stream.tail : std::vector<std::shared_ptr<Piece>>();
  std::vector<std::shared_ptr<Piece>> tails;
  for (const Stream* other : s.streams)
    if (other->blocking)
      tails.insert(tails.end(), other->tail.begin(), other->tail.end());
  return tails;
}

// Of kernels that started early, those whose end another's end implies need not be kept.
void forget_implied(std::vector<std::shared_ptr<Piece>>& tail) {
  const std::vector<std::shared_ptr<Piece>> all = tail;
  std::erase_if(tail, [&](const auto& piece) {
    return std::ranges::any_of(
        all, [&](const auto& other) { return other != piece && other->done && piece->done && other->end.has(piece->moment); });
  });
}

} // namespace

std::string in_stream(const Stream& stream) {
  return stream.number == 0 ? " in the default stream" : " in stream " + std::to_string(stream.number);
}

State::State()
    : architecture(static_cast<int>(from_environment("TEGULA_PTXEMU_ARCH", 90))), seed(from_environment("TEGULA_PTXEMU_SEED", 1)),
      steps(from_environment("TEGULA_PTXEMU_STEPS", LaunchOptions().step_limit)),
      total_memory(from_environment("TEGULA_PTXEMU_MEMORY", std::uint64_t(8) << 30)), memory(total_memory) {}

State& state() {
  static State* the = new State; // never destroyed: programs call the driver while they end
  return *the;
}

Stream& stream_of(State& s, void* handle) {
  // Handles 0 to 2 are the default streams.
  return reinterpret_cast<std::uintptr_t>(handle) <= 2 ? s.default_stream : *static_cast<Stream*>(handle);
}

Result enqueue(State& s, void* handle, Task task, bool early) {
  Stream& stream = stream_of(s, handle);
  if (stream.capture) {
    std::vector<Graph::Node>& nodes = stream.capture->nodes;
    std::vector<Graph::Edge> after;
    if (!nodes.empty())
      after.push_back({nodes.size() - 1, false});
    nodes.push_back({std::move(task), std::move(after)});
    return success;
  }
  auto piece = std::make_shared<Piece>();
  piece->name = std::make_shared<std::string>(task.name + in_stream(stream));
  early &= !stream.tail.empty() && std::ranges::all_of(stream.tail, [](const auto& before) { return before->task.is_kernel; });
  for (const auto& before : stream.tail)
    piece->after.push_back({before, early});
  for (const auto& before : tails_beside(s, stream))
    piece->after.push_back({before});
  piece->starts_early = early;
  piece->task = std::move(task);
  if (early)
    forget_implied(stream.tail);
  else
    stream.tail.clear();
  stream.tail.push_back(piece);
  s.work.submit(s, piece);
  return success;
}

void wait_for(State& s, Stream& stream) {
  for (const auto& piece : std::vector(stream.tail))
    s.work.wait(s, *piece);
}

void lose(State& s, const Finding& finding) {
  if (s.lost != success)
    return;
  std::fprintf(stderr, "PTX emulator: %s\n", finding.text.c_str());
  s.lost = finding.result;
  s.report = finding.text;
  s.work.drop();
}

} // namespace ptxemu::driver

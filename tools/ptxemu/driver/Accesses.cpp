#include "tools/ptxemu/driver/Accesses.h"

#include <algorithm>

#include "tools/ptxemu/Report.h"

namespace ptxemu::driver {
namespace {

std::string verb(Doing doing) {
  constexpr const char* verbs[] = {"reads", "writes", "allocates", "frees"};
  return verbs[static_cast<int>(doing)];
}

} // namespace

void Accesses::split(std::uint64_t address) {
  auto after = segments_.upper_bound(address);
  if (after == segments_.begin())
    return;
  auto found = std::prev(after);
  if (found->first == address || found->second.end <= address)
    return;
  Segment rest = found->second;
  found->second.end = address;
  segments_.emplace_hint(after, address, std::move(rest));
}

void Accesses::check(const Mark& mine, const Seen& seen, const Mark& other, std::uint64_t address) const {
  if (!other.who || other.moment == mine.moment || seen.has(other.moment))
    return;
  auto subject = [](const Mark& mark) { return *mark.who + (mark.early ? ", before griddepcontrol.wait," : ""); };
  const bool in_a_device = memory_.near(address) != nullptr;
  throw Finding{launch_failed,
                "race: " + subject(mine) + " " + verb(mine.doing) + " what " + subject(other) + " " + verb(other.doing) +
                    ", and nothing orders them\n  " +
                    (in_a_device ? memory_.describe(address) : "at address " + hexadecimal(address) + " of the host") +
                    "\n  instead: " +
                    (mine.early || other.early
                         ? "execute griddepcontrol.wait before the access"
                         : "let the stream of the one wait for an event behind the other, or add an edge to the graph")};
}

void Accesses::touch(const Piece& piece, Doing doing, std::uint64_t address, std::uint64_t bytes, bool early) {
  early &= piece.starts_early;
  const Seen& seen = early ? piece.start : piece.waited;
  const Mark mark{piece.moment, doing, early, piece.name};
  const std::uint64_t end = address + bytes;
  split(address);
  split(end);
  if (doing != Doing::reads) {
    for (auto at = segments_.lower_bound(address); at != segments_.end() && at->first < end; at = segments_.erase(at)) {
      check(mark, seen, at->second.write, at->first);
      for (const Mark& read : at->second.reads)
        check(mark, seen, read, at->first);
    }
    segments_.insert_or_assign(address, Segment{end, mark, {}});
    return;
  }
  std::uint64_t next = address; // where the host's memory has no segment yet, it gets one
  for (auto at = segments_.lower_bound(address); next < end; ++at) {
    if (at == segments_.end() || at->first > next)
      at = segments_.emplace_hint(at, next, Segment{at == segments_.end() ? end : std::min(end, at->first), {}, {}});
    check(mark, seen, at->second.write, at->first);
    // Whoever comes after this read comes after one that was before it, too.
    std::erase_if(at->second.reads, [&](const Mark& read) { return read.moment == mark.moment || seen.has(read.moment); });
    at->second.reads.push_back(mark);
    next = at->second.end;
  }
}

void Accesses::forget(std::uint64_t address, std::uint64_t bytes) {
  split(address);
  split(address + bytes);
  segments_.erase(segments_.lower_bound(address), segments_.lower_bound(address + bytes));
}

} // namespace ptxemu::driver

#pragma once

// Who touched which bytes last: two pieces of work that touch the same, one of them to write, must be in order.

#include <map>

#include "tools/ptxemu/DeviceMemory.h"
#include "tools/ptxemu/driver/Work.h"

namespace ptxemu::driver {

enum class Doing : std::uint8_t { reads, writes, allocates, frees }; // all but the first as one who writes

class Accesses {
public:
  explicit Accesses(const DeviceMemory& memory) : memory_(memory) {}

  // Throws Finding. `early`: before the piece has waited for the kernels that let it start.
  void touch(const Piece& piece, Doing doing, std::uint64_t address, std::uint64_t bytes, bool early = false);
  // Nobody has touched these bytes.
  void forget(std::uint64_t address, std::uint64_t bytes);

private:
  struct Mark {
    Moment moment;
    Doing doing = Doing::reads;
    bool early = false;
    std::shared_ptr<const std::string> who; // null: nobody
  };
  struct Segment {
    std::uint64_t end;
    Mark write;
    std::vector<Mark> reads; // since then
  };
  using Segments = std::map<std::uint64_t, Segment>;

  // A segment begins here, or none goes on across.
  void split(std::uint64_t address);
  void check(const Mark& mine, const Seen& seen, const Mark& other, std::uint64_t address) const;

  const DeviceMemory& memory_;
  Segments segments_; // by address, of the device and of the host
};

} // namespace ptxemu::driver

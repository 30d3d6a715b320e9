#pragma once

// Which bytes of global memory a launch reads and writes: before its threads have executed griddepcontrol.wait, and after that.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ptxemu {

class Footprint {
public:
  struct Run {
    std::uint64_t address, bytes;
    bool writes, waited;
  };

  void note(bool writes, bool waited, std::uint64_t address, std::uint64_t count) {
    while (count > 0) {
      std::uint64_t line = address / line_bytes, first = address % line_bytes, some = std::min(count, line_bytes - first);
      std::uint64_t mask = some == line_bytes ? ~std::uint64_t(0) : ((std::uint64_t(1) << some) - 1) << first;
      page(line / page_lines * kinds + 2 * waited + writes).lines[line % page_lines] |= mask;
      address += some;
      count -= some;
    }
  }
  // Bytes next to each other are one. Those before the wait come first, and of them, those that are read.
  std::vector<Run> runs() const;

  std::uint64_t blocks_that_waited = 0;

private:
  // A line is a word of bits, one for each byte.
  static constexpr std::uint64_t line_bytes = 64, page_lines = 64, kinds = 4;
  struct Page {
    std::uint64_t number = 0;
    std::array<std::uint64_t, page_lines> lines{};
  };
  Page& page(std::uint64_t number);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_; // by number and kind
  std::array<Page*, 16> recent_{};
};

} // namespace ptxemu

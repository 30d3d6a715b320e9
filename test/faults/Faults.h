// Damages PTX in one place at a time.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace tegula::test {

enum class FaultKind {
  dropped_barrier, // threads no longer wait for each other
  moved_barrier,   // past the access to shared memory before or after it
  dropped_mask,    // what was done under a condition is always done
  inverted_mask,   // or done in the other case
  comparison,      // < for <=, == for !=, a number one too large
  shuffle,         // from or to another lane
  shared_offset,   // 4 or 16 bytes too far
  width,           // half of the bytes
  copy_wait        // copies in the background: not waited for, or not all of them
};
inline constexpr int fault_kinds = 9;
const char* name(FaultKind);

struct Fault {
  FaultKind kind;
  std::size_t line;    // from 0
  std::string was, is; // the line, and what it becomes; empty: nothing
  /// Instead of the line: the same, but a trap where the damaged line would compute or do something else.
  std::string probe;
  /// Where the line goes instead of its place, before that line; 0 if it stays.
  std::size_t moved_before = 0;

  std::string describe() const;
};

/// The lines of a text, and the text again.
std::vector<std::string> lines_of(const std::string& text);
std::string damaged(std::span<const std::string> lines, const Fault&);
std::string probed(std::span<const std::string> lines, const Fault&);

/// Every place where the code can be damaged.
std::vector<Fault> faults_in(std::span<const std::string> lines);

} // namespace tegula::test

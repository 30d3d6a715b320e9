// Which program writes which element, where the prover could not tell that no two write one.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace tegula::runtime {

std::size_t element_count(const std::vector<std::int64_t>& extents);
/// The index of an element, given its number in row-major order.
std::vector<std::int64_t> element_at(const std::vector<std::int64_t>& extents, std::size_t number);

/// The owners of one tensor's elements. Programs claim at the same time. Of those that claim an element, the one with the lowest
/// number is kept, so that the two lowest meet whatever the order in which they come.
class Claims {
public:
  /// `parameter` counts from 0. Throws std::bad_alloc: a table takes eight bytes for each element.
  Claims(int parameter, std::vector<std::int64_t> extents);

  /// Two programs that write one element.
  struct Conflict {
    std::int64_t higher, lower;
    std::int64_t site;   // where the higher one claims it
    std::size_t element; // its number
  };
  /// Enters a program, and where it claims, for the elements of a box that lie inside the tensor (tegula_cpu_claim). Of those that
  /// have another owner, the one whose higher program, then whose lower one, then whose number is lowest.
  std::optional<Conflict> claim(std::int64_t program, std::int64_t site, const std::int64_t* box) noexcept;
  /// The index of an element, given its number.
  std::vector<std::int64_t> index_of(std::size_t element) const { return element_at(extents_, element); }
  /// The first element that nobody claimed. After the launch only.
  std::optional<std::vector<std::int64_t>> unclaimed() const;

  int parameter() const noexcept { return parameter_; }
  /// The most programs that a table can tell apart.
  static constexpr std::int64_t most_programs = 0xFFFFFFFF;

private:
  int parameter_;
  std::vector<std::int64_t> extents_;
  std::optional<Conflict> enter(std::int64_t program, std::int64_t site, std::size_t element) noexcept;
  std::vector<std::atomic<std::uint64_t>> owners_; // program + 1, then the site; 0 for none; in row-major order
};

} // namespace tegula::runtime

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

/// The owners of one tensor's elements. Programs claim at the same time.
class Claims {
public:
  /// `parameter` counts from 0. Throws std::bad_alloc: a table takes four bytes for each element.
  Claims(int parameter, std::vector<std::int64_t> extents);

  struct Conflict {
    std::int64_t other; // the program that came first
    std::vector<std::int64_t> element;
  };
  /// Enters a program for the elements of a box that lie inside the tensor (tegula_cpu_claim). The first that has another owner.
  std::optional<Conflict> claim(std::int64_t program, const std::int64_t* box) noexcept;
  /// The first element that nobody claimed. After the launch only.
  std::optional<std::vector<std::int64_t>> unclaimed() const;

  int parameter() const noexcept { return parameter_; }
  /// The most programs that a table can tell apart.
  static constexpr std::int64_t most_programs = 0xFFFFFFFF;

private:
  int parameter_;
  std::vector<std::int64_t> extents_;
  std::vector<std::atomic<std::uint32_t>> owners_; // program + 1, 0 for none; in row-major order
};

} // namespace tegula::runtime

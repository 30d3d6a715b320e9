// What is measured on a GPU: one figure each.
#pragma once
#include "tegula/tegula.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tegula::bench {

/// A case whose inputs are on the device and whose results have been checked.
struct Ready {
  std::string variant;                                    // which way of doing it was the fastest; empty if there is only one
  std::function<double()> seconds;                        // for one run, from one round of many
  std::vector<std::pair<std::string, double>> tried = {}; // every way, and its seconds
};

struct Case {
  std::string bench, what;
  std::string unit;  // "µs" and "ms" are times
  double amount = 0; // of one run, in the unit times seconds; for a time it does not matter
  int rounds = 25;
  std::function<Ready()> prepare; // throws an Error if a result is wrong

  std::string name() const { return bench + " " + what; }
  double value(double seconds) const { return unit == "µs" ? seconds * 1e6 : unit == "ms" ? seconds * 1e3 : amount / seconds; }
};

/// For one run: the median over the rounds.
double median_seconds(const Case&, const Ready&);

/// Small: little of each kind, to test the benchmark itself.
enum class Size : u8 { full, small };

/// All of them, in the order of the table.
std::vector<Case> gpu_cases(const Device&, Size);

// Its parts.
void add_memory_cases(std::vector<Case>&, const Device&, Size);
void add_row_cases(std::vector<Case>&, const Device&, Size);
void add_largest_cases(std::vector<Case>&, const Device&, Size);
void add_product_cases(std::vector<Case>&, const Device&, Size);
void add_launch_cases(std::vector<Case>&, const Device&, Size);
void add_compile_cases(std::vector<Case>&);

} // namespace tegula::bench

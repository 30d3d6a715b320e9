// The table on the screen, and the lines that are kept.
#pragma once
#include <string>

namespace tegula::bench {

struct Result {
  std::string bench, what; // what: the case
  double value = 0;
  std::string unit;
  std::string peer; // empty: measured against nothing
  double peer_value = 0;
  double ratio = 0; // value / peer_value, the median over rounds; more is better
};

class Report {
public:
  explicit Report(std::string filter) : filter_(std::move(filter)) {}
  /// Is a benchmark to be run? Its name and case contain the filter.
  bool wants(const std::string& bench, const std::string& what) const;
  void add(const Result&);

private:
  std::string filter_;
  bool has_header_ = false;
};

void run_matmul(Report&);
void run_memory(Report&);
void run_jit(Report&);

} // namespace tegula::bench

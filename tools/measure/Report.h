// The table on the screen, and the lines that are kept.
#pragma once
#include <string>

namespace tegula::bench {

struct Result {
  std::string bench, what; // what: the case
  double value = 0;
  std::string unit;
  std::string peer{}; // empty: measured against nothing
  double peer_value = 0;
  double ratio = 0; // how many times better than the peer, the median over rounds
};

/// What stands in every line that is kept. What is empty is left out.
struct Origin {
  std::string device, driver, clocks, command;
};

class Report {
public:
  /// Lines are appended to the file, unless its name is empty.
  Report(std::string filter, Origin origin, std::string file)
      : filter_(std::move(filter)), origin_(std::move(origin)), file_(std::move(file)) {}
  /// Is a benchmark to be run? Its name and case contain the filter.
  bool wants(const std::string& bench, const std::string& what) const;
  void add(const Result&);

private:
  std::string filter_;
  Origin origin_;
  std::string file_;
  bool has_header_ = false;
};

/// A line that is kept, at the end of the file. Says on the standard error, and returns false, if it cannot be written.
bool append(const std::string& file, const Origin&, const Result&);

/// As a string of JSON.
std::string quoted(const std::string& text);

} // namespace tegula::bench

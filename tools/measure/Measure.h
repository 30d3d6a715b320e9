// Two ways of doing one thing, timed in turns: what disturbs the machine disturbs both.
#pragma once
#include <functional>
#include <vector>

namespace tegula::bench {

struct Times {
  double ours = 0, theirs = 0; // seconds for one run: medians
  double speedup = 0;          // theirs / ours: the median over the rounds
};

/// Runs `ours` and `theirs` alternately, each for some 60 ms, `rounds` times. Threads that spin after their work are given time to
/// sleep.
Times compare(const std::function<void()>& ours, const std::function<void()>& theirs, int rounds = 9);

double median(std::vector<double> values);

} // namespace tegula::bench

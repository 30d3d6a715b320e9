#include "tools/measure/Measure.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tegula::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(const std::function<void()>& run, int repetitions) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < repetitions; ++i)
    run();
  return std::chrono::duration<double>(Clock::now() - start).count() / repetitions;
}

int repetitions_for(const std::function<void()>& run) {
  constexpr double target = 0.06;
  run();
  const double once = std::max(seconds(run, 1), 1e-7);
  if (once >= target)
    return 1;
  const double better = seconds(run, std::max(1, static_cast<int>(target / 4 / once)));
  return std::max(1, static_cast<int>(target / better));
}

double rested(const std::function<void()>& run, int repetitions) {
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  run(); // wakes the threads, fills the caches
  return seconds(run, repetitions);
}

} // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Times compare(const std::function<void()>& ours, const std::function<void()>& theirs, int rounds) {
  const int our_repetitions = repetitions_for(ours), their_repetitions = repetitions_for(theirs);
  std::vector<double> our_times, their_times, speedups;
  for (int round = 0; round < rounds; ++round) {
    our_times.push_back(rested(ours, our_repetitions));
    their_times.push_back(rested(theirs, their_repetitions));
    speedups.push_back(their_times.back() / our_times.back());
  }
  return {median(our_times), median(their_times), median(speedups)};
}

} // namespace tegula::bench

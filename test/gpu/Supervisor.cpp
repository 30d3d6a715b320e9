#include "test/gpu/Supervisor.h"
#include "test/gpu/Worker.h"

#include <algorithm>
#include <cstdio>
#include <list>
#include <map>
#include <poll.h>

namespace tegula::test {
namespace {

constexpr std::chrono::seconds limit_of_one_test{240};

class Summary {
public:
  explicit Summary(std::size_t all) : all_(all) {}
  void add(const Verdict& verdict) {
    ++counts_[verdict.kind];
    if (verdict.kind != Verdict::passed)
      std::printf("%s %s\n%s", verdict.kind == Verdict::failed ? "FAILED " : "skipped", verdict.test.c_str(), verdict.text.c_str());
    if (const int done = counts_[Verdict::passed] + counts_[Verdict::failed] + counts_[Verdict::skipped]; done % 200 == 0)
      std::printf("%d of %zu\n", done, all_);
    std::fflush(stdout);
  }
  int finish() {
    if (counts_[Verdict::skipped] > 0)
      std::printf("%d skipped\n", counts_[Verdict::skipped]);
    std::printf("%d passed, %d failed\n", counts_[Verdict::passed], counts_[Verdict::failed]);
    return counts_[Verdict::failed] == 0 && counts_[Verdict::passed] > 0 ? 0 : 1;
  }

private:
  std::size_t all_;
  std::map<Verdict::Kind, int> counts_;
};

/// Shares that are small enough for the slowest not to be waited for, and large enough for starting a process not to matter.
std::deque<std::string> next_share(std::deque<std::string>& tests, std::size_t share) {
  const auto end = tests.begin() + static_cast<std::ptrdiff_t>(std::min(share, tests.size()));
  std::deque<std::string> taken(tests.begin(), end);
  tests.erase(tests.begin(), end);
  return taken;
}

void wait_for(std::list<Worker>& workers, std::vector<Verdict>& verdicts) {
  std::vector<pollfd> files;
  for (const Worker& worker : workers)
    files.push_back({worker.file(), POLLIN, 0});
  constexpr int milliseconds = 1000;
  poll(files.data(), files.size(), milliseconds);
  auto file = files.begin();
  for (auto worker = workers.begin(); worker != workers.end(); ++file) {
    if (file->revents != 0)
      worker->read(verdicts);
    worker->end_if_stuck(limit_of_one_test);
    worker = worker->done() ? workers.erase(worker) : std::next(worker);
  }
}

} // namespace

int run_supervised(int jobs) {
  const std::vector<std::string> all = tests_to_run();
  std::deque<std::string> tests(all.begin(), all.end());
  std::printf("%zu tests in %d processes\n", all.size(), jobs);
  Summary summary(all.size());
  const std::size_t share = all.size() / (static_cast<std::size_t>(jobs) * 6) + 1;
  std::list<Worker> workers;
  while (!tests.empty() || !workers.empty()) {
    while (!tests.empty() && workers.size() < static_cast<std::size_t>(jobs))
      workers.emplace_back(next_share(tests, share));
    std::vector<Verdict> verdicts;
    wait_for(workers, verdicts);
    for (const Verdict& verdict : verdicts)
      summary.add(verdict);
  }
  return summary.finish();
}

} // namespace tegula::test

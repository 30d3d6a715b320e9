#include "bench/gpu/Run.h"
#include "bench/gpu/Card.h"
#include "bench/gpu/Case.h"
#include "bench/gpu/FirstLaunch.h"
#include "bench/gpu/Serve.h"
#include "tools/measure/Measure.h"
#include "tools/measure/Report.h"

#include <cstdio>
#include <exception>

namespace tegula::bench {
namespace {

constexpr const char* usage = "usage: gpu-bench [FILTER] [--json FILE] [--list] [--variants] [--small] [--serve]\n"
                              "  FILTER        only the cases whose name contains it\n"
                              "  --json FILE   appends a line for each figure\n"
                              "  --list        says which cases there are\n"
                              "  --variants    prints the figure of every variant of a case, not only of the best\n"
                              "  --small       little problems, to test the benchmark itself\n"
                              "  --serve       is told by its standard input what to measure; see bench/beside.py\n";

struct Options {
  std::string filter, json, first_launch, command = "gpu-bench";
  bool list = false, serve = false, variants = false;
  Size size = Size::full;
};

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    options.command += " " + argument;
    if (argument == "--list")
      options.list = true;
    else if (argument == "--variants")
      options.variants = true;
    else if (argument == "--serve")
      options.serve = true;
    else if (argument == "--small")
      options.size = Size::small;
    else if (argument == "--json" && i + 1 < argc)
      options.command += std::string(" ") + (options.json = argv[++i]);
    else if (argument == "--first-launch" && i + 1 < argc)
      options.first_launch = argv[++i];
    else if (argument.starts_with("--") || !options.filter.empty())
      return false;
    else
      options.filter = argument;
  }
  return true;
}

int measure(const Options& options, const Device& device, const std::vector<Case>& cases) {
  const Card card = card_of(device);
  std::printf("%s, %s\n\n", card.name.c_str(), card.clocks.c_str());
  Report report(options.filter, {.device = card.name, .driver = card.driver, .clocks = card.clocks, .command = options.command},
                options.json);
  int failed = 0;
  for (const Case& c : cases) {
    if (!report.wants(c.bench, c.what))
      continue;
    try {
      const Ready ready = c.prepare();
      if (options.variants)
        for (const auto& [variant, seconds] : ready.tried)
          std::printf("  %s, %s: %.4g %s\n", c.name().c_str(), variant.c_str(), c.value(seconds), c.unit.c_str());
      report.add({.bench = c.bench, .what = c.what, .value = c.value(median_seconds(c, ready)), .unit = c.unit, .peer = ""});
    } catch (const DriverError&) {
      throw; // the device may be lost
    } catch (const Error& error) {
      ++failed;
      std::fprintf(stderr, "gpu-bench: %s: %s\n", c.name().c_str(), error.what());
    }
  }
  return failed == 0 ? 0 : 1;
}

} // namespace

std::vector<Case> gpu_cases(const Device& device, Size size) {
  std::vector<Case> cases;
  add_memory_cases(cases, device, size);
  add_row_cases(cases, device, size);
  add_largest_cases(cases, device, size);
  add_product_cases(cases, device, size);
  add_launch_cases(cases, device, size);
  add_compile_cases(cases);
  if (size == Size::small)
    for (Case& c : cases)
      c.rounds = 1;
  return cases;
}

double median_seconds(const Case& c, const Ready& ready) {
  std::vector<double> times;
  for (int round = 0; round < c.rounds; ++round)
    times.push_back(ready.seconds());
  return median(times);
}

int run_gpu(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    const Device device = Device::gpu();
    if (!options.first_launch.empty()) {
      std::printf("%.9f\n", first_launch_seconds(device, options.first_launch));
      return 0;
    }
    const std::vector<Case> cases = gpu_cases(device, options.size);
    if (options.list) {
      for (const Case& c : cases)
        std::printf("%s\n", c.name().c_str());
      return 0;
    }
    return options.serve ? serve(device, cases) : measure(options, device, cases);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu-bench: %s\n", error.what());
    return 1;
  }
}

} // namespace tegula::bench

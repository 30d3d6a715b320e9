// scripts/bench cpu [FILTER]
#include "bench/cpu/Benchmarks.h"
#include "bench/cpu/Peer.h"
#include "tools/measure/Machine.h"

#include "tegula/tegula.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
  using namespace tegula;
  try {
    const Device device = Device::cpu();
    bench::peer::use_threads(device.parallelism());
    std::printf("%s, %d threads. Tegula and its peer run in turns; the ratio is the median over the rounds, more is better.\n\n",
                bench::machine().c_str(), device.parallelism());
    const char* file = std::getenv("TEGULA_BENCH_RESULTS");
    const std::string name = bench::machine() + ", " + std::to_string(device.parallelism()) + " threads";
    bench::Report report(argc > 1 ? argv[1] : "", {.device = name, .driver = "", .clocks = "", .command = "scripts/bench cpu"},
                         file ? file : "");
    bench::run_matmul(report);
    bench::run_memory(report);
    bench::run_jit(report);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}

// The program gpu-bench.
#pragma once

namespace tegula::bench {

/// gpu-bench [FILTER] [--json FILE] [--list] [--small] [--serve]
int run_gpu(int argc, char** argv);

} // namespace tegula::bench

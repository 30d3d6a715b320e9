#include "bench/gpu/Run.h"

int main(int argc, char** argv) { return tegula::bench::run_gpu(argc, argv); }

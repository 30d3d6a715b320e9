// What is measured on the CPU.
#pragma once
#include "tools/measure/Report.h"

namespace tegula::bench {

void run_matmul(Report&);
void run_memory(Report&);
void run_jit(Report&);

} // namespace tegula::bench

// How fast a language model runs, and where its time goes.
#pragma once
#include "tools/tegula/Arguments.h"

namespace tegula {

/// Prints tables: reading prompts, one token after another beside what the memory allows, and with --profile the kernels of a step.
/// `command` is kept beside the results.
int bench_model(Arguments, const std::string& command);

} // namespace tegula

// The program that compiles kernels while another is built: its main().
#pragma once

namespace tegula::aot {

/// Proves and compiles every kernel object that was made before main(), and writes a C++ source that embeds them:
/// `--output FILE --symbol NAME --targets sm_80,sm_90a [--ptxas PATH]`. Returns the status to exit with. What is wrong with a
/// kernel is told on the standard error, in the kernel's own lines.
int generate(int argc, const char* const* argv);

} // namespace tegula::aot

// Runs the tests of this program in child processes: a kernel that hangs, or loses the device, fails one test and not the rest.
#pragma once

namespace tegula::test {

/// Runs what the filter of GoogleTest lets through, in `jobs` processes at a time. The last line is "N passed, N failed". Returns
/// the exit status. To be called before anything has touched a GPU.
int run_supervised(int jobs);

} // namespace tegula::test

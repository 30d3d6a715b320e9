// `tegula cache`: the kernels that are kept on disk.
#pragma once

namespace tegula {

/// Where they are, how many, how large, and when one was last used. Returns the exit status.
int show_cache();
/// Removes them all. Returns the exit status.
int clear_cache();

} // namespace tegula

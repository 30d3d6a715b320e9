// A process that was forked has its parent's memory, but none of its threads: locks that they held stay locked for ever.
#pragma once

namespace tegula::runtime {

/// Called before a device is made, with its threads and locks: from then on, forks are noticed.
void watch_forks();
/// Whether this process was forked from one that did so.
bool is_forked() noexcept;
/// Throws an Error if it was.
void refuse_if_forked();

} // namespace tegula::runtime

// What the command reads.
#pragma once
#include <string>

namespace tegula {

/// All of a file; "-" is the standard input. Throws an Error that names it, if it cannot be read to its end.
std::string contents_of(const std::string& file);

} // namespace tegula

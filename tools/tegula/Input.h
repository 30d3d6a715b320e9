// What the command reads.
#pragma once
#include <string>
#include <string_view>

namespace tegula {

/// All of a file; "-" is the standard input, and if that is a terminal, the user is told that `what` is awaited: "the prompt".
/// Throws an Error that names the file, if it cannot be read to its end.
std::string contents_of(const std::string& file, std::string_view what);

} // namespace tegula

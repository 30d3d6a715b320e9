// The environment variables that Tegula reads. docs/host.md has them in a table.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::runtime {

/// What a variable is set to; nothing if it is not set, or empty.
std::optional<std::string> setting(const char* variable);
/// One of these words; nothing if it is not set. Throws an Error that lists them for any other.
std::optional<std::string_view> choice(const char* variable, std::initializer_list<std::string_view> words);
/// A number from `low` to `high`; nothing if it is not set. Throws an Error for anything else; `what` says what it counts.
std::optional<std::uint64_t> number(const char* variable, std::uint64_t low, std::uint64_t high, const char* what);

/// Once in a process: names, on the standard error, variables that begin with TEGULA_ and that nothing reads.
void warn_of_unknown_variables();

} // namespace tegula::runtime

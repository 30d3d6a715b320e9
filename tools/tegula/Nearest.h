// A name that is meant, given one that does not exist.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// " (did you mean 'softmax'?)", if one of the names differs from what was typed in a few letters; else nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string_view>& names);

} // namespace tegula

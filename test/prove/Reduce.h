// Small examples out of large ones.
#pragma once
#include <functional>
#include <string>

namespace tegula::test {

/// The kernel with as many lines left out as possible, so that it stays bad. One for which `is_bad` throws is not.
std::string reduced(std::string ir, const std::function<bool(const std::string& ir)>& is_bad);

} // namespace tegula::test

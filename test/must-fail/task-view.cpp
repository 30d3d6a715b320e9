// A constant view is one, too.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"

#include <string_view>
using namespace tegula;

Task<int> length(const std::string_view text) { co_return static_cast<int>(text.size()); }

int main() { return length(std::string("text")).sync() == 4 ? 0 : 1; }

// A task that takes an array of views may outlive the text.
// error: a task may outlive what it refers to
#include "tegula/tegula.hpp"

#include <array>
#include <string_view>
using namespace tegula;

Task<int> count(std::array<std::string_view, 2> words) { co_return static_cast<int>(words[0].size() + words[1].size()); }

int main() { return count({std::string("a"), std::string("b")}).sync() == 2 ? 0 : 1; }

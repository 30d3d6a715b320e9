// What the environment says about how much is tried.
#pragma once
#include <cstdlib>

namespace tegula::test {

inline int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

} // namespace tegula::test

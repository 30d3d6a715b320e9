// What must hold of whatever is rendered.
#pragma once
#include "llm/chat/ChatTemplate.h"
#include "tegula/error.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tegula::llm::fuzz {

/// So that one attempt takes no longer than a fraction of a second.
constexpr Limits limits{.steps = 200'000, .bytes = std::size_t{8} << 20};

inline void check(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// An error must have a message; any other exception is a fault.
template <class F> void attempt(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    check(!std::string_view(error.what()).empty(), "errors say something");
  }
}

inline void check_segments(const Rendered& rendered) {
  for (std::size_t i = 0; i < rendered.segments.size(); ++i) {
    check(!rendered.segments[i].text.empty(), "segments are not empty");
    check(i == 0 || rendered.segments[i].from_template != rendered.segments[i - 1].from_template, "neighbours differ");
  }
}

} // namespace tegula::llm::fuzz

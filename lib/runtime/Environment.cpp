#include "lib/runtime/Environment.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <unistd.h>

namespace tegula::runtime {
namespace {

constexpr std::string_view prefix = "TEGULA_";
constexpr std::string_view known[] = {"CACHE", "CACHE_DIR", "CACHE_LIMIT",   "CACHE_VERBOSE", "CHECKS",  "DEVICE", "DRIVER",
                                      "DUMP",  "PROOFS",    "MESSAGE_BYTES", "REPLAY",        "THREADS", "WARN"};
/// Of the emulator, the benchmarks and the tests, which read their own.
constexpr std::string_view others[] = {"BENCH_", "DEMO_", "PROVE_", "PTXEMU_", "RANDOM_", "TEST_"};

bool is_known(std::string_view name) {
  return std::ranges::find(known, name) != std::end(known) ||
         std::ranges::any_of(others, [&](std::string_view other) { return name.starts_with(other); });
}

} // namespace

std::optional<std::string> setting(const char* variable) {
  const char* text = std::getenv(variable);
  return text && *text ? std::optional<std::string>(text) : std::nullopt;
}

std::optional<std::string_view> choice(const char* variable, std::initializer_list<std::string_view> words) {
  const std::optional<std::string> text = setting(variable);
  if (!text)
    return std::nullopt;
  if (const auto* found = std::ranges::find(words, *text); found != words.end())
    return *found;
  std::string all;
  for (const std::string_view word : words)
    (all += all.empty() ? "" : " or ") += word;
  throw Error(std::string(variable) + " is '" + *text + "'; set it to " + all + ", or unset it");
}

std::optional<std::uint64_t> number(const char* variable, std::uint64_t low, std::uint64_t high, const char* what) {
  const std::optional<std::string> text = setting(variable);
  if (!text)
    return std::nullopt;
  std::uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || stop != end || value < low || value > high)
    throw Error(std::string(variable) + " is '" + *text + "'; set it to " + what + " from " + std::to_string(low) + " to " +
                std::to_string(high) + ", or unset it");
  return value;
}

void warn_of_unknown_variables() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (char** entry = environ; entry && *entry; ++entry) {
      const std::string_view text = *entry, name = text.substr(0, text.find('='));
      if (name.starts_with(prefix) && !is_known(name.substr(prefix.size())))
        std::fprintf(stderr,
                     "tegula: the environment variable %.*s is set, but nothing reads it; docs/host.md lists those that are\n",
                     static_cast<int>(name.size()), name.data());
    }
  });
}

} // namespace tegula::runtime

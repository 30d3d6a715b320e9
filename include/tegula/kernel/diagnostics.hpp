// Compile errors in the language's words. Clang prints a computed text with the shapes in it; other compilers print the plain one
// and show the shapes in their own notes.
#pragma once
#include "tegula/kernel/recording.hpp"

#include <type_traits>

#if defined(__clang__) && __clang_major__ >= 17
#define TEGULA_CHECK(condition, plain, ...)                                                                                        \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpre-c++26-compat\"")                                      \
      _Pragma("clang diagnostic ignored \"-Wc++26-extensions\"") static_assert(condition, (__VA_ARGS__))                           \
          _Pragma("clang diagnostic pop")
#else
#define TEGULA_CHECK(condition, plain, ...) static_assert(condition, plain)
#endif

namespace tegula::detail {

/// A text put together while compiling.
struct Text {
  char characters[480]{};
  std::size_t length = 0;

  constexpr Text& add(const char* s) {
    while (*s && length + 1 < sizeof characters)
      characters[length++] = *s++;
    return *this;
  }
  constexpr Text& add(std::int64_t n) {
    char digits[24]{};
    int count = 0;
    const bool negative = n < 0;
    do {
      digits[count++] = static_cast<char>('0' + (negative ? -(n % 10) : n % 10));
      n /= 10;
    } while (n);
    if (negative)
      add("-");
    while (count && length + 1 < sizeof characters)
      characters[length++] = digits[--count];
    return *this;
  }
  /// "128×64", or "scalar".
  constexpr Text& shape(const TileType& t) {
    if (t.rank == 0)
      return add("scalar");
    for (int i = 0; i < t.rank; ++i)
      add(i ? "×" : "").add(static_cast<std::int64_t>(t.extents[i]));
    return *this;
  }
  /// "f32 128×64".
  constexpr Text& type(const TileType& t) { return add(name(t.dtype)).add(" ").shape(t); }

  constexpr const char* data() const { return characters; }
  constexpr std::size_t size() const { return length; }
};

/// In text(): the shape of a type alone.
struct ShapeOf {
  const TileType& type;
};

/// A text from literals, integers, tile types and shapes.
template <class... X> constexpr Text text(const X&... parts) {
  Text t;
  const auto add = [&t]<class Y>(const Y& part) {
    if constexpr (std::is_same_v<Y, TileType>)
      t.type(part);
    else if constexpr (std::is_same_v<Y, ShapeOf>)
      t.shape(part.type);
    else if constexpr (std::is_integral_v<Y>)
      t.add(static_cast<std::int64_t>(part));
    else
      t.add(part);
  };
  (add(parts), ...);
  return t;
}

/// For static_asserts that always fail, in code that is instantiated only by a mistake.
template <class...> inline constexpr bool never = false;

} // namespace tegula::detail

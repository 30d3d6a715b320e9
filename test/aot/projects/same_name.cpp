#include <tegula/tegula.hpp>

using namespace tegula;

// Which reads the tile before its own only where there is one, or always: on the same lines.
template <bool Always> static void before(Out<i32, 16> y, In<i32, 16> x) {
  auto tile = zeros<i32, 16>(), other = zeros<i32, 16>();
  const auto read = [&] { other = x(y.at(0) - 1); };
  if constexpr (Always)
    read();
  if_(y.at(0) > 0 && y.at(0) <= x.count(0), [&] { Always ? void() : read(), tile = other; });
  y.store(tile);
}

static const auto right = kernel<before<false>>("before");
static const auto wrong = kernel<before<true>>("before");

// 16: heat that spreads over a plate, step by step.
//
// A stencil reads its neighbours, so its tiles overlap. at_element(r, c) is the tile whose first element is element (r, c) of the
// tensor; r - 1 may be -1, and what lies outside reads as zero: the plate's edge is cold. A tile that starts one element further
// may lie outside altogether, if the last tile has one row or column only; or_padding says that this is meant.
//
// A program may not read what another one writes, so a step goes from one tensor to another, and the two change places.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int M, int N> void spread(Out<f32, M, N> next, In<f32, M, N> now) {
  expects(now.extent(0) == next.extent(0) && now.extent(1) == next.extent(1), "both plates have one shape");
  const Int r = next.row() * M, c = next.col() * N;
  auto above = now.at_element(r - 1, c), below = now.at_element(r + 1, c, or_padding);
  auto left = now.at_element(r, c - 1), right = now.at_element(r, c + 1, or_padding);
  auto here = now[next];
  next.store(here + 0.2 * (above + below + left + right - 4 * here));
}

int main() {
  constexpr i64 rows = 97, columns = 130;
  constexpr int steps = 10;
  const auto host = some_numbers(rows * columns, 26);

  Device device = Device::best();
  auto now = Tensor<f32, 2>::from_host(device, {rows, columns}, host), next = Tensor<f32, 2>::zeros(device, {rows, columns});
  auto step = kernel<spread<16, 64>>();
  for (int i = 0; i < steps; ++i) {
    next = step(std::move(next), now).sync();
    swap(now, next); // their owners change, the elements stay where they are
  }

  std::vector<double> expected(host.begin(), host.end());
  for (int i = 0; i < steps; ++i) {
    const std::vector<double> before = expected;
    const auto at = [&](i64 r, i64 c) {
      return r >= 0 && r < rows && c >= 0 && c < columns ? before[static_cast<std::size_t>(r * columns + c)] : 0;
    };
    for (i64 r = 0; r < rows; ++r)
      for (i64 c = 0; c < columns; ++c)
        expected[static_cast<std::size_t>(r * columns + c)] =
            at(r, c) + 0.2 * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) - 4 * at(r, c));
  }
  return compare("stencil", now.to_host(), expected, 1e-5);
}

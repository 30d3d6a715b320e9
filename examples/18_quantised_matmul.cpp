// 18: C = A · W, where the weights W are stored in fewer bits: 8 bits with a scale for each column, and 4 bits with a scale for
// each column and group of 128 rows.
//
// The weights become bf16 in registers, which holds integers of 8 bits exactly, and the scales are applied to sums, not to weights:
// that is exact, and less work. Two weights of 4 bits share a byte. Which two is free to choose, and decides what unpacking costs:
// here byte r of a group holds row r in its low half and row 64 + r in its high half. So a tile of bytes is two tiles of weights,
// and nothing has to be interleaved.
#include "check.hpp"

#include <tegula/tegula.hpp>

using namespace tegula;

template <int BM, int BN, int BK> void w8a16(Out<f32, BM, BN> c, In<bf16, BM, BK> a, In<i8, BK, BN> w, In<f32, 1, BN> scales) {
  expects(a.extent(0) == c.extent(0) && w.extent(1) == c.extent(1) && scales.extent(1) == c.extent(1),
          "C has the rows of A and the columns of W");
  expects(a.extent(1) == w.extent(0) && scales.extent(0) == 1, "there is a row of W for each column of A");
  auto sum = zeros<f32, BM, BN>();
  for (auto k : a.cols())
    sum = mma(a(c.row(), k), cast<bf16>(w(k, c.col())), sum);
  c.store(sum * scales(0, c.col()));
}

constexpr int group_rows = 128;

template <int BM, int BN>
void w4a16(Out<f32, BM, BN> c, In<bf16, BM, group_rows / 2> a, In<u8, group_rows / 2, BN> w, In<f32, 1, BN> scales) {
  expects(a.extent(0) == c.extent(0) && w.extent(1) == c.extent(1) && scales.extent(1) == c.extent(1),
          "C has the rows of A and the columns of W");
  expects(w.count(0) == scales.extent(0) && (a.count(1) + 1) / 2 == scales.extent(0), "there is a group for each 128 columns of A");
  auto sum = zeros<f32, BM, BN>();
  for (auto g : scales.rows()) {
    auto [low, high] = unpack_i4(w(g, c.col()));
    auto part = mma(a(c.row(), 2 * g), cast<bf16>(low), zeros<f32, BM, BN>());
    part = mma(a(c.row(), 2 * g + 1, or_padding), cast<bf16>(high), part); // the last group may end in its first half
    sum = fma(part, scales(g, c.col()), sum);
  }
  c.store(sum);
}

int main() {
  constexpr i64 m = 45, n = 100, k = 300, groups = (k + group_rows - 1) / group_rows;
  const auto x = some_numbers<bf16>(m * k, 51);
  const auto numbers = some_numbers(k * n, 52);
  auto column_scales = some_numbers(n, 53), group_scales = some_numbers(groups * n, 54);
  for (f32& scale : column_scales)
    scale /= 127;
  for (f32& scale : group_scales)
    scale /= 7;

  // The weights as integers, and the smaller ones packed.
  std::vector<i8> eight(k * n), four(k * n);
  std::vector<u8> packed(groups * group_rows / 2 * n);
  for (i64 l = 0; l < k; ++l)
    for (i64 j = 0; j < n; ++j) {
      eight[l * n + j] = i8(std::lround(numbers[l * n + j] * 127));
      four[l * n + j] = i8(std::lround(numbers[l * n + j] * 7));
      const i64 byte = l / group_rows * (group_rows / 2) + l % (group_rows / 2);
      const bool is_high = l % group_rows >= group_rows / 2;
      packed[byte * n + j] |= u8((four[l * n + j] & 15) << (is_high ? 4 : 0));
    }

  Device device = Device::best();
  auto a = Tensor<bf16, 2>::from_host(device, {m, k}, x);
  auto w8 = Tensor<i8, 2>::from_host(device, {k, n}, eight);
  auto w4 = Tensor<u8, 2>::from_host(device, {groups * group_rows / 2, n}, packed);
  auto s8 = Tensor<f32, 2>::from_host(device, {1, n}, column_scales);
  auto s4 = Tensor<f32, 2>::from_host(device, {groups, n}, group_scales);
  auto c8 = Tensor<f32, 2>::uninit(device, {m, n}), c4 = Tensor<f32, 2>::uninit(device, {m, n});
  auto multiply8 = kernel<w8a16<16, 64, 64>>({.strict = true});
  auto multiply4 = kernel<w4a16<16, 64>>({.strict = true});
  c8 = multiply8(std::move(c8), a, w8, s8).sync();
  c4 = multiply4(std::move(c4), a, w4, s4).sync();

  std::vector<f32> expected8(m * n), expected4(m * n);
  for (i64 i = 0; i < m; ++i)
    for (i64 j = 0; j < n; ++j) {
      double sum8 = 0, sum4 = 0;
      for (i64 l = 0; l < k; ++l) {
        sum8 += double(float(x[i * k + l])) * eight[l * n + j] * column_scales[j];
        sum4 += double(float(x[i * k + l])) * four[l * n + j] * group_scales[l / group_rows * n + j];
      }
      expected8[i * n + j] = f32(sum8);
      expected4[i * n + j] = f32(sum4);
    }
  return compare("8-bit weights", c8.to_host(), expected8, 1e-5) | compare("4-bit weights", c4.to_host(), expected4, 1e-5);
}

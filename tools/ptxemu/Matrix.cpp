// ldmatrix, stmatrix, movmatrix: 8×8 matrices of 16-bit elements, spread over a warp.
#include "tools/ptxemu/Block.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

enum MatrixFlag : std::uint8_t { transposed = 1 };

using Matrix = std::uint16_t[8][8];

// Each lane holds two elements, next to each other in a row (of a transposed matrix: in a column).
std::uint32_t part_of(const Matrix& matrix, int lane, bool transpose) {
  int row = lane / 4, column = lane % 4 * 2;
  std::uint16_t low = transpose ? matrix[column][row] : matrix[row][column];
  std::uint16_t high = transpose ? matrix[column + 1][row] : matrix[row][column + 1];
  return low | std::uint32_t(high) << 16;
}

void set_part(Matrix& matrix, int lane, std::uint32_t value, bool transpose) {
  int row = lane / 4, column = lane % 4 * 2;
  (transpose ? matrix[column][row] : matrix[row][column]) = static_cast<std::uint16_t>(value);
  (transpose ? matrix[column + 1][row] : matrix[row][column + 1]) = static_cast<std::uint16_t>(value >> 16);
}

// Lane 8·m + r has the address of row r of matrix m.
std::uint64_t row_address(Warp& warp, const Instruction& in, int lane) {
  return warp.registers[in.a + lane] + static_cast<std::uint64_t>(in.offset);
}

void load_matrices(Warp& warp, const Instruction& in, Mask) {
  const std::uint32_t* results = &warp.program.lists[in.list];
  Matrix matrices[4];
  for (int i = 0; i < in.count * 8; ++i)
    std::memcpy(matrices[i / 8][i % 8], warp.read(in.space, i, row_address(warp, in, i), 16, false), 16);
  for (int m = 0; m < in.count; ++m)
    for (int l = 0; l < lanes; ++l)
      warp.registers[results[m] + l] = part_of(matrices[m], l, in.flags & transposed);
}

void store_matrices(Warp& warp, const Instruction& in, Mask) {
  const std::uint32_t* values = &warp.program.lists[in.list];
  for (int m = 0; m < in.count; ++m) {
    Matrix matrix;
    for (int l = 0; l < lanes; ++l)
      set_part(matrix, l, static_cast<std::uint32_t>(warp.registers[values[m] + l]), in.flags & transposed);
    for (int r = 0; r < 8; ++r)
      warp.write(in.space, 8 * m + r, row_address(warp, in, 8 * m + r), matrix[r], 16, false);
  }
}

void transpose_matrix(Warp& warp, const Instruction& in, Mask) {
  Matrix matrix;
  for (int l = 0; l < lanes; ++l)
    set_part(matrix, l, static_cast<std::uint32_t>(warp.registers[in.a + l]), false);
  for (int l = 0; l < lanes; ++l)
    warp.registers[in.d + l] = part_of(matrix, l, true);
}

} // namespace

void decode_matrix(Decoder& decoder) {
  decoder.ignore({"sync", "aligned", "m8n8", "b16"});
  decoder.out.flags = decoder.take("trans") ? transposed : 0;
  decoder.out.f = no_mask;
  decoder.need(2);
  if (decoder.root() == "movmatrix") {
    plain_operands(decoder, 1, Type::u32);
    return decoder.emit(Flow::converge, transpose_matrix);
  }
  bool load = decoder.root() == "ldmatrix";
  decoder.out.count = static_cast<std::uint8_t>(decoder.take_number("x"));
  decoder.take_space_and_order();
  decoder.address(load ? 1 : 0);
  std::vector<std::uint32_t> list;
  for (const Operand& part : Decoder::parts(decoder.operand(load ? 0 : 1)))
    list.push_back(load ? decoder.result(part) : decoder.source(part));
  if (list.size() != decoder.out.count || (list.size() != 1 && list.size() != 2 && list.size() != 4))
    decoder.unknown();
  decoder.out.list = decoder.add_list(list);
  decoder.emit(Flow::converge, load ? load_matrices : store_matrices);
}

} // namespace ptxemu

// Into which pieces products with weights are cut, on a CPU and on a GPU. None of them changes the order of a sum: products on
// tensor cores go along a row in the same small steps whatever the depth of a tile.
#pragma once
#include "llm/models/qwen3/kernels/walk.hpp"
#include "tegula/host/launch.hpp"

#include <utility>

namespace tegula::llm::qwen3 {

/// The shape of the tiles of a product with many rows, and how many of them are under way.
struct Tiles {
  int rows, columns, depth, stages = 0, warps = 0;

  constexpr Hints hints() const { return {.stages = stages, .warps = warps, .strict = true}; }
  /// Of a product with two matrices: with so many rows, sums of both need narrower tiles.
  constexpr int columns_of_two() const { return rows == 128 ? columns / 2 : columns; }
};
inline constexpr Tiles few_on_cpu{16, 64, 64};
/// Few rows on a GPU are bound by the weights' memory: narrow tiles, so that there are programs for all SMs, that ask
/// for much of a row at a time.
inline constexpr Tiles to_16{16, 32, 256, 4, 2}, to_32{32, 32, 256, 4};
inline constexpr Tiles to_64{64, 64, 64, 4}, many{128, 128, 64, 2, 4};

/// What a program reads for one row of activations: so many rows of weights, in pieces of `width` of which `columns` make a row.
struct Pieces {
  int rows, width, columns = any_length, warps = 0, max_regs = 0;

  constexpr Hints hints() const { return {.warps = warps, .max_regs = max_regs, .strict = true}; }
};
/// On a CPU a row from end to end: the sums stay in registers.
inline constexpr Pieces by_row{1, 128};
/// On a GPU, of rows that are not at_once().
constexpr Pieces in_turns(int matrices) { return {.rows = 4 / matrices, .width = 1024, .warps = 4}; }
/// On a GPU rows of all matrices, four together if they are not too long, as a whole: they have been asked for before what they are
/// multiplied by is there, and wait in registers, two elements in each. The limit of these, of 65536 in all, lets six programs of
/// two warps or four of four warps share an SM.
constexpr Pieces at_once(int matrices, int columns) {
  constexpr int lanes = 32, enough = 160, most = 192, most_warps = 8; // elements of a thread
  int rows = 4 / matrices, warps = 1;
  while (warps < most_warps && rows * matrices * columns > enough * lanes * warps)
    warps *= 2;
  while (rows > 1 && rows * matrices * columns > most * lanes * warps)
    rows /= 2;
  int width = 8 * lanes * warps; // 16 bytes for each thread
  while (columns % width != 0)
    width /= 2;
  return {rows, width, columns, warps, warps <= 2 ? 168 : 128};
}

/// Which rows are read at once: of the residual stream, and of what is projected back to it, in all published sizes. The 25600
/// columns of the largest are too many for registers.
using HiddenLengths = std::integer_sequence<int, 1024, 2048, 2560, 4096, 5120>;
using InnerLengths = std::integer_sequence<int, 2048, 3072, 4096, 5120, 6144, 8192, 9728, 12288, 17408>;

} // namespace tegula::llm::qwen3

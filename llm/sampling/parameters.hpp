// The table of sampling parameters on the device: a row of 32-bit words for each slot.
#pragma once
#include "tegula/kernel.hpp"

namespace tegula::llm::sampling {

/// Columns of the table. Fractions are kept as their bits.
enum Column : int { temperature, top_k, top_p, min_p, repetition, presence, frequency, seed_low, seed_high };
constexpr int columns = 16; // whole sectors of memory

using Table = In<u32, 1, 1>;

inline Tile<u32> word_of(const Table& table, const Int& slot, Column column) { return reshape<>(table(slot, column)); }
inline Tile<f32> fraction_of(const Table& table, const Int& slot, Column column) {
  return bitcast<f32>(word_of(table, slot, column));
}

inline Tile<u64> seed_of(const Table& table, const Int& slot) {
  return cast<u64>(word_of(table, slot, seed_low)) | (cast<u64>(word_of(table, slot, seed_high)) << 32);
}

/// parameters[slot, :] = the words, each in its column.
inline void set_parameters(Patch<u32, 1, columns> parameters, Scalar<i64> slot, Scalar<f32> new_temperature, Scalar<u32> new_top_k,
                           Scalar<f32> new_top_p, Scalar<f32> new_min_p, Scalar<f32> new_repetition, Scalar<f32> new_presence,
                           Scalar<f32> new_frequency, Scalar<u32> new_seed_low, Scalar<u32> new_seed_high) {
  expects(slot >= 0 && slot < parameters.extent(0), "the slot is one of the table's");
  const auto column = iota<1, columns>(1);
  auto row = zeros<u32, 1, columns>();
  const auto put = [&](Column at, const Tile<u32>& word) { row = select(column == at, word, row); };
  put(temperature, bitcast<u32>(new_temperature));
  put(top_k, new_top_k);
  put(top_p, bitcast<u32>(new_top_p));
  put(min_p, bitcast<u32>(new_min_p));
  put(repetition, bitcast<u32>(new_repetition));
  put(presence, bitcast<u32>(new_presence));
  put(frequency, bitcast<u32>(new_frequency));
  put(seed_low, new_seed_low);
  put(seed_high, new_seed_high);
  if_(this_program() == 0, [&] { parameters.tile(slot, 0).store(row); });
}

} // namespace tegula::llm::sampling

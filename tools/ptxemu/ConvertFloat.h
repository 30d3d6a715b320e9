#pragma once

#include "tools/ptxemu/Decoder.h"
#include "tools/ptxemu/Formats.h"

namespace ptxemu {

enum ConvertFlag : std::uint8_t {
  convert_flush = 1,
  convert_saturate = 2, // to 0 … 1, or to the range of an integer
  convert_relu = 4,
  convert_finite = 8,   // too large: the largest finite number
  convert_integral = 16 // to an integer in a floating-point format
};

double float_value(std::uint64_t bits, Type type, bool flush);
double round_to_integer(double value, Round round);

void decode_convert_float(Decoder& decoder, Type to, Type from);
void decode_convert_pack(Decoder& decoder);

} // namespace ptxemu

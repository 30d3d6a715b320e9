// What code is specialised to, as bytes: in keys of what is kept on disk, and in programs that carry code.
#pragma once
#include "lib/compile/Compile.h"
#include "lib/trace/Bytes.h"

#include <algorithm>

namespace tegula {

inline void write(ByteWriter& writer, const ViewFacts& facts) {
  writer.number(static_cast<std::int64_t>(facts.strides.size()));
  for (const Stride stride : facts.strides)
    writer.number(static_cast<std::int64_t>(stride));
  for (const bool fact : {facts.aligned, facts.whole, facts.settled})
    writer.number(fact);
}

inline ViewFacts read_facts(ByteReader& reader) {
  ViewFacts facts;
  const std::int64_t axes = std::min<std::int64_t>(reader.number(), max_rank); // more only of what is no library
  for (std::int64_t axis = 0; axis < axes; ++axis)
    facts.strides.push_back(reader.number_as<Stride>());
  for (bool* fact : {&facts.aligned, &facts.whole, &facts.settled})
    *fact = reader.number() != 0;
  return facts;
}

} // namespace tegula

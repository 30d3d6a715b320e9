#pragma once

#include "tools/ptxemu/Formats.h"

namespace ptxemu {

enum class AtomicOp : std::uint8_t { add, min, max, conj, disj, exclusive, exchange, swap, inc, dec };

std::optional<AtomicOp> atomic_named(std::string_view name);
// The new value at an address; `other` is what swap puts there where the old one equals `value`.
std::uint64_t apply(AtomicOp op, Type type, std::uint64_t old, std::uint64_t value, std::uint64_t other = 0);

} // namespace ptxemu

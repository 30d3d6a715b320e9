// The launch that a program belongs to: its number, how many there are, and what the host checks first.
#pragma once
#include "tegula/kernel/messages.hpp"

namespace tegula {

/// The number of this program, from 0 to programs() - 1.
inline Int this_program(detail::Loc loc = detail::Loc::current()) {
  return Int(detail::emit("tile.program_id", Int::type(), {}, loc));
}
/// How many programs the launch runs.
inline Int programs(detail::Loc loc = detail::Loc::current()) {
  return Int(detail::emit("tile.num_programs", Int::type(), {}, loc));
}

/// What the host checks before it launches the kernel: a condition on extents, bounds, integer scalars and programs(). The proofs
/// of the kernel's accesses may rely on it.
inline void expects(const Tile<bool>& condition, detail::Words words) {
  detail::expect(condition.id(words.loc), words.text, words.loc);
}
template <class C>
  requires(!std::is_same_v<C, Tile<bool>>)
void expects(const C&, detail::Words) {
  static_assert(detail::never<C>,
                "tegula: the condition of expects must be a traced bool scalar, of extents and scalars; for host values use "
                "static_assert or if");
}

} // namespace tegula

// Lists of parameters: tensors of one kind that have extents of their own.
#pragma once
#include "tegula/kernel/recording.hpp"
#include "tegula/kernel/types.hpp"

namespace tegula {

template <class P, int N> class Group;

namespace detail {
/// Which member of a group: a number of the host.
struct Member {
  std::int64_t number;
  Loc loc;
  template <HostInteger H> Member(H n, Loc l = Loc::current()) : number(static_cast<std::int64_t>(n)), loc(l) {}
};

/// A parameter that is no group counts as one member.
template <class P> struct GroupTraits {
  static constexpr bool is_group = false;
  static constexpr int size = 1;
  using member = P;
};
template <class P, int N> struct GroupTraits<Group<P, N>> {
  static constexpr bool is_group = true;
  static constexpr int size = N > 0 ? N : 1; // the mistake is reported by Group
  using member = P;
};
template <class P> using member_of = typename GroupTraits<P>::member;
} // namespace detail

/// N parameters P: c[g] is one of them, g being a number of the host. In the kernel's record each is a parameter of its own.
template <class P, int N> class Group {
  static_assert(N >= 1 && N <= 16, "tegula: a group has 1 to 16 members");
  static_assert(!detail::GroupTraits<P>::is_group, "tegula: the members of a group are no groups");

public:
  explicit Group(const std::uint32_t* ids) : Group(ids, std::make_index_sequence<detail::GroupTraits<Group>::size>{}) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  const P& operator[](detail::Member g) const {
    detail::check_member(g.number, N, g.loc);
    return members_[g.number];
  }
  template <class X>
    requires detail::is_tile<X>
  const P& operator[](const X&) const {
    static_assert(detail::never<X>,
                  "tegula: a member of a group is named by a number of the host: for (int g = 0; g < N; ++g) c[g]");
    return members_[0];
  }

private:
  template <std::size_t... I> Group(const std::uint32_t* ids, std::index_sequence<I...>)
      : members_{P(static_cast<detail::Value>(ids[I]))...} {}

  P members_[detail::GroupTraits<Group>::size];
};

} // namespace tegula

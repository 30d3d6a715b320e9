// The arguments of a kernel's Group<>.
#pragma once
#include "tegula/host/tensor.hpp"

#include <tuple>
#include <utility>

TEGULA_HOST_BEGIN
namespace tegula {
namespace host {

/// What a group keeps of an argument that was passed as an A: never a reference that could outlive what it refers to.
template <class A, class Plain = std::remove_cvref_t<A>> struct Held {
  Plain value;
  explicit Held(A&& x) : value(std::forward<A>(x)) {}
};
template <class A, class T, int R>
  requires std::is_lvalue_reference_v<A>
struct Held<A, Tensor<T, R>> {
  View<T, R> value;
  explicit Held(const Tensor<T, R>& x) : value(x.view()) {}
};
template <class A, class T, int R> struct Held<A, View<T, R>> {
  View<T, R> value;
  explicit Held(const View<T, R>& x) : value(x.again()) {}
};
template <class A, class T, int R> struct Held<A, Lent<T, R>> {
  Lent<T, R> value;
  explicit Held(const Lent<T, R>& x) : value(x.again()) {}
};

/// A as group() deduces it: an lvalue reference for an lvalue.
template <class... A> struct GroupOf {
  std::tuple<Held<A>...> members;
  explicit GroupOf(A&&... x) : members(std::forward<A>(x)...) {}
  GroupOf(const GroupOf&) = delete;
  GroupOf& operator=(const GroupOf&) = delete;
};

template <class G, class F> void each_member(G& group, const F& f) {
  std::apply([&](auto&... held) { (f(held.value), ...); }, group.members);
}

} // namespace host

/// Argument of a `Group<P, N>`: N arguments, each of which a P could take.
template <class... A> [[nodiscard]] host::GroupOf<A...> group(A&&... arguments) {
  static_assert(sizeof...(A) > 0, "tegula: a group has at least one member");
  return host::GroupOf<A...>(std::forward<A>(arguments)...);
}

} // namespace tegula
TEGULA_HOST_END

// What a kernel's parameters are, and how to run its body under a trace. The host builds kernel objects on this.
#pragma once
#include "tegula/kernel/params.hpp"
#include "tegula/kinds.hpp"

#include <array>

namespace tegula::detail {

/// One kernel parameter, or one member of a group, as plain data.
struct ParameterDecl {
  ParameterKind kind = ParameterKind::in;
  DType dtype = DType::f32;
  int rank = 0;
  std::int32_t dims[max_rank] = {};
};

template <class... P> struct TypeList {
  static constexpr std::size_t size = sizeof...(P);
};

template <ParameterKind K, class T, int... D> struct TraitsOf {
  static constexpr bool known = true;
  static constexpr ParameterKind kind = K;
  using element = T;
  using shape = Shape<D...>;
  static constexpr int rank = sizeof...(D);
};
/// For what is no parameter type: something plausible, as the mistake is reported by SignatureOf.
template <class P> struct ParameterTraits : TraitsOf<ParameterKind::scalar, f32> {
  static constexpr bool known = false;
};
template <class T, int... D> struct ParameterTraits<In<T, D...>> : TraitsOf<ParameterKind::in, T, D...> {};
template <class T, int... D> struct ParameterTraits<Out<T, D...>> : TraitsOf<ParameterKind::out, T, D...> {};
template <class T, int... D> struct ParameterTraits<OutTiles<T, D...>> : TraitsOf<ParameterKind::outs, T, D...> {};
template <class T, int... D> struct ParameterTraits<InOut<T, D...>> : TraitsOf<ParameterKind::inout, T, D...> {};
template <class T, int... D> struct ParameterTraits<Patch<T, D...>> : TraitsOf<ParameterKind::patch, T, D...> {};
template <ParameterKind K, class T, int... D> struct ParameterTraits<Into<K, T, D...>> : TraitsOf<K, T, D...> {};
template <class T, int... D> struct ParameterTraits<OutIndex<T, D...>> : TraitsOf<ParameterKind::out_index, T, D...> {};
template <class T, int... D> struct ParameterTraits<tegula::Index<T, D...>> : TraitsOf<ParameterKind::index, T, D...> {};
template <class T, int... D> struct ParameterTraits<DistinctIndex<T, D...>> : TraitsOf<ParameterKind::distinct, T, D...> {};
template <class T, int... D> struct ParameterTraits<IndexOrNone<T, D...>> : TraitsOf<ParameterKind::index_or_none, T, D...> {};
template <class T, int... D> struct ParameterTraits<DistinctIndexOrNone<T, D...>>
    : TraitsOf<ParameterKind::distinct_or_none, T, D...> {};
template <class T> struct ParameterTraits<Offsets<T>> : TraitsOf<ParameterKind::offsets, T, 1> {};
template <class T> struct ParameterTraits<Tile<T>> : TraitsOf<ParameterKind::scalar, T> {};

template <class P> inline constexpr bool is_parameter = is_tile<member_of<P>> || ParameterTraits<member_of<P>>::known;
template <class P> inline constexpr bool is_tile_parameter = false;
template <class T, int... D> inline constexpr bool is_tile_parameter<Tile<T, D...>> = sizeof...(D) > 0;
template <class P, int N> inline constexpr bool is_tile_parameter<Group<P, N>> = is_tile_parameter<P>;
template <class P> inline constexpr bool is_taken_properly =
    !std::is_reference_v<P> || (std::is_lvalue_reference_v<P> && std::is_const_v<std::remove_reference_t<P>>);

template <class P> constexpr ParameterDecl declaration() {
  using Traits = ParameterTraits<P>;
  constexpr TileType type = tile_of<typename Traits::element, typename Traits::shape>::type();
  ParameterDecl d{Traits::kind, type.dtype, type.rank, {}};
  for (int i = 0; i < type.rank; ++i)
    d.dims[i] = type.extents[i];
  return d;
}

/// Where each parameter's first value is among those of all; behind them, how many there are.
template <class... P> constexpr std::array<std::size_t, sizeof...(P) + 1> firsts() {
  std::array<std::size_t, sizeof...(P) + 1> r{};
  std::size_t i = 0;
  ((r[i + 1] = r[i] + GroupTraits<P>::size, ++i), ...);
  return r;
}

template <class... P> constexpr auto declarations_of() {
  std::array<ParameterDecl, firsts<P...>().back()> r{};
  std::size_t i = 0;
  const auto add = [&](const ParameterDecl& d, int n) {
    while (n-- > 0)
      r[i++] = d;
  };
  (add(declaration<member_of<P>>(), GroupTraits<P>::size), ...);
  return r;
}

template <class R, class... P> struct SignatureOf {
  static_assert(std::is_void_v<R>, "tegula: a kernel returns void; it stores its results");
  static_assert((is_parameter<std::remove_cvref_t<P>> && ...),
                "tegula: a kernel's parameters are In<>, Out<>, OutTiles<>, InOut<>, Patch<>, AddInto<> and its like, OutIndex<>, "
                "Index<>, DistinctIndex<>, IndexOrNone<>, DistinctIndexOrNone<>, Offsets<>, Scalar<>, and groups of these");
  static_assert((!is_tile_parameter<std::remove_cvref_t<P>> && ...),
                "tegula: a kernel parameter cannot be a tile; take In<T, extents...> and load it");
  static_assert((is_taken_properly<P> && ...), "tegula: a kernel takes its parameters by value or const reference");
  using parameters = TypeList<P...>;
  static constexpr auto declarations = declarations_of<std::remove_cvref_t<P>...>();
  static constexpr bool has_output = (is_output(ParameterTraits<member_of<std::remove_cvref_t<P>>>::kind) || ...);
  static_assert(has_output,
                "tegula: a kernel needs at least one output: Out, OutTiles, InOut, OutIndex, Patch, or AddInto and its like");

  template <class F, std::size_t... I> static void call(const F& f, const std::uint32_t* ids, std::index_sequence<I...>) {
    constexpr auto first = firsts<std::remove_cvref_t<P>...>();
    f(make<std::remove_cvref_t<P>>(ids + first[I])...);
  }
  template <class F> static void body(const void* callable, const std::uint32_t* ids) {
    call(*static_cast<const F*>(callable), ids, std::index_sequence_for<P...>{});
  }

private:
  template <class Q> static Q make(const std::uint32_t* ids) {
    if constexpr (GroupTraits<Q>::is_group)
      return Q(ids);
    else
      return Q(static_cast<Value>(*ids));
  }
};

template <class C> struct CallSignature;
template <class C, class R, class... P> struct CallSignature<R (C::*)(P...) const> : SignatureOf<R, P...> {};
template <class C, class R, class... P> struct CallSignature<R (C::*)(P...) const noexcept> : SignatureOf<R, P...> {};
template <class C, class R, class... P> struct CallSignature<R (C::*)(P...)> : SignatureOf<R, P...> {
  static_assert(never<C>, "tegula: a kernel's lambda must not be mutable");
};

/// The signature of a function pointer or of a lambda.
template <class F> struct Signature : CallSignature<decltype(&F::operator())> {
  static_assert(std::is_empty_v<F>,
                "tegula: a kernel's lambda captures nothing; pass values as Scalar<T> parameters or template arguments");
};
template <class F>
  requires(std::is_class_v<F> && !requires { &F::operator(); })
struct Signature<F> {
  static_assert(never<F>, "tegula: write out the types of a kernel's parameters: In<f32, 128>, not auto");
  using parameters = TypeList<>;
  static constexpr std::array<ParameterDecl, 0> declarations{};
};
template <class R, class... P> struct Signature<R (*)(P...)> : SignatureOf<R, P...> {};
template <class R, class... P> struct Signature<R (*)(P...) noexcept> : SignatureOf<R, P...> {};

/// Runs a kernel's body: `callable` points to the F, `ids` holds one recorded value per parameter and member of a group.
using Body = void (*)(const void* callable, const std::uint32_t* ids);
template <class F> Body body_of() { return &Signature<F>::template body<F>; }

} // namespace tegula::detail

// Does an argument of a launch fit the kernel's parameter? What the types show is said when the program is compiled.
#pragma once
#include "tegula/host/group.hpp"
#include "tegula/host/refill.hpp"
#include "tegula/kernel/signature.hpp"
#include "tegula/kernel/types.hpp"

namespace tegula::host {

enum class ArgumentKind : u8 { other, tensor, view, shared, certified, lent, fresh, lent_index, fresh_below };

template <class A> struct ArgumentTraits {
  static constexpr ArgumentKind kind = ArgumentKind::other;
};
template <class T, int R, ArgumentKind K> struct WholeTraits {
  static constexpr ArgumentKind kind = K;
  static constexpr int rank = R;
  using element = T;
};
template <class T, int R> struct ArgumentTraits<Tensor<T, R>> : WholeTraits<T, R, ArgumentKind::tensor> {};
template <class T, int R> struct ArgumentTraits<View<T, R>> : WholeTraits<T, R, ArgumentKind::view> {};
template <class T, int R> struct ArgumentTraits<Shared<T, R>> : WholeTraits<T, R, ArgumentKind::shared> {};
template <class T, int R> struct ArgumentTraits<Certified<T, R>> : WholeTraits<T, R, ArgumentKind::certified> {};
template <class T, int R> struct ArgumentTraits<Lent<T, R>> : WholeTraits<T, R, ArgumentKind::lent> {};
template <class T, int R> struct ArgumentTraits<Borrowed<T, R>> : WholeTraits<T, R, ArgumentKind::lent> {};
template <class T, int R> struct ArgumentTraits<LentIndex<T, R>> : WholeTraits<T, R, ArgumentKind::lent_index> {};
template <int R> struct ArgumentTraits<Fresh<R>> {
  static constexpr ArgumentKind kind = ArgumentKind::fresh;
  static constexpr int rank = R;
};
template <int R> struct ArgumentTraits<FreshBelow<R>> {
  static constexpr ArgumentKind kind = ArgumentKind::fresh_below;
  static constexpr int rank = R;
};
constexpr bool is_lent(ArgumentKind kind) { return kind == ArgumentKind::lent || kind == ArgumentKind::lent_index; }

/// A host number for a Scalar<T>: floats take any number, integers take integers, bool takes bool.
template <class T, class A> constexpr bool fits_scalar() {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<A, bool>)
    return std::is_same_v<T, A>;
  else if constexpr (is_float(dtype_of<T>::value))
    return std::is_arithmetic_v<A> || detail::is_narrow<A>;
  else
    return std::is_integral_v<A>;
}

/// Made by frozen().
template <class A> struct Frozen {
  A value;
};

/// An argument, counted from 0: of a group a member of it.
struct Position {
  int parameter;
  int member = -1;
};
/// "launch parameter 2", or of a group "launch parameter 2[0]".
template <Position I> constexpr detail::Text parameter_text(const char* rest) {
  detail::Text text = detail::Text{}.add("tegula: launch parameter ").add(std::int64_t{I.parameter + 1});
  if (I.member >= 0)
    text.add("[").add(std::int64_t{I.member}).add("]");
  return text.add(rest);
}

template <Position I, class P, class A> constexpr bool elements_agree() {
  using Wanted = typename detail::ParameterTraits<P>::element;
  using Given = typename ArgumentTraits<A>::element;
  constexpr bool agree = std::is_same_v<Wanted, Given>;
  TEGULA_CHECK(agree, "tegula: a launch argument has elements of another type than its parameter",
               parameter_text<I>(" has elements of ")
                   .add(name(detail::dtype<Wanted>()))
                   .add(", its argument of ")
                   .add(name(detail::dtype<Given>())));
  return agree;
}
template <Position I, class P, class A> constexpr bool ranks_agree() {
  constexpr std::int64_t wanted = detail::ParameterTraits<P>::rank, given = ArgumentTraits<A>::rank;
  TEGULA_CHECK(wanted == given, "tegula: a launch argument has another rank than its parameter",
               parameter_text<I>(" has rank ").add(wanted).add(", its argument rank ").add(given));
  return wanted == given;
}
template <Position I, class P, class A, bool Lvalue> constexpr bool check_input() {
  constexpr ArgumentKind kind = ArgumentTraits<A>::kind;
  constexpr bool readable = kind == ArgumentKind::tensor || kind == ArgumentKind::view || kind == ArgumentKind::shared;
  TEGULA_CHECK(readable, "tegula: an In<> takes a tensor, a view or a shared tensor",
               parameter_text<I>(" is read: it takes a tensor, a view or a shared tensor"));
  if constexpr (readable) {
    constexpr bool lives = Lvalue || kind != ArgumentKind::tensor;
    TEGULA_CHECK(
        lives, "tegula: a temporary tensor is gone before the kernel runs: name it, or pass std::move(tensor).share()",
        parameter_text<I>(" is a temporary tensor, gone before the kernel runs: name it, or pass std::move(tensor).share()"));
    if constexpr (ranks_agree<I, P, A>())
      return elements_agree<I, P, A>() && lives;
  }
  return false;
}

/// An Index and its like, or Offsets. What exactly the values are certified to be is known only when the program runs.
template <Position I, class P, class A> constexpr bool check_index() {
  constexpr ParameterKind kind = detail::ParameterTraits<P>::kind;
  constexpr bool right = ArgumentTraits<A>::kind == ArgumentKind::certified;
  if constexpr (kind == ParameterKind::offsets) {
    TEGULA_CHECK(right, "tegula: an Offsets<> takes a certified tensor: certify(std::move(tensor), n, as_offsets)",
                 parameter_text<I>(" is offsets: it takes a certified tensor: certify(std::move(tensor), n, as_offsets)"));
  } else if constexpr (kind == ParameterKind::index) {
    TEGULA_CHECK(right, "tegula: an Index<> takes a certified index tensor: certify(std::move(tensor), n)",
                 parameter_text<I>(" is an index: it takes a certified tensor: certify(std::move(tensor), n)"));
  } else if constexpr (kind == ParameterKind::index_or_none) {
    TEGULA_CHECK(right, "tegula: an IndexOrNone<> takes a certified index tensor: certify(std::move(tensor), n, or_none)",
                 parameter_text<I>(" is an index or none: it takes a certified tensor: certify(std::move(tensor), n, or_none)"));
  } else if constexpr (kind == ParameterKind::distinct_or_none) {
    TEGULA_CHECK(
        right, "tegula: a DistinctIndexOrNone<> takes a certified index tensor: certify(std::move(tensor), n, distinct, or_none)",
        parameter_text<I>(
            " is a distinct index or none: it takes a certified tensor: certify(std::move(tensor), n, distinct, or_none)"));
  } else {
    TEGULA_CHECK(right, "tegula: a DistinctIndex<> takes a certified index tensor: certify(std::move(tensor), n, distinct)",
                 parameter_text<I>(" is a distinct index: it takes a certified tensor: certify(std::move(tensor), n, distinct)"));
  }
  if constexpr (right)
    if constexpr (ranks_agree<I, P, A>())
      return elements_agree<I, P, A>();
  return false;
}

/// Who reads what it writes needs a tensor with values.
template <class P> inline constexpr bool takes_fresh =
    detail::ParameterTraits<P>::kind == ParameterKind::out || detail::ParameterTraits<P>::kind == ParameterKind::outs;

template <Position I, class P, class A, bool Lvalue> constexpr bool check_output() {
  constexpr ArgumentKind kind = ArgumentTraits<A>::kind;
  constexpr bool is_tensor = kind == ArgumentKind::tensor, is_fresh = kind == ArgumentKind::fresh;
  constexpr bool right = is_tensor || kind == ArgumentKind::lent || (is_fresh && takes_fresh<P>);
  if constexpr (takes_fresh<P>) {
    TEGULA_CHECK(right, "tegula: an Out<> or OutTiles<> is written: it takes std::move(tensor), out(tensor) or fresh(extents...)",
                 parameter_text<I>(" is written: it takes std::move(tensor), out(tensor) or fresh(extents...)"));
  } else {
    TEGULA_CHECK(
        right,
        "tegula: an InOut<>, Patch<>, AddInto<> or one of its kin changes a tensor: it takes std::move(tensor) or out(tensor)",
        parameter_text<I>(" changes a tensor: it takes std::move(tensor) or out(tensor)"));
  }
  if constexpr (right) {
    constexpr bool moved = !is_tensor || !Lvalue;
    TEGULA_CHECK(moved, "tegula: an output is given up or lent: write std::move(tensor), or out(tensor)",
                 parameter_text<I>(" is written: write std::move(tensor) to have it returned, or out(tensor) to lend it"));
    if constexpr (ranks_agree<I, P, A>()) {
      if constexpr (is_fresh)
        return moved;
      else
        return elements_agree<I, P, A>() && moved;
    }
  }
  return false;
}

/// An OutIndex, whose values are certified when it has been written.
template <Position I, class P, class A, bool Lvalue> constexpr bool check_written_index() {
  constexpr ArgumentKind kind = ArgumentTraits<A>::kind;
  constexpr bool is_certified = kind == ArgumentKind::certified, is_fresh = kind == ArgumentKind::fresh_below;
  constexpr bool right = is_certified || is_fresh || kind == ArgumentKind::lent_index;
  TEGULA_CHECK(right, "tegula: an OutIndex<> takes fresh(extents...).below(n), std::move(certified) or out(certified)",
               parameter_text<I>(" is an index to be written: it takes fresh(extents...).below(n), std::move(certified) or "
                                 "out(certified)"));
  if constexpr (right) {
    constexpr bool moved = !is_certified || !Lvalue;
    TEGULA_CHECK(moved, "tegula: an output is given up or lent: write std::move(certified), or out(certified)",
                 parameter_text<I>(" is written: write std::move(certified) to have it returned, or out(certified) to lend it"));
    if constexpr (ranks_agree<I, P, A>()) {
      if constexpr (is_fresh)
        return moved;
      else
        return elements_agree<I, P, A>() && moved;
    }
  }
  return false;
}

template <class T, class A> constexpr bool fits_number(std::type_identity<A>) { return fits_scalar<T, A>(); }
template <class T, class A> constexpr bool fits_number(std::type_identity<Frozen<A>>) { return fits_scalar<T, A>(); }
template <Position I, class P, class A> constexpr bool check_scalar() {
  using T = typename detail::ParameterTraits<P>::element;
  constexpr bool fits = fits_number<T>(std::type_identity<A>{});
  TEGULA_CHECK(fits, "tegula: a Scalar<> takes a host number: for a float any number, for an integer an integer, for a bool a bool",
               parameter_text<I>(" is a scalar ")
                   .add(name(detail::dtype<T>()))
                   .add(is_float(detail::dtype<T>()) ? ": it takes a host number"
                        : std::is_same_v<T, bool>    ? ": it takes a bool"
                                                     : ": it takes a host integer"));
  return fits;
}

/// A is the argument's type as forwarded: an lvalue reference for an lvalue.
template <Position I, class P, class A> constexpr bool check_one() {
  using Plain = std::remove_cvref_t<A>;
  constexpr bool lvalue = std::is_lvalue_reference_v<A>;
  constexpr ParameterKind kind = detail::ParameterTraits<P>::kind;
  if constexpr (kind == ParameterKind::in)
    return check_input<I, P, Plain, lvalue>();
  else if constexpr (is_certified(kind))
    return check_index<I, P, Plain>();
  else if constexpr (kind == ParameterKind::scalar)
    return check_scalar<I, P, Plain>();
  else if constexpr (kind == ParameterKind::out_index)
    return check_written_index<I, P, Plain, lvalue>();
  else
    return check_output<I, P, Plain, lvalue>();
}

/// The members of a group that has a name are lvalues, as it is itself.
template <int I, class P, class G, class... A, std::size_t... M>
constexpr bool check_members(std::type_identity<GroupOf<A...>>, std::index_sequence<M...>) {
  constexpr bool lvalue = std::is_lvalue_reference_v<G>;
  return (int(check_one<Position{I, static_cast<int>(M)}, P, std::conditional_t<lvalue, A&, A>>()) & ...) != 0;
}
template <class A> inline constexpr std::int64_t group_size = -1;
template <class... A> inline constexpr std::int64_t group_size<GroupOf<A...>> = sizeof...(A);
template <class A> inline constexpr std::int64_t lent_members = 0;
template <class... A> inline constexpr std::int64_t lent_members<GroupOf<A...>> =
    (std::int64_t{is_lent(ArgumentTraits<std::remove_cvref_t<A>>::kind)} + ...);

template <int I, class P, class A> constexpr bool check_argument() {
  using Plain = std::remove_cvref_t<A>;
  using Traits = detail::GroupTraits<P>;
  if constexpr (!Traits::is_group) {
    return check_one<Position{I}, P, A>();
  } else {
    constexpr std::int64_t wanted = Traits::size, given = group_size<Plain>;
    TEGULA_CHECK(given >= 0, "tegula: a Group<> takes group(...)",
                 parameter_text<Position{I}>(" is a group: it takes group(...) with members: ").add(wanted));
    TEGULA_CHECK(given < 0 || given == wanted, "tegula: a group has another number of members than its parameter",
                 parameter_text<Position{I}>(" is a group of ").add(wanted).add(", its argument a group of ").add(given));
    if constexpr (given == wanted) {
      constexpr bool alike = lent_members<Plain> == 0 || lent_members<Plain> == wanted;
      TEGULA_CHECK(alike, "tegula: the members of a group are all lent by out(), or none is",
                   parameter_text<Position{I}>(" is a group of which some members are lent by out(): lend all, or none"));
      return check_members<I, typename Traits::member, A>(std::type_identity<Plain>{}, std::make_index_sequence<wanted>{}) && alike;
    }
    return false;
  }
}

/// Does the operation own what it uses? A is as forwarded: a tensor by name is borrowed, one that is given up is not.
template <class A> constexpr bool is_owned() {
  constexpr ArgumentKind kind = ArgumentTraits<std::remove_cvref_t<A>>::kind;
  return !(kind == ArgumentKind::tensor && std::is_lvalue_reference_v<A>) && kind != ArgumentKind::view && !is_lent(kind);
}
template <class A> inline constexpr bool owns = is_owned<A>();
template <class... A> inline constexpr bool owns<GroupOf<A...>> = (is_owned<A>() && ...);
template <class... A> inline constexpr bool owns<GroupOf<A...>&> = (is_owned<A>() && ...);
template <class... A> inline constexpr bool owns<const GroupOf<A...>&> = (is_owned<A>() && ...);

/// Does the launch return the tensor, as it was not lent?
template <class A> inline constexpr bool is_returned = !is_lent(ArgumentTraits<A>::kind);
template <class... A> inline constexpr bool is_returned<GroupOf<A...>> = (is_returned<std::remove_cvref_t<A>> && ...);

} // namespace tegula::host

namespace tegula {

/// A number for a Scalar<> that stays as it is now, in every replay of a graph.
template <class A>
  requires(std::is_arithmetic_v<A> || detail::is_narrow<A>)
constexpr host::Frozen<A> frozen(A value) {
  return {value};
}

} // namespace tegula

// The operators of tiles. They are hidden friends whose tile operand is not deduced: converting it to Here captures the user's
// line.
#pragma once
#include "tegula/kernel/types.hpp"

namespace tegula::detail {

constexpr const char* symbol(Op op) {
  constexpr const char* symbols[] = {"+", "-", "*",  "/",  "%",  "minimum", "maximum", "pow", "atan2", "&",
                                     "|", "^", "<<", ">>", "==", "!=",      "<",       "<=",  ">",     ">="};
  return symbols[static_cast<int>(op)];
}
constexpr bool is_comparison(Op op) { return op >= Op::eq; }
constexpr bool is_bitwise(Op op) { return op >= Op::bit_and && op <= Op::shr; }
constexpr bool is_legal(Op op, DType t) {
  if (is_comparison(op))
    return t != DType::boolean || op == Op::eq || op == Op::ne;
  if (is_bitwise(op))
    return is_integer(t) || (t == DType::boolean && op <= Op::bit_xor);
  if (op == Op::pow || op == Op::atan2)
    return is_arithmetic_float(t);
  return is_number(t);
}
constexpr Text not_legal(Op op, const TileType& t) {
  Text text;
  text.add("tegula: ").add(symbol(op)).add(" on ").type(t).add(": ");
  if (is_bitwise(op))
    return text.add("bit operators need integer tiles; bitcast or cast first");
  if (op == Op::pow || op == Op::atan2)
    return text.add("the operation needs a tile of f64, f32, f16 or bf16; cast first");
  return text.add(name(t.dtype)).add(" tiles have no arithmetic; write cast<f32>(...) first");
}

/// A tile operand together with the place in the user's source.
template <class X> struct Here {
  const X& tile;
  Loc loc;
  Here(const X& x, Loc l = Loc::current()) : tile(x), loc(l) {}
};

template <Op O, class A> constexpr bool check_legal() {
  constexpr bool legal = is_legal(O, A::type().dtype);
  TEGULA_CHECK(legal,
               "tegula: the element type lacks this operation: fp8 and bool tiles have no arithmetic, bit operators need integers; "
               "cast first",
               not_legal(O, A::type()));
  return legal;
}
template <Op O, class T, class S> using result_of = tile_of<std::conditional_t<is_comparison(O), bool, T>, S>;

/// a O b for two tiles, broadcast against each other.
template <Op O, class A, class B> auto apply_tiles(const A& a, const B& b, Loc loc) {
  using T = Mixed<typename A::element, typename B::element>;
  using Both = Broadcast<typename A::shape, typename B::shape>;
  constexpr bool same = mixes<typename A::element, typename B::element>;
  TEGULA_CHECK(same, "tegula: the element types differ; write cast<T>(...) on one side",
               dtypes_differ(A::type(), symbol(O), B::type()));
  if constexpr (!Both::fits)
    TEGULA_CHECK(Both::fits, "tegula: the shapes do not broadcast: extents must be equal or 1",
                 shapes_differ(A::type(), symbol(O), B::type()));
  using Result = result_of<O, T, typename Both::type>;
  if constexpr (check_legal<O, A>() && same && Both::fits) {
    const Value x = widened_id<T>(a, loc), y = widened_id<T>(b, loc);
    return Result(binary(O, tile_of<T, typename Both::type>::type(), x, y, loc));
  } else {
    return Result();
  }
}

/// tile O number, or number O tile.
template <Op O, bool NumberFirst, class A, class H> auto apply_number(const A& a, H number_, Loc loc) {
  using T = typename A::element;
  using Result = result_of<O, T, typename A::shape>;
  if constexpr (check_legal<O, A>()) {
    const Value x = a.id(loc), y = number<T>(A::type(), number_, loc);
    return Result(NumberFirst ? binary(O, A::type(), y, x, loc) : binary(O, A::type(), x, y, loc));
  } else {
    return Result();
  }
}

template <Op O, class A, class U> auto apply(const A& a, const U& b, Loc loc) {
  if constexpr (is_tile<U>) {
    return apply_tiles<O>(a, b, loc);
  } else if constexpr (HostNumber<U>) {
    return apply_number<O, false>(a, b, loc);
  } else {
    static_assert(never<U>, "tegula: the operand is neither a tile nor a host number (load a tile from a parameter first)");
    return A();
  }
}

/// An order on tile types, which says whose operator compares two tiles: C++20 also tries operands the other way round.
template <class A, class B> constexpr bool before() {
  const TileType &a = A::type(), &b = B::type();
  if (a.dtype != b.dtype)
    return a.dtype < b.dtype;
  if (a.rank != b.rank)
    return a.rank < b.rank;
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] != b.extents[i])
      return a.extents[i] < b.extents[i];
  return false;
}
template <class A, class U> constexpr bool compares_with() {
  if constexpr (is_tile<U>)
    return before<A, U>();
  else
    return HostNumber<U>;
}

#define TEGULA_OPERATOR(SIGN, OP)                                                                                                  \
  template <class U> friend auto operator SIGN(Here<Self> a, const U& b) { return apply<OP>(a.tile, b, a.loc); }                   \
  template <HostNumber U> friend auto operator SIGN(U a, Here<Self> b) { return apply_number<OP, true>(b.tile, a, b.loc); }
#define TEGULA_EQUALITY(SIGN, OP)                                                                                                  \
  friend auto operator SIGN(Here<Self> a, Here<Self> b) { return apply_tiles<OP>(a.tile, b.tile, a.loc); }                         \
  template <class U>                                                                                                               \
    requires(compares_with<Self, U>())                                                                                             \
  friend auto operator SIGN(Here<Self> a, const U& b) {                                                                            \
    return apply<OP>(a.tile, b, a.loc);                                                                                            \
  }                                                                                                                                \
  template <class U>                                                                                                               \
    requires(compares_with<Self, U>())                                                                                             \
  friend auto operator SIGN(const U& a, Here<Self> b) {                                                                            \
    return apply<OP>(b.tile, a, b.loc);                                                                                            \
  }

#define TEGULA_LOGIC(SIGN, OP)                                                                                                     \
  template <class U>                                                                                                               \
    requires(!HostNumber<U>)                                                                                                       \
  friend auto operator SIGN(Here<Self> a, const U& b) {                                                                            \
    return apply<OP>(a.tile, b, a.loc);                                                                                            \
  }                                                                                                                                \
  template <HostNumber U> friend auto operator SIGN(const Self& a, U b) { return apply_number<OP, false>(a, b, last_location()); } \
  template <HostNumber U> friend auto operator SIGN(U a, const Self& b) { return apply_number<OP, true>(b, a, last_location()); }

template <class Self> struct ComparisonOperators {
  TEGULA_EQUALITY(==, Op::eq)
  TEGULA_EQUALITY(!=, Op::ne)
  TEGULA_OPERATOR(<, Op::lt)
  TEGULA_OPERATOR(<=, Op::le)
  TEGULA_OPERATOR(>, Op::gt)
  TEGULA_OPERATOR(>=, Op::ge)
};

template <class Self> struct NumberOperators : ComparisonOperators<Self> {
  TEGULA_OPERATOR(+, Op::add)
  TEGULA_OPERATOR(-, Op::sub)
  TEGULA_OPERATOR(*, Op::mul)
  TEGULA_OPERATOR(/, Op::div)
  TEGULA_OPERATOR(%, Op::rem)
  friend Self operator-(Here<Self> a) {
    check_legal<Op::sub, Self>();
    return Self(elementwise("tile.neg", Self::type(), {a.tile.id(a.loc)}, a.loc));
  }
  friend Self operator+(const Self& a) { return a; }
};

template <class Self> struct IntegerOperators : NumberOperators<Self> {
  TEGULA_OPERATOR(&, Op::bit_and)
  TEGULA_OPERATOR(|, Op::bit_or)
  TEGULA_OPERATOR(^, Op::bit_xor)
  TEGULA_OPERATOR(<<, Op::shl)
  TEGULA_OPERATOR(>>, Op::shr)
  friend Self operator~(Here<Self> a) { return Self(elementwise("tile.not", Self::type(), {a.tile.id(a.loc)}, a.loc)); }
};

template <class Self> struct BoolOperators : NumberOperators<Self> {
  TEGULA_OPERATOR(&, Op::bit_and)
  TEGULA_OPERATOR(|, Op::bit_or)
  TEGULA_OPERATOR(^, Op::bit_xor)
  // These evaluate both sides. By reference where the rest are host values: with Here, the built-in operators on bool are as good.
  TEGULA_LOGIC(&&, Op::bit_and)
  TEGULA_LOGIC(||, Op::bit_or)
  friend Self operator!(const Self& a) {
    const Loc loc = last_location();
    return Self(elementwise("tile.not", Self::type(), {a.id(loc)}, loc));
  }
};
#undef TEGULA_OPERATOR
#undef TEGULA_EQUALITY
#undef TEGULA_LOGIC

template <class T, class Self> using OperatorsOf =
    std::conditional_t<is_integer(dtype<T>()), IntegerOperators<Self>,
                       std::conditional_t<std::is_same_v<T, bool>, BoolOperators<Self>, NumberOperators<Self>>>;

/// The right-hand side of a compound assignment: brought to the type of the left, or refused.
template <Op O, class Self> struct Operand {
  Value value;
  Loc loc;
  template <class U> Operand(const U& u, Loc l = Loc::current()) : value(convert(u, l)), loc(l) {}

private:
  template <class U> static Value convert(const U& u, Loc loc) {
    using T = typename Self::element;
    static_assert(is_tile<U> || HostNumber<U>, "tegula: the operand is neither a tile nor a host number");
    if constexpr (is_tile<U>) {
      using Both = Broadcast<typename Self::shape, typename U::shape>;
      constexpr bool same = std::is_same_v<T, typename U::element> || is_wider<T, typename U::element>;
      TEGULA_CHECK(same, "tegula: the element types differ; write cast<T>(...) on one side",
                   dtypes_differ(Self::type(), symbol(O), U::type()));
      constexpr bool fits = Both::fits && std::is_same_v<typename Both::type, typename Self::shape>;
      TEGULA_CHECK(fits, "tegula: a compound assignment cannot change the shape of its left side",
                   text("tegula: ", Self::type(), " ", symbol(O), "= ", U::type(),
                        ": the right side does not broadcast to the left side's shape"));
      if constexpr (same)
        return widened_id<T>(u, loc);
      else
        return Value::none;
    } else if constexpr (HostNumber<U>) {
      return number<T>(Self::type(), u, loc);
    } else {
      return Value::none;
    }
  }
};

} // namespace tegula::detail

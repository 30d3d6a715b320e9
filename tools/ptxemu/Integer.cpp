// Arithmetic of integers.
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
// Twice as wide, of the same sign.
template <class T> using Wide =
    std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                                          std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

struct Add {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(std::uint64_t(a) + std::uint64_t(b)); }
};
struct Sub {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(std::uint64_t(a) - std::uint64_t(b)); }
};
struct MulLow {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(std::uint64_t(a) * std::uint64_t(b)); }
};
struct MulHigh {
  template <class T> T operator()(T a, T b) const { return static_cast<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T))); }
};
struct MulWide {
  template <class T> auto operator()(T a, T b) const { return Wide<T>(a) * Wide<T>(b); }
};
struct MadLow {
  template <class T> T operator()(T a, T b, T c) const { return Add()(MulLow()(a, b), c); }
};
struct MadHigh {
  template <class T> T operator()(T a, T b, T c) const { return Add()(MulHigh()(a, b), c); }
};
// The third operand is as wide as the result.
template <class T> void mad_wide(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  each(mask, [=](int l) { d[l] = bits_of(MulWide()(value_of<T>(a[l]), value_of<T>(b[l]))) + c[l]; });
}
struct AddSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return clamp(std::int64_t(a) + b); }
  static std::int32_t clamp(std::int64_t x) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(std::max<std::int64_t>(x, INT32_MIN), INT32_MAX));
  }
};
struct SubSaturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return AddSaturated::clamp(std::int64_t(a) - b); }
};
// Division by zero gives all ones, as the hardware does; PTX leaves it open.
struct Div {
  template <class T> T operator()(T a, T b) const {
    if (b == 0)
      return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1))
        return Sub()(T(0), a);
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T> T operator()(T a, T b) const {
    if (b == 0)
      return a;
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1))
        return 0;
    return static_cast<T>(a % b);
  }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct Max {
  template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct Neg {
  template <class T> T operator()(T a) const { return Sub()(T(0), a); }
};
struct Abs {
  template <class T> T operator()(T a) const { return a < T(0) ? Neg()(a) : a; }
};
struct Sad {
  template <class T> T operator()(T a, T b, T c) const { return Add()(c, a < b ? Sub()(b, a) : Sub()(a, b)); }
};
template <class Op> struct Relu {
  template <class T> T operator()(T a, T b) const { return std::max(T(0), Op()(a, b)); }
};
// Two values of 16 bits in one register.
template <class T, class Op> struct Pair {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    auto low = static_cast<std::uint16_t>(Op()(static_cast<T>(a), static_cast<T>(b)));
    auto high = static_cast<std::uint16_t>(Op()(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return low | std::uint32_t(high) << 16;
  }
};
template <class Op> Handler pair_of(bool is_signed) {
  return is_signed ? binary<std::uint32_t, Pair<std::int16_t, Op>> : binary<std::uint32_t, Pair<std::uint16_t, Op>>;
}

// add, min and max of u16x2 and s16x2
void decode_pair(Decoder& decoder, bool is_signed) {
  plain_operands(decoder, 2, Type::u32);
  std::string_view root = decoder.root();
  if (root == "add")
    return decoder.emit(pair_of<Add>(is_signed));
  bool relu = decoder.take("relu");
  if (root == "min")
    return decoder.emit(relu ? pair_of<Relu<Min>>(is_signed) : pair_of<Min>(is_signed));
  if (root == "max")
    return decoder.emit(relu ? pair_of<Relu<Max>>(is_signed) : pair_of<Max>(is_signed));
  decoder.unknown();
}

Handler narrow_mul_wide(Type type) {
  switch (type) {
  case Type::u16:
    return binary<std::uint16_t, MulWide>;
  case Type::s16:
    return binary<std::int16_t, MulWide>;
  case Type::u32:
    return binary<std::uint32_t, MulWide>;
  case Type::s32:
    return binary<std::int32_t, MulWide>;
  default:
    return nullptr;
  }
}

Handler narrow_mad_wide(Type type) {
  switch (type) {
  case Type::u16:
    return mad_wide<std::uint16_t>;
  case Type::s16:
    return mad_wide<std::int16_t>;
  case Type::u32:
    return mad_wide<std::uint32_t>;
  case Type::s32:
    return mad_wide<std::int32_t>;
  default:
    return nullptr;
  }
}

void decode_product(Decoder& decoder) {
  bool mad = decoder.root() == "mad";
  bool wide = decoder.take("wide"), high = !wide && decoder.take("hi");
  if (!wide && !high)
    decoder.take("lo");
  Type type = decoder.take_type();
  plain_operands(decoder, mad ? 3 : 2, type);
  Handler handler = wide   ? (mad ? narrow_mad_wide(type) : narrow_mul_wide(type))
                    : high ? (mad ? ternary_of<MadHigh>(type) : binary_of<MulHigh>(type))
                           : (mad ? ternary_of<MadLow>(type) : binary_of<MulLow>(type));
  if (!handler)
    decoder.unknown();
  decoder.emit(handler);
}

// mul24, mad24: the low 24 bits of the operands
template <bool high> struct Mul24 {
  template <class T> T operator()(T a, T b) const {
    auto cut = [](T x) -> std::int64_t {
      return std::is_signed_v<T> ? std::int64_t(std::int32_t(std::uint32_t(x) << 8) >> 8) : std::int64_t(x & 0xffffff);
    };
    return static_cast<T>((cut(a) * cut(b)) >> (high ? 16 : 0));
  }
};

} // namespace

void decode_integer(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "mul" || root == "mad")
    return decode_product(decoder);
  if (root == "mul24") {
    bool high = decoder.take("hi");
    decoder.take("lo");
    bool is_signed = decoder.take_type() == Type::s32;
    plain_operands(decoder, 2, Type::u32);
    if (high)
      return decoder.emit(is_signed ? binary<std::int32_t, Mul24<true>> : binary<std::uint32_t, Mul24<true>>);
    return decoder.emit(is_signed ? binary<std::int32_t, Mul24<false>> : binary<std::uint32_t, Mul24<false>>);
  }
  if (decoder.take("s16x2"))
    return decode_pair(decoder, true);
  if (decoder.take("u16x2"))
    return decode_pair(decoder, false);
  bool saturated = decoder.take("sat"), relu = decoder.take("relu");
  Type type = decoder.take_type();
  if (!is_integer(type))
    decoder.unknown();
  Handler handler = nullptr;
  if (root == "neg" || root == "abs") {
    plain_operands(decoder, 1, type);
    handler = root == "neg" ? unary_of<Neg>(type) : unary_of<Abs>(type);
  } else if (root == "sad") {
    plain_operands(decoder, 3, type);
    handler = ternary_of<Sad>(type);
  } else {
    plain_operands(decoder, 2, type);
    if (saturated)
      handler = root == "add" ? binary<std::int32_t, AddSaturated> : root == "sub" ? binary<std::int32_t, SubSaturated> : nullptr;
    else if (relu)
      handler = root == "min" ? binary<std::int32_t, Relu<Min>> : root == "max" ? binary<std::int32_t, Relu<Max>> : nullptr;
    else
      handler = root == "add"   ? binary_of<Add>(type)
                : root == "sub" ? binary_of<Sub>(type)
                : root == "div" ? binary_of<Div>(type)
                : root == "rem" ? binary_of<Rem>(type)
                : root == "min" ? binary_of<Min>(type)
                : root == "max" ? binary_of<Max>(type)
                                : nullptr;
  }
  if (!handler)
    decoder.unknown();
  decoder.emit(handler);
}

namespace {

enum CarryFlag : std::uint8_t { sets_carry = 1, uses_carry = 2, subtracts = 4 };

// add and sub, and mad with the product computed before, with the carry of the lane in and out.
template <class T, class Product> void with_carry(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  Mask carry = warp.carry;
  each(mask, [&](int l) {
    unsigned into = in.flags & uses_carry ? warp.carry >> l & 1 : 0;
    Unsigned<T> x = Product()(value_of<T>(a[l]), value_of<T>(b[l]), in.kind), y = value_of<Unsigned<T>>(c[l]);
    unsigned __int128 sum = in.flags & subtracts ? (unsigned __int128)x - y - into : (unsigned __int128)x + y + into;
    d[l] = static_cast<Unsigned<T>>(sum);
    bool out = (sum >> (8 * sizeof(T))) & 1;
    carry = (carry & ~(Mask(1) << l)) | Mask(out) << l;
  });
  if (in.flags & sets_carry)
    warp.carry = carry;
}
struct First {
  template <class T> T operator()(T a, T, std::uint8_t) const { return a; }
};
struct Product {
  template <class T> T operator()(T a, T b, std::uint8_t high) const { return high ? MulHigh()(a, b) : MulLow()(a, b); }
};

} // namespace

// add.cc, addc, sub.cc, subc, mad.cc, madc
void decode_carry(Decoder& decoder) {
  std::string_view root = decoder.root();
  bool mad = root.starts_with("mad");
  decoder.out.flags =
      (decoder.take("cc") ? sets_carry : 0) | (root.ends_with('c') ? uses_carry : 0) | (root.starts_with("sub") ? subtracts : 0);
  decoder.out.kind = decoder.take("hi");
  decoder.take("lo");
  Type type = decoder.take_type();
  plain_operands(decoder, mad ? 3 : 2, type);
  if (!mad)
    decoder.out.c = decoder.out.b;
  Handler handler = mad ? for_integer(type, []<class T>() { return Handler(with_carry<T, Product>); })
                        : for_integer(type, []<class T>() { return Handler(with_carry<T, First>); });
  if (!handler)
    decoder.unknown();
  decoder.emit(handler);
}

} // namespace ptxemu

// Logic and shifts.
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};
struct Not {
  template <class T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct LogicalNot {
  template <class T> T operator()(T a) const { return a == 0; }
};

template <class Op> void predicate_binary(Warp& warp, const Instruction& in, Mask mask) {
  Mask value = Op()(warp.predicates[in.a], warp.predicates[in.b]);
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | (value & mask);
}
void predicate_not(Warp& warp, const Instruction& in, Mask mask) {
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | (~warp.predicates[in.a] & mask);
}

// Amounts above the width count as the width.
template <class T> void shift_left(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b);
  each(mask, [=](int l) {
    auto amount = static_cast<std::uint32_t>(b[l]);
    d[l] = amount >= 8 * sizeof(T) ? 0 : bits_of(static_cast<T>(value_of<T>(a[l]) << amount));
  });
}
template <class T> void shift_right(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b);
  each(mask, [=](int l) {
    auto amount = static_cast<std::uint32_t>(b[l]);
    T value = value_of<T>(a[l]);
    d[l] = amount < 8 * sizeof(T) ? bits_of(static_cast<T>(value >> amount)) : value < T(0) ? ~std::uint64_t(0) : 0;
  });
}

// shf: the high (left) or low (right) half of the shifted pair c:a, with b the second word and c the amount.
template <bool left, bool wrap> struct Funnel {
  std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t amount) const {
    amount = wrap ? amount & 31 : std::min(amount, 32U);
    std::uint64_t pair = std::uint64_t(high) << 32 | low;
    return static_cast<std::uint32_t>(left ? (pair << amount) >> 32 : pair >> amount);
  }
};

void look_up_logic(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  auto table = static_cast<std::uint32_t>(in.offset);
  each(mask, [=](int l) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 8; ++i)
      if (table >> i & 1)
        result |= (i & 4 ? static_cast<std::uint32_t>(a[l]) : ~static_cast<std::uint32_t>(a[l])) &
                  (i & 2 ? static_cast<std::uint32_t>(b[l]) : ~static_cast<std::uint32_t>(b[l])) &
                  (i & 1 ? static_cast<std::uint32_t>(c[l]) : ~static_cast<std::uint32_t>(c[l]));
    d[l] = result;
  });
}

void decode_logic(Decoder& decoder) {
  std::string_view root = decoder.root();
  Type type = decoder.take_type();
  if (type == Type::pred) {
    decoder.out.d = decoder.predicate(0);
    decoder.out.a = decoder.predicate(1);
    if (root == "not")
      return decoder.emit(predicate_not);
    decoder.out.b = decoder.predicate(2);
    return decoder.emit(root == "and" ? predicate_binary<And> : root == "or" ? predicate_binary<Or> : predicate_binary<Xor>);
  }
  bool one = root == "not" || root == "cnot";
  plain_operands(decoder, one ? 1 : 2, type);
  decoder.emit(root == "not"    ? unary_of<Not>(type)
               : root == "cnot" ? unary_of<LogicalNot>(type)
               : root == "and"  ? binary_of<And>(type)
               : root == "or"   ? binary_of<Or>(type)
                                : binary_of<Xor>(type));
}

void decode_shift(Decoder& decoder) {
  if (decoder.root() == "shf") {
    bool left = decoder.take("l"), wrap = decoder.take("wrap");
    decoder.ignore({"r", "clamp", "b32"});
    plain_operands(decoder, 3, Type::u32);
    return decoder.emit(left ? (wrap ? ternary<std::uint32_t, Funnel<true, true>> : ternary<std::uint32_t, Funnel<true, false>>)
                             : (wrap ? ternary<std::uint32_t, Funnel<false, true>> : ternary<std::uint32_t, Funnel<false, false>>));
  }
  bool left = decoder.root() == "shl";
  Type type = decoder.take_type();
  plain_operands(decoder, 2, type);
  decoder.emit(for_integer(type, [&]<class T>() { return Handler(left ? shift_left<T> : shift_right<T>); }));
}

void decode_look_up(Decoder& decoder) {
  decoder.take("b32");
  decoder.need(5);
  decoder.out.offset = static_cast<std::int64_t>(decoder.operand(4).value);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1);
  decoder.out.b = decoder.source(2);
  decoder.out.c = decoder.source(3);
  decoder.emit(look_up_logic);
}

} // namespace

void decode_bits(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "lop3")
    return decode_look_up(decoder);
  if (root.starts_with("sh"))
    return decode_shift(decoder);
  decode_logic(decoder);
}

} // namespace ptxemu

// Fields, bytes and counts of bits.
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

template <class T> void extract_field(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  constexpr unsigned width = 8 * sizeof(T);
  each(mask, [=](int l) {
    auto value = static_cast<std::make_unsigned_t<T>>(a[l]);
    unsigned position = b[l] & 0xff, length = c[l] & 0xff;
    bool negative = std::is_signed_v<T> && length > 0 && (value >> std::min(position + length - 1, width - 1) & 1);
    std::uint64_t field = position < width ? std::uint64_t(value) >> position : 0;
    std::uint64_t kept = length >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << length) - 1;
    if (position < width)
      kept &= ~std::uint64_t(0) >> (64 - (width - position));
    else
      kept = 0;
    d[l] = bits_of(static_cast<T>(negative ? (field & kept) | ~kept : field & kept));
  });
}

template <class T> void insert_field(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c), *f = warp.reg(in.f);
  each(mask, [=](int l) {
    unsigned position = c[l] & 0xff, length = f[l] & 0xff;
    T field = position >= 8 * sizeof(T) ? 0 : static_cast<T>((length >= 8 * sizeof(T) ? ~T(0) : (T(1) << length) - 1) << position);
    T value = position >= 8 * sizeof(T) ? 0 : static_cast<T>(static_cast<T>(a[l]) << position);
    d[l] = (static_cast<T>(b[l]) & ~field) | (value & field);
  });
}

enum class Permute : std::uint8_t { general, f4e, b4e, rc8, ecl, ecr, rc16 };

std::uint32_t selector_of(Permute mode, std::uint32_t c) {
  c &= 3;
  switch (mode) {
  case Permute::f4e:
    return c | (c + 1) << 4 | (c + 2) << 8 | (c + 3) << 12;
  case Permute::b4e:
    return c | ((c + 7) & 7) << 4 | ((c + 6) & 7) << 8 | ((c + 5) & 7) << 12;
  case Permute::rc8:
    return c * 0x1111;
  case Permute::ecl:
    return std::max(c, 0U) | std::max(c, 1U) << 4 | std::max(c, 2U) << 8 | 3U << 12;
  case Permute::ecr:
    return 0 | std::min(c, 1U) << 4 | std::min(c, 2U) << 8 | std::min(c, 3U) << 12;
  default:
    return (c & 1 ? 0x3232U : 0x1010U);
  }
}

void permute(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  auto mode = static_cast<Permute>(in.kind);
  each(mask, [=](int l) {
    std::uint64_t pair = (b[l] << 32) | static_cast<std::uint32_t>(a[l]);
    auto selector = static_cast<std::uint32_t>(c[l]);
    if (mode != Permute::general)
      selector = selector_of(mode, selector);
    std::uint32_t result = 0;
    for (int i = 0; i < 4; ++i, selector >>= 4) {
      auto byte = static_cast<std::uint8_t>(pair >> (8 * (selector & 7)));
      if (selector & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= std::uint32_t(byte) << (8 * i);
    }
    d[l] = result;
  });
}

struct CountOnes {
  template <class T> std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::popcount(a)); }
};
struct LeadingZeros {
  template <class T> std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};
struct Reverse {
  template <class T> T operator()(T a) const {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)
      result = static_cast<T>(result << 1 | (a >> i & 1));
    return result;
  }
};
template <bool shift> struct FindBit {
  template <class T> std::uint32_t operator()(T a) const {
    auto value = static_cast<std::make_unsigned_t<T>>(a < T(0) ? ~a : a);
    if (value == 0)
      return ~0U;
    auto zeros = static_cast<std::uint32_t>(std::countl_zero(value));
    return shift ? zeros : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros;
  }
};
template <bool wrap> struct BitMask {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    if (wrap)
      a &= 31, b &= 31;
    std::uint64_t ones = (std::uint64_t(1) << std::min(b, 32U)) - 1;
    return static_cast<std::uint32_t>(a >= 32 ? 0 : ones << a);
  }
};
// The low bits of a value, extended by its sign or by zeros.
template <bool wrap> struct Extend {
  template <class T> T operator()(T a, T b) const {
    auto length = static_cast<std::uint32_t>(b);
    length = wrap ? length & 31 : std::min(length, 32U);
    if (length == 0)
      return 0;
    return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - length)) >> (32 - length));
  }
};

// dp4a and dp2a: kind bit 0: a is signed, bit 1: b is signed, bit 2: dp2a, bit 3: the high half of b
void dot_product(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  int kind = in.kind;
  each(mask, [=](int l) {
    auto byte = [](std::uint64_t value, int i, bool is_signed) -> std::int64_t {
      auto bits = static_cast<std::uint8_t>(value >> (8 * i));
      return is_signed ? std::int64_t(static_cast<std::int8_t>(bits)) : bits;
    };
    auto half = [](std::uint64_t value, int i, bool is_signed) -> std::int64_t {
      auto bits = static_cast<std::uint16_t>(value >> (16 * i));
      return is_signed ? std::int64_t(static_cast<std::int16_t>(bits)) : bits;
    };
    std::int64_t sum = static_cast<std::int32_t>(c[l]);
    for (int i = 0; i < (kind & 4 ? 2 : 4); ++i)
      sum += kind & 4 ? half(a[l], i, kind & 1) * byte(b[l], i + (kind & 8 ? 2 : 0), kind & 2)
                      : byte(a[l], i, kind & 1) * byte(b[l], i, kind & 2);
    d[l] = static_cast<std::uint32_t>(sum);
  });
}

void decode_permute(Decoder& decoder) {
  decoder.take("b32");
  static const std::map<std::string_view, Permute> modes = {{"f4e", Permute::f4e}, {"b4e", Permute::b4e}, {"rc8", Permute::rc8},
                                                            {"ecl", Permute::ecl}, {"ecr", Permute::ecr}, {"rc16", Permute::rc16}};
  for (auto [name, mode] : modes)
    if (decoder.take(name))
      decoder.out.kind = static_cast<std::uint8_t>(mode);
  plain_operands(decoder, 3, Type::u32);
  decoder.emit(permute);
}

void decode_field(Decoder& decoder) {
  Type type = decoder.take_type();
  bool wide = bytes_of(type) == 8;
  if (decoder.root() == "bfe") {
    plain_operands(decoder, 3, type);
    return decoder.emit(for_integer(type, []<class T>() { return Handler(extract_field<T>); }));
  }
  decoder.need(5);
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1);
  decoder.out.b = decoder.source(2);
  decoder.out.c = decoder.source(3);
  decoder.out.f = decoder.source(4);
  decoder.emit(wide ? insert_field<std::uint64_t> : insert_field<std::uint32_t>);
}

void decode_dot(Decoder& decoder) {
  bool pairs = decoder.root() == "dp2a", high = decoder.take("hi");
  decoder.take("lo");
  bool a = is_signed(decoder.take_type()), b = is_signed(decoder.take_type());
  decoder.out.kind = static_cast<std::uint8_t>(a | b << 1 | pairs << 2 | high << 3);
  plain_operands(decoder, 3, Type::u32);
  decoder.emit(dot_product);
}

} // namespace

void decode_fields(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "prmt")
    return decode_permute(decoder);
  if (root == "bfe" || root == "bfi")
    return decode_field(decoder);
  if (root.starts_with("dp"))
    return decode_dot(decoder);
  bool shift = decoder.take("shiftamt"), wrap = decoder.take("wrap");
  decoder.take("clamp");
  Type type = decoder.take_type();
  bool wide = bytes_of(type) == 8;
  if (root == "bmsk" || root == "szext") {
    plain_operands(decoder, 2, type);
    if (root == "bmsk")
      return decoder.emit(wrap ? binary<std::uint32_t, BitMask<true>> : binary<std::uint32_t, BitMask<false>>);
    if (is_signed(type))
      return decoder.emit(wrap ? binary<std::int32_t, Extend<true>> : binary<std::int32_t, Extend<false>>);
    return decoder.emit(wrap ? binary<std::uint32_t, Extend<true>> : binary<std::uint32_t, Extend<false>>);
  }
  plain_operands(decoder, 1, type);
  if (root == "popc")
    return decoder.emit(wide ? unary<std::uint64_t, CountOnes> : unary<std::uint32_t, CountOnes>);
  if (root == "clz")
    return decoder.emit(wide ? unary<std::uint64_t, LeadingZeros> : unary<std::uint32_t, LeadingZeros>);
  if (root == "brev")
    return decoder.emit(wide ? unary<std::uint64_t, Reverse> : unary<std::uint32_t, Reverse>);
  decoder.emit(shift ? unary_of<FindBit<true>>(type) : unary_of<FindBit<false>>(type)); // bfind
}

} // namespace ptxemu

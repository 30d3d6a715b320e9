// selp, slct, testp
#include <cmath>
#include <limits>

#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

template <class T> void select(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b);
  Mask first = warp.predicates[in.c];
  each(mask, [=](int l) { d[l] = static_cast<T>(first >> l & 1 ? a[l] : b[l]); });
}

// slct: a where c is not negative
template <class T, class C> void select_by_sign(Warp& warp, const Instruction& in, Mask mask) {
  std::uint64_t *d = warp.reg(in.d), *a = warp.reg(in.a), *b = warp.reg(in.b), *c = warp.reg(in.c);
  each(mask, [=](int l) { d[l] = static_cast<T>(value_of<C>(c[l]) >= C(0) ? a[l] : b[l]); });
}

template <class T> bool has_property(T x, std::uint8_t kind) {
  bool normal = std::fabs(x) >= std::numeric_limits<T>::min() && std::isfinite(x);
  switch (kind) {
  case 0:
    return std::isfinite(x);
  case 1:
    return std::isinf(x);
  case 2:
    return !std::isnan(x);
  case 3:
    return std::isnan(x);
  case 4:
    return normal || x == 0;
  default:
    return !normal && x != 0 && std::isfinite(x);
  }
}

template <class T> void test_property(Warp& warp, const Instruction& in, Mask mask) {
  Mask value = 0;
  each(mask, [&](int l) { value |= Mask(has_property(value_of<T>(warp.registers[in.a + l]), in.kind)) << l; });
  warp.predicates[in.d] = (warp.predicates[in.d] & ~mask) | value;
}

} // namespace

void decode_select(Decoder& decoder) {
  std::string_view root = decoder.root();
  if (root == "testp") {
    static constexpr std::string_view properties[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    for (std::uint8_t i = 0; i < 6; ++i)
      if (decoder.take(properties[i]))
        decoder.out.kind = i;
    Type type = decoder.take_type();
    decoder.out.d = decoder.predicate(0);
    decoder.out.a = decoder.source(1, type);
    return decoder.emit(type == Type::f64 ? test_property<double> : test_property<float>);
  }
  decoder.need(4);
  bool by_sign = root == "slct";
  decoder.take("ftz");
  Type type = decoder.take_type();
  int bytes = bytes_of(type);
  decoder.out.a = decoder.source(1, type);
  decoder.out.b = decoder.source(2, type);
  decoder.out.d = decoder.result(0);
  if (!by_sign) {
    decoder.out.c = decoder.predicate(3);
    return decoder.emit(bytes == 8 ? select<std::uint64_t> : bytes == 4 ? select<std::uint32_t> : select<std::uint16_t>);
  }
  bool real = decoder.take_type() == Type::f32;
  decoder.out.c = decoder.source(3);
  if (bytes == 8)
    return decoder.emit(real ? select_by_sign<std::uint64_t, float> : select_by_sign<std::uint64_t, std::int32_t>);
  decoder.emit(real ? select_by_sign<std::uint32_t, float> : select_by_sign<std::uint32_t, std::int32_t>);
}

} // namespace ptxemu

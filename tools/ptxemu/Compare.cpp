// setp, set
#include <cmath>

#include "tools/ptxemu/Elementwise.h"
#include "tools/ptxemu/Formats.h"

namespace ptxemu {
namespace {

enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge, num, nan };
enum class Join : std::uint8_t { none, conj, disj, exclusive };
enum CompareFlag : std::uint8_t { unordered = 1, flush = 2, real_result = 4 };

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

template <class T> auto comparable(std::uint64_t bits, bool flushes) {
  if constexpr (std::is_same_v<T, Half>) {
    return f16_to_float(static_cast<std::uint16_t>(bits));
  } else if constexpr (std::is_same_v<T, Brain>) {
    return bf16_to_float(static_cast<std::uint16_t>(bits));
  } else if constexpr (std::is_same_v<T, float>) {
    float value = value_of<float>(bits);
    return flushes && std::fabs(value) < 0x1p-126F ? 0.0F : value;
  } else {
    return value_of<T>(bits);
  }
}

template <class T> bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  else
    return false;
}

template <Relation relation, class T> bool holds(T a, T b) {
  switch (relation) {
  case Relation::eq:
    return a == b;
  case Relation::ne:
    return a < b || a > b;
  case Relation::lt:
    return a < b;
  case Relation::le:
    return a <= b;
  case Relation::gt:
    return a > b;
  case Relation::ge:
    return a >= b;
  case Relation::num:
    return !is_nan(a) && !is_nan(b);
  case Relation::nan:
    return is_nan(a) || is_nan(b);
  }
}

// Bits of the lanes for which the relation holds between values `shift` bits up in the registers.
template <class T, Relation relation> Mask compare(Warp& warp, const Instruction& in, Mask mask, int shift) {
  std::uint64_t *a = warp.reg(in.a), *b = warp.reg(in.b);
  bool flushes = in.flags & flush;
  Mask result = 0;
  each(mask, [&](int l) {
    auto x = comparable<T>(a[l] >> shift, flushes), y = comparable<T>(b[l] >> shift, flushes);
    bool value = holds<relation>(x, y) || ((in.flags & unordered) && (is_nan(x) || is_nan(y)));
    result |= Mask(value) << l;
  });
  return result;
}

using Comparison = Mask (*)(Warp&, const Instruction&, Mask, int);

template <class T> Comparison comparison_of(Relation relation) {
  constexpr Comparison all[] = {compare<T, Relation::eq>,  compare<T, Relation::ne>, compare<T, Relation::lt>,
                                compare<T, Relation::le>,  compare<T, Relation::gt>, compare<T, Relation::ge>,
                                compare<T, Relation::num>, compare<T, Relation::nan>};
  return all[static_cast<int>(relation)];
}

Mask run_comparison(Warp& warp, const Instruction& in, Mask mask, int shift) {
  auto relation = static_cast<Relation>(in.kind);
  switch (static_cast<Type>(in.bytes)) {
  case Type::u8:
    return comparison_of<std::uint8_t>(relation)(warp, in, mask, shift);
  case Type::u16:
    return comparison_of<std::uint16_t>(relation)(warp, in, mask, shift);
  case Type::u32:
    return comparison_of<std::uint32_t>(relation)(warp, in, mask, shift);
  case Type::u64:
    return comparison_of<std::uint64_t>(relation)(warp, in, mask, shift);
  case Type::s8:
    return comparison_of<std::int8_t>(relation)(warp, in, mask, shift);
  case Type::s16:
    return comparison_of<std::int16_t>(relation)(warp, in, mask, shift);
  case Type::s32:
    return comparison_of<std::int32_t>(relation)(warp, in, mask, shift);
  case Type::s64:
    return comparison_of<std::int64_t>(relation)(warp, in, mask, shift);
  case Type::f16:
  case Type::f16x2:
    return comparison_of<Half>(relation)(warp, in, mask, shift);
  case Type::bf16:
  case Type::bf16x2:
    return comparison_of<Brain>(relation)(warp, in, mask, shift);
  case Type::f64:
    return comparison_of<double>(relation)(warp, in, mask, shift);
  default:
    return comparison_of<float>(relation)(warp, in, mask, shift);
  }
}

void put(Warp& warp, std::uint32_t predicate, Mask value, Mask mask) {
  warp.predicates[predicate] = (warp.predicates[predicate] & ~mask) | (value & mask);
}

Mask joined(Warp& warp, const Instruction& in, Mask value) {
  switch (static_cast<Join>(in.count)) {
  case Join::conj:
    return value & warp.predicates[in.c];
  case Join::disj:
    return value | warp.predicates[in.c];
  case Join::exclusive:
    return value ^ warp.predicates[in.c];
  default:
    return value;
  }
}

// Of a pair the second predicate is that of the upper half; else it is the opposite of the first.
void set_predicates(Warp& warp, const Instruction& in, Mask mask) {
  auto type = static_cast<Type>(in.bytes);
  Mask first = run_comparison(warp, in, mask, 0);
  Mask second = type == Type::f16x2 || type == Type::bf16x2 ? run_comparison(warp, in, mask, 16) : ~first;
  put(warp, in.d, joined(warp, in, first), mask);
  put(warp, in.e, joined(warp, in, second), mask);
}

template <class T, Relation relation> void set_predicate(Warp& warp, const Instruction& in, Mask mask) {
  put(warp, in.d, compare<T, relation>(warp, in, mask, 0), mask);
}

// The frequent case: no second result, nothing joined.
template <class T> Handler simple_handler(Relation relation) {
  constexpr Handler all[] = {set_predicate<T, Relation::eq>,  set_predicate<T, Relation::ne>, set_predicate<T, Relation::lt>,
                             set_predicate<T, Relation::le>,  set_predicate<T, Relation::gt>, set_predicate<T, Relation::ge>,
                             set_predicate<T, Relation::num>, set_predicate<T, Relation::nan>};
  return all[static_cast<int>(relation)];
}

Handler simple_handler(Type type, Relation relation) {
  switch (type) {
  case Type::u16:
    return simple_handler<std::uint16_t>(relation);
  case Type::s16:
    return simple_handler<std::int16_t>(relation);
  case Type::u32:
    return simple_handler<std::uint32_t>(relation);
  case Type::s32:
    return simple_handler<std::int32_t>(relation);
  case Type::u64:
    return simple_handler<std::uint64_t>(relation);
  case Type::s64:
    return simple_handler<std::int64_t>(relation);
  case Type::f32:
    return simple_handler<float>(relation);
  case Type::f64:
    return simple_handler<double>(relation);
  default:
    return set_predicates;
  }
}

// set: all ones or 1.0 where the relation holds.
void set_value(Warp& warp, const Instruction& in, Mask mask) {
  Mask value = joined(warp, in, run_comparison(warp, in, mask, 0));
  auto type = static_cast<Type>(in.bytes);
  bool pair = type == Type::f16x2 || type == Type::bf16x2;
  Mask upper = pair ? joined(warp, in, run_comparison(warp, in, mask, 16)) : 0;
  auto truth = static_cast<std::uint64_t>(in.offset);
  each(mask, [&](int l) { warp.registers[in.d + l] = (value >> l & 1 ? truth : 0) | (upper >> l & 1 ? truth << 16 : 0); });
}

void take_relation(Decoder& decoder) {
  struct Row {
    Relation relation;
    bool unordered;
  };
  static const std::map<std::string_view, Row> names = {
      {"eq", {Relation::eq, false}},   {"ne", {Relation::ne, false}},  {"lt", {Relation::lt, false}}, {"le", {Relation::le, false}},
      {"gt", {Relation::gt, false}},   {"ge", {Relation::ge, false}},  {"lo", {Relation::lt, false}}, {"ls", {Relation::le, false}},
      {"hi", {Relation::gt, false}},   {"hs", {Relation::ge, false}},  {"equ", {Relation::eq, true}}, {"neu", {Relation::ne, true}},
      {"ltu", {Relation::lt, true}},   {"leu", {Relation::le, true}},  {"gtu", {Relation::gt, true}}, {"geu", {Relation::ge, true}},
      {"num", {Relation::num, false}}, {"nan", {Relation::nan, false}}};
  auto found = names.find(decoder.take_any());
  if (found == names.end())
    decoder.unknown();
  decoder.out.kind = static_cast<std::uint8_t>(found->second.relation);
  decoder.out.flags = (found->second.unordered ? unordered : 0) | (decoder.take("ftz") ? flush : 0);
  Join join = decoder.take("and")   ? Join::conj
              : decoder.take("or")  ? Join::disj
              : decoder.take("xor") ? Join::exclusive
                                    : Join::none;
  decoder.out.count = static_cast<std::uint8_t>(join);
}

void decode_setp(Decoder& decoder) {
  take_relation(decoder);
  Type type = decoder.take_type();
  decoder.out.bytes = static_cast<std::uint8_t>(type);
  bool join = decoder.out.count != 0;
  decoder.need(join ? 4 : 3);
  const Operand& to = decoder.operand(0);
  decoder.out.a = decoder.source(1, type);
  decoder.out.b = decoder.source(2, type);
  if (join)
    decoder.out.c = decoder.predicate(3);
  decoder.out.d = decoder.predicate_named(to.text);
  bool simple = !join && to.second.empty();
  decoder.out.e = decoder.predicate_named(to.second.empty() ? "_" : to.second);
  decoder.emit(simple ? simple_handler(type, static_cast<Relation>(decoder.out.kind)) : set_predicates);
}

void decode_set(Decoder& decoder) {
  take_relation(decoder);
  Type to = decoder.take_type(), type = decoder.take_type();
  decoder.out.bytes = static_cast<std::uint8_t>(type);
  switch (to) {
  case Type::f32:
    decoder.out.offset = 0x3f800000;
    break;
  case Type::f16:
  case Type::f16x2:
    decoder.out.offset = 0x3c00;
    break;
  case Type::bf16:
  case Type::bf16x2:
    decoder.out.offset = 0x3f80;
    break;
  default:
    decoder.out.offset = bytes_of(to) == 2 || is_half(type) ? 0xffff : 0xffffffff;
  }
  decoder.out.d = decoder.result(0);
  decoder.out.a = decoder.source(1, type);
  decoder.out.b = decoder.source(2, type);
  if (decoder.out.count)
    decoder.out.c = decoder.predicate(3);
  decoder.emit(set_value);
}

} // namespace

void decode_compare(Decoder& decoder) {
  if (decoder.root() == "setp")
    decode_setp(decoder);
  else
    decode_set(decoder);
}

} // namespace ptxemu

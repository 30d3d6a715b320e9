// Conditions of a launch, evaluated as the kernel would: every operation wraps in its type and has a result for all operands.
#include "lib/prove/Condition.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tegula {
namespace {

using Op = Uniform::Op;
using i128 = __int128;
using u128 = unsigned __int128;

/// The number of a type that has these low bits. u64 is carried as the i64 with its bits.
i64 wrapped(u64 bits, DType dtype) {
  switch (dtype) {
  case DType::i32:
    return static_cast<i32>(bits);
  case DType::i16:
    return static_cast<i16>(bits);
  case DType::i8:
    return static_cast<i8>(bits);
  case DType::u32:
    return static_cast<u32>(bits);
  case DType::u16:
    return static_cast<u16>(bits);
  case DType::u8:
    return static_cast<u8>(bits);
  case DType::boolean:
    return bits != 0;
  default:
    return static_cast<i64>(bits);
  }
}

bool less(i64 a, i64 b, DType dtype) { return dtype == DType::u64 ? static_cast<u64>(a) < static_cast<u64>(b) : a < b; }

u64 divided(i64 a, i64 b, DType dtype) {
  if (b == 0)
    return 0;
  if (dtype == DType::u64)
    return static_cast<u64>(a) / static_cast<u64>(b);
  return b == -1 ? -static_cast<u64>(a) : static_cast<u64>(a / b);
}

u64 shifted_right(i64 a, u64 count, DType dtype) {
  if (dtype == DType::u64)
    return count < 64 ? static_cast<u64>(a) >> count : 0;
  return static_cast<u64>(a >> std::min<u64>(count, 63)); // narrower ones are extended by their sign or zeros
}

u64 binary(Op op, i64 a, i64 b, DType dtype) {
  const u64 x = static_cast<u64>(a), y = static_cast<u64>(b);
  switch (op) {
  case Op::add:
    return x + y;
  case Op::sub:
    return x - y;
  case Op::mul:
    return x * y;
  case Op::div:
    return divided(a, b, dtype);
  case Op::rem:
    return b == 0 ? x : x - divided(a, b, dtype) * y;
  case Op::min:
    return less(b, a, dtype) ? y : x;
  case Op::max:
    return less(a, b, dtype) ? y : x;
  case Op::eq:
    return a == b;
  case Op::ne:
    return a != b;
  case Op::lt:
    return less(a, b, dtype);
  case Op::le:
    return !less(b, a, dtype);
  case Op::gt:
    return less(b, a, dtype);
  case Op::ge:
    return !less(a, b, dtype);
  case Op::bit_and:
    return x & y;
  case Op::bit_or:
    return x | y;
  case Op::bit_xor:
    return x ^ y;
  case Op::shl:
    return y < 64 ? x << y : 0;
  default:
    return shifted_right(a, y, dtype);
  }
}

u64 unary(Op op, i64 a, DType dtype) {
  const u64 x = static_cast<u64>(a);
  switch (op) {
  case Op::neg:
    return -x;
  case Op::abs:
    return a < 0 && dtype != DType::u64 ? -x : x;
  case Op::bit_not:
    return dtype == DType::boolean ? x ^ 1 : ~x;
  default: // cast
    return x;
  }
}

i64 tiles_of(const LaunchShape::Parameter& parameter, std::size_t axis) {
  const i64 extent = parameter.extents[axis], tile = parameter.tile[axis];
  return extent / tile + (extent % tile != 0);
}

i64 leaf(const Uniform::Node& node, const LaunchShape& launch) {
  if (node.op == Op::constant)
    return wrapped(static_cast<u64>(node.value), node.dtype);
  if (node.op == Op::programs)
    return launch.programs;
  const LaunchShape::Parameter& parameter = launch.parameters[static_cast<std::size_t>(node.parameter)];
  if (node.op == Op::scalar || node.op == Op::bound)
    return parameter.value;
  if (node.op == Op::dim)
    return parameter.extents[static_cast<std::size_t>(node.axis)];
  if (node.axis >= 0)
    return tiles_of(parameter, static_cast<std::size_t>(node.axis));
  u64 all = 1;
  for (std::size_t axis = 0; axis < parameter.extents.size(); ++axis)
    all *= static_cast<u64>(tiles_of(parameter, axis));
  return static_cast<i64>(all);
}

bool is_comparison(Op op) { return op >= Op::eq && op <= Op::ge; }
bool is_unary(Op op) { return op == Op::neg || op == Op::abs || op == Op::bit_not || op == Op::cast; }

i128 number_of(i64 value, const Uniform::Node& node) {
  return node.dtype == DType::u64 && !is_comparison(node.op) ? static_cast<i128>(static_cast<u64>(value)) : value;
}

/// What mathematics gives; nothing if that is not said in numbers (bits), or if it is what the operation gives anyway.
std::optional<i128> ideal(const Uniform::Node& node, i128 a, i128 b) {
  switch (node.op) {
  case Op::add:
    return a + b;
  case Op::sub:
    return a - b;
  case Op::mul:
    return a * b; // of 64 bits each, so that it fits
  case Op::div:
    return b == 0 ? 0 : a / b;
  case Op::neg:
    return -a;
  case Op::abs:
    return a < 0 ? -a : a;
  case Op::cast:
    return node.dtype == DType::boolean ? i128(a != 0) : a;
  case Op::shl:
    return a != 0 && (b < 0 || b > 62) ? std::optional<i128>(i128{1} << 100) : a * (i128{1} << (b < 0 || b > 62 ? 0 : b));
  default:
    return std::nullopt;
  }
}

i64 bits_of(i128 number) { return static_cast<i64>(static_cast<u64>(number)); }

/// Runs the nodes in order; nothing if a product has more than 127 bits. `visit` gets each operation with its operands and result.
template <class Visit> std::optional<i128> run(const Uniform& uniform, const LaunchShape& launch, const Visit& visit) {
  std::array<i128, 64> few;
  std::vector<i128> many; // for expressions longer than anyone writes
  i128* top = few.data();
  if (uniform.nodes.size() > few.size()) {
    many.resize(uniform.nodes.size());
    top = many.data();
  }
  for (const Uniform::Node& node : uniform.nodes) {
    if (node.op < Op::add) {
      *top++ = number_of(leaf(node, launch), node);
    } else if (node.op == Op::select) {
      top -= 2;
      top[-1] = top[-1] != 0 ? top[0] : top[1];
    } else {
      const i128 b = is_unary(node.op) ? 0 : *--top, a = top[-1];
      if (node.op == Op::product) {
        if (__builtin_mul_overflow(a, b, &top[-1]))
          return std::nullopt;
        continue;
      }
      top[-1] = number_of(compute(node.op, node.dtype, bits_of(a), bits_of(b)), node);
      visit(node, a, b, top[-1]);
    }
  }
  return top[-1];
}

} // namespace

i64 compute(Op op, DType dtype, i64 a, i64 b) {
  const u64 bits = is_unary(op) ? unary(op, a, dtype) : binary(op, a, b, dtype);
  return is_comparison(op) ? static_cast<i64>(bits) : wrapped(bits, dtype);
}

i64 Uniform::evaluate(const LaunchShape& launch) const { return bits_of(exactly(launch).value_or(0)); }

std::optional<i128> Uniform::exactly(const LaunchShape& launch) const {
  return run(*this, launch, [](const Node&, i128, i128, i128) {});
}

bool Uniform::wraps(const LaunchShape& launch) const {
  bool wraps = false;
  run(*this, launch, [&](const Node& node, i128 a, i128 b, i128 value) {
    const std::optional<i128> wanted = ideal(node, a, b);
    wraps |= wanted && *wanted != value;
  });
  return wraps;
}

bool Inequality::holds(const LaunchShape& launch) const {
  // A product has 127 bits, a sum of some has more: it is kept in two parts of 64 bits each and room above.
  i128 high = constant >> 63;
  u128 low = static_cast<u64>(constant);
  for (const auto& [factor, term] : sum) {
    const std::optional<i128> value = term.exactly(launch);
    i128 product = 0;
    if (!value || __builtin_mul_overflow(*value, i128{factor}, &product))
      return false;
    high += product >> 64;
    low += static_cast<u64>(product);
  }
  return high + static_cast<i128>(low >> 64) >= 0;
}

bool Inequality::says_empty() const {
  i64 least = 0; // what the sum is if each is 1
  for (const auto& [factor, term] : sum) {
    const Op op = term.nodes.size() == 1 ? term.nodes[0].op : Op::constant;
    if (factor >= 0 || (op != Op::dim && op != Op::tiles && op != Op::bound) || __builtin_sub_overflow(least, factor, &least))
      return false;
  }
  return least > 0 && constant < least;
}

bool LaunchCondition::wraps(const LaunchShape& launch) const {
  return is_expected() && std::ranges::any_of(any_of, [&](const Inequality& inequality) {
           return std::ranges::any_of(inequality.sum, [&](const auto& term) { return term.second.wraps(launch); });
         });
}

bool LaunchCondition::holds(const LaunchShape& launch) const {
  return std::ranges::any_of(any_of, [&](const Inequality& inequality) { return inequality.holds(launch); }) && !wraps(launch);
}

} // namespace tegula

// mma.sync: a product of small matrices that the registers of a warp hold.
#include "tools/ptxemu/ConvertFloat.h"
#include "tools/ptxemu/Elementwise.h"

namespace ptxemu {
namespace {

enum MmaFlag : std::uint8_t { saturates = 1 };

constexpr int most = 32; // k

// in.bytes: rows (8 or 16), in.count: k, in.kind: A's type, in.offset: the others' types; the list: d, a, b, c
struct Shape {
  int rows, k;
  Type d, a, b, c;
};
Shape shape_of(const Instruction& in) {
  return {in.bytes,
          in.count,
          static_cast<Type>(in.offset & 0xff),
          static_cast<Type>(in.kind),
          static_cast<Type>(in.offset >> 8 & 0xff),
          static_cast<Type>(in.offset >> 16 & 0xff)};
}

// Elements in one register.
int per_register(Type type) { return bytes_of(type) >= 4 ? 1 : 4 / bytes_of(type); }

double element(std::uint64_t bits, Type type, int i) {
  if (type == Type::f64)
    return std::bit_cast<double>(bits);
  auto part = static_cast<std::uint32_t>(bits) >> (8 * bytes_of(type) * i);
  switch (type) {
  case Type::s8:
    return static_cast<std::int8_t>(part);
  case Type::u8:
    return static_cast<std::uint8_t>(part);
  case Type::s32:
    return static_cast<std::int32_t>(part);
  case Type::tf32: // the hardware looks at 19 bits
    return std::bit_cast<float>(part & ~0x1fffU);
  default:
    return float_value(part, type, false);
  }
}

// A lane holds, of A, rows g and g + 8 and columns that start at t; of B, column g; of C and D, columns 2t and 2t + 1.
void multiply(Warp& warp, const Instruction& in, Mask) {
  Shape shape = shape_of(in);
  const std::uint32_t* list = &warp.program.lists[in.list];
  int elements = per_register(shape.a), halves = shape.rows / 8;
  int a_registers = shape.rows * shape.k / lanes / elements, b_registers = 8 * shape.k / lanes / elements;
  int c_elements = per_register(shape.c), d_elements = per_register(shape.d);
  int d_registers = shape.rows / 4 / d_elements;
  const std::uint32_t *d = list, *a = d + d_registers, *b = a + a_registers, *c = b + b_registers;
  double A[16][most], B[most][8], D[16][8];
  for (int l = 0; l < lanes; ++l) {
    int g = l / 4, t = l % 4;
    for (int r = 0; r < a_registers; ++r)
      for (int i = 0; i < elements; ++i)
        A[g + 8 * (r % halves)][t * elements + i + r / halves * 4 * elements] = element(warp.registers[a[r] + l], shape.a, i);
    for (int r = 0; r < b_registers; ++r)
      for (int i = 0; i < elements; ++i)
        B[t * elements + i + r * 4 * elements][g] = element(warp.registers[b[r] + l], shape.b, i);
  }
  // Products are exact, and their sum is as good as exact: it is rounded once.
  for (int row = 0; row < shape.rows; ++row) {
    double sums[8] = {};
    for (int k = 0; k < shape.k; ++k)
      for (int column = 0; column < 8; ++column)
        sums[column] += A[row][k] * B[k][column];
    std::copy_n(sums, 8, D[row]);
  }
  for (int l = 0; l < lanes; ++l) {
    int g = l / 4, t = l % 4;
    std::uint64_t result[4] = {};
    for (int i = 0; i < shape.rows / 4; ++i) {
      double sum = D[g + 8 * (i / 2)][2 * t + i % 2] + element(warp.registers[c[i / c_elements] + l], shape.c, i % c_elements);
      std::uint64_t bits;
      if (shape.d == Type::s32) {
        double clamped = std::min(std::max(sum, -2147483648.0), 2147483647.0);
        bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(in.flags & saturates ? clamped : sum));
      } else if (shape.d == Type::f64) {
        bits = bits_of(sum);
      } else if (shape.d == Type::f16) {
        bits = encode(sum, f16_format);
      } else {
        auto value = static_cast<float>(sum);
        bits = std::isnan(value) ? canonical_nan : bits_of(value);
      }
      result[i / d_elements] |= bits << (16 * (i % d_elements));
    }
    for (int r = 0; r < d_registers; ++r)
      warp.registers[d[r] + l] = result[r];
  }
}

bool known(const Shape& s) {
  bool square = s.rows == 16;
  switch (s.a) {
  case Type::f16:
    return square && s.b == s.a && (s.k == 8 || s.k == 16) && s.c == s.d && (s.d == Type::f32 || s.d == Type::f16);
  case Type::bf16:
    return square && s.b == s.a && (s.k == 8 || s.k == 16) && s.c == Type::f32 && s.d == Type::f32;
  case Type::tf32:
    return square && s.b == s.a && (s.k == 4 || s.k == 8) && s.c == Type::f32 && s.d == Type::f32;
  case Type::s8:
  case Type::u8:
    return (s.b == Type::s8 || s.b == Type::u8) && (s.k == 16 || (square && s.k == 32)) && s.c == Type::s32 && s.d == Type::s32;
  case Type::e4m3:
  case Type::e5m2:
    return square && (s.b == Type::e4m3 || s.b == Type::e5m2) && (s.k == 16 || s.k == 32) && s.c == s.d &&
           (s.d == Type::f32 || s.d == Type::f16);
  case Type::f64:
    return s.b == s.a && (square ? s.k == 4 || s.k == 8 || s.k == 16 : s.k == 4) && s.c == s.a && s.d == s.a;
  default:
    return false;
  }
}

} // namespace

void decode_mma(Decoder& decoder) {
  decoder.ignore({"sync", "aligned", "row", "col", "kind::f8f6f4"});
  struct Size {
    const char* name;
    std::uint8_t rows, k;
  };
  for (Size size : {Size{"m16n8k4", 16, 4},
                    {"m16n8k8", 16, 8},
                    {"m16n8k16", 16, 16},
                    {"m16n8k32", 16, 32},
                    {"m8n8k4", 8, 4},
                    {"m8n8k16", 8, 16}})
    if (decoder.take(size.name)) {
      decoder.out.bytes = size.rows;
      decoder.out.count = size.k;
    }
  decoder.take("col"); // B's, where A's was taken
  decoder.out.flags = decoder.take("satfinite") ? saturates : 0;
  Type d = decoder.take_type(), a = decoder.take_type(), b = decoder.take_type(), c = decoder.take_type();
  decoder.out.kind = static_cast<std::uint8_t>(a);
  decoder.out.offset = static_cast<int>(d) | static_cast<int>(b) << 8 | static_cast<int>(c) << 16;
  Shape shape = shape_of(decoder.out);
  if (!known(shape))
    decoder.unknown();
  decoder.need(4);
  std::vector<std::uint32_t> list;
  int expected[] = {shape.rows / 4 / per_register(d), shape.rows * shape.k / lanes / per_register(a),
                    8 * shape.k / lanes / per_register(b), shape.rows / 4 / per_register(c)};
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<Operand> parts = Decoder::parts(decoder.operand(i));
    if (static_cast<int>(parts.size()) != expected[i])
      decoder.fail("expected " + std::to_string(expected[i]) + " registers in operand " + std::to_string(i));
    for (const Operand& part : parts)
      list.push_back(i == 0 ? decoder.result(part) : decoder.source(part, i == 3 ? c : Type::u32));
  }
  decoder.out.list = decoder.add_list(list);
  decoder.out.f = no_mask;
  decoder.emit(Flow::converge, multiply);
}

} // namespace ptxemu

#include "lib/dialect/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tegula::tile {

Type elementType(DType dtype, MLIRContext* context) {
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics sign) { return IntegerType::get(context, width, sign); };
  switch (dtype) {
  case DType::f64:
    return Float64Type::get(context);
  case DType::f32:
    return Float32Type::get(context);
  case DType::f16:
    return Float16Type::get(context);
  case DType::bf16:
    return BFloat16Type::get(context);
  case DType::f8e4m3:
    return Float8E4M3FNType::get(context);
  case DType::f8e5m2:
    return Float8E5M2Type::get(context);
  case DType::f8e8m0:
    return Float8E8M0FNUType::get(context);
  case DType::i64:
    return integer(64, IntegerType::Signless);
  case DType::i32:
    return integer(32, IntegerType::Signless);
  case DType::i16:
    return integer(16, IntegerType::Signless);
  case DType::i8:
    return integer(8, IntegerType::Signless);
  case DType::u64:
    return integer(64, IntegerType::Unsigned);
  case DType::u32:
    return integer(32, IntegerType::Unsigned);
  case DType::u16:
    return integer(16, IntegerType::Unsigned);
  case DType::u8:
    return integer(8, IntegerType::Unsigned);
  case DType::boolean:
    return integer(1, IntegerType::Signless);
  }
  llvm_unreachable("every dtype is handled");
}

DType dtypeOf(Type element) {
  for (int i = 0; i <= static_cast<int>(DType::boolean); ++i)
    if (elementType(static_cast<DType>(i), element.getContext()) == element)
      return static_cast<DType>(i);
  llvm_unreachable("not an element type");
}

} // namespace tegula::tile

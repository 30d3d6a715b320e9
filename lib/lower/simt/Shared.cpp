// Memory that the threads of a program share, used for a moment at a time, and what goes from thread to thread.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"

#include "tegula/error.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::simt {

void Lowering::barrier() {
  if (warps == 1)
    NVVM::SyncWarpOp::create(b, i32(-1));
  else
    NVVM::BarrierOp::create(b);
  sharedInUse = false;
  unordered.clear();
}

void Lowering::freeShared(int64_t end) {
  if (end > target.sharedBytes)
    throw InternalError("kernel '" + source.getName().str() + "' needs " + std::to_string(end) +
                        " bytes of shared memory for one operation; " + target.name + " has " + std::to_string(target.sharedBytes));
  sharedBytes = std::max(sharedBytes, end);
  bool isRead = engineReads && end > engineStart;
  if (isRead) {
    ifTrue(isFirstThread(), [&] { waitForStores(/*untilRead=*/true); });
    engineReads = false;
  }
  if (sharedInUse || isRead)
    barrier();
}

Value Lowering::openShared(int64_t bytes) {
  freeShared(ringBytes + bytes);
  if (ringBytes == 0)
    return sharedMemory();
  return LLVM::GEPOp::create(b, sharedMemory().getType(), b.getI8Type(), sharedMemory(),
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(ringBytes)});
}

SharedColumns Lowering::openShared(ArrayRef<Type> types, int64_t count) {
  SharedColumns columns{SmallVector<Type, 2>(types), {}, 0};
  SmallVector<int64_t, 2> starts;
  for (Type type : types) {
    starts.push_back(columns.bytes);
    columns.bytes += static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(count * memoryBytes(type)), 16));
  }
  Value base = openShared(columns.bytes);
  for (int64_t start : starts)
    columns.bases.push_back(
        LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(start)}));
  return columns;
}

void Lowering::putRow(const SharedColumns& columns, Value number, ArrayRef<Value> values) {
  for (auto [type, base, value] : llvm::zip(columns.types, columns.bases, values))
    storeGroup(advance(base, number, type), type, {value});
}

Registers Lowering::getRow(const SharedColumns& columns, Value number) {
  Registers row;
  for (auto [type, base] : llvm::zip(columns.types, columns.bases))
    row.append(loadGroup(advance(base, number, type), type, 1, /*canCache=*/false));
  return row;
}

Value Lowering::sharedMemory() {
  if (!shared) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto memory = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0), /*isConstant=*/false,
                                         LLVM::Linkage::External, "tegula_shared", Attribute(), /*alignment=*/128, /*addrSpace=*/3);
    b.setInsertionPointToStart(&entry.getBody().front());
    shared = LLVM::AddressOfOp::create(b, memory);
  }
  return shared;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Where in memory a byte goes: groups of 16 bytes change places within lines of 128, so that columns do not all lie in one bank.
/// Linear over bits.
static uint32_t swizzled(const SharedTile& tile, uint32_t byte) {
  if (tile.swizzleBytes != 0)
    return swizzledInBox(tile.swizzleBytes, byte);
  uint32_t line = byte >> 7;
  return byte ^ (((line ^ (line >> 3) ^ (line >> 6) ^ (line >> 9)) & 7) << 4);
}

static Value swizzled(ImplicitLocOpBuilder& b, const SharedTile& tile, Value byte) {
  auto number = [&](int64_t value) { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); };
  Value line = arith::ShRUIOp::create(b, byte, number(7)), mixed = line;
  if (tile.swizzleBytes == 0)
    for (int64_t shift : {3, 6, 9})
      mixed = arith::XOrIOp::create(b, mixed, arith::ShRUIOp::create(b, line, number(shift)));
  int64_t mask = tile.swizzleBytes == 0 ? 7 : tile.swizzleBytes / 16 - 1;
  mixed = arith::ShLIOp::create(b, arith::AndIOp::create(b, mixed, number(mask)), number(4));
  return arith::XOrIOp::create(b, byte, mixed);
}

void Lowering::inShared(int64_t elements, Type element, llvm::function_ref<void(const SharedTile&)> body) {
  int64_t bytes = memoryBytes(element);
  int64_t fits = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(target.sharedBytes - ringBytes))) / bytes;
  int64_t atOnce = std::min(elements, fits);
  Value base = openShared(atOnce * bytes);
  for (int64_t chunk = 0; chunk < elements / atOnce; ++chunk) {
    if (chunk > 0)
      barrier();
    body({base, element, log2(atOnce), static_cast<uint32_t>(chunk)});
  }
  closeShared();
}

namespace {

/// A thread's registers in groups of neighbours of a tile in shared memory.
struct Groups {
  Value first;     // number of the first register's element, with the offset
  Value firstByte; // where it goes
  uint32_t size;   // of a group
  bool moves;      // whether threads differ in the chunk their elements belong to
};

} // namespace

static Groups groupsOf(ImplicitLocOpBuilder& b, const SharedTile& tile, const Layout& layout, Value threadElement, Value offset) {
  int64_t bytes = memoryBytes(tile.element);
  uint32_t all = 0;
  for (const Layout::Bases* bases : {&layout.registers, &layout.lanes, &layout.warps})
    for (uint32_t base : *bases)
      all |= base;
  int64_t extent = static_cast<int64_t>(llvm::bit_ceil(uint64_t(all) + 1));
  auto size = static_cast<uint32_t>(std::min(contiguousRegisters(layout, {extent}, 0), 16 / bytes));
  Value first = offset ? Value(arith::AddIOp::create(b, threadElement, offset)) : threadElement;
  auto number = [&](int64_t value) { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); };
  Value within = arith::AndIOp::create(b, first, number((int64_t(1) << tile.chunkBits) - 1));
  Value firstByte = swizzled(b, tile, arith::MulIOp::create(b, within, number(bytes)));
  uint32_t ofThreads = 0;
  for (const Layout::Bases* bases : {&layout.lanes, &layout.warps})
    for (uint32_t base : *bases)
      ofThreads |= base;
  return {first, firstByte, size, offset || (ofThreads >> tile.chunkBits) != 0};
}

/// Whether a register's element belongs to the chunk: known to be, known not to be, or a condition.
static std::pair<bool, Value> inChunk(ImplicitLocOpBuilder& b, const SharedTile& tile, const Groups& groups, uint32_t ofRegister) {
  if (!groups.moves)
    return {ofRegister >> tile.chunkBits == tile.chunk, {}};
  auto number = [&](int64_t value) { return arith::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value))); };
  Value chunk = arith::ShRUIOp::create(b, arith::XOrIOp::create(b, groups.first, number(ofRegister)), number(tile.chunkBits));
  return {true, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, chunk, number(tile.chunk))};
}

static Value addressIn(ImplicitLocOpBuilder& b, const SharedTile& tile, const Groups& groups, uint32_t ofRegister) {
  uint32_t within = ofRegister & ((1u << tile.chunkBits) - 1);
  auto step = static_cast<int32_t>(swizzled(tile, within * static_cast<uint32_t>(memoryBytes(tile.element))));
  Value byte = arith::XOrIOp::create(b, groups.firstByte, arith::ConstantOp::create(b, b.getI32IntegerAttr(step)));
  return LLVM::GEPOp::create(b, tile.base.getType(), b.getI8Type(), tile.base, ArrayRef<LLVM::GEPArg>{byte});
}

/// Whether every element of the layout is there.
static bool isWholeTile(const SharedTile& tile, const Layout& layout) {
  for (const Layout::Bases* bases : {&layout.registers, &layout.lanes, &layout.warps})
    for (uint32_t base : *bases)
      if (base >> tile.chunkBits != 0)
        return false;
  return true;
}

void Lowering::writeShared(const SharedTile& tile, const Layout& layout, const Registers& values, Value offset) {
  Groups groups = groupsOf(b, tile, layout, threadElement(layout), offset);
  ifTrue(isFirstCopy(layout), [&] {
    for (uint32_t reg = 0; reg < layout.registerCount(); reg += groups.size) {
      auto [isThere, condition] = inChunk(b, tile, groups, layout.element(reg));
      if (isThere)
        ifTrue(condition, [&] {
          storeGroup(addressIn(b, tile, groups, layout.element(reg)), tile.element,
                     ArrayRef<Value>(values).slice(reg, groups.size));
        });
    }
  });
}

SmallVector<Value> Lowering::sharedAddresses(const SharedTile& tile, const Layout& layout, uint32_t group) {
  Groups groups = groupsOf(b, tile, layout, threadElement(layout), {});
  SmallVector<Value> addresses;
  for (uint32_t reg = 0; reg < layout.registerCount(); reg += group)
    addresses.push_back(addressIn(b, tile, groups, layout.element(reg)));
  return addresses;
}

bool Lowering::readMatrices(const SharedTile& tile, const Layout& layout, Registers& into) {
  if (memoryBytes(tile.element) != 2 || layout.registers.empty())
    return false;
  // A thread gets two neighbours of a row; transposed, two elements of a column. Neighbours in memory are the three low bits.
  bool isPlain = layout.registers[0] == 1 && layout.lanes[0] == 2 && layout.lanes[1] == 4;
  bool isTransposed = layout.lanes[2] == 1 && layout.lanes[3] == 2 && layout.lanes[4] == 4;
  if (!isPlain && !isTransposed)
    return false;
  Layout::Bases rows;
  if (isPlain)
    rows.assign(layout.lanes.begin() + 2, layout.lanes.end());
  else
    rows = {layout.registers[0], layout.lanes[0], layout.lanes[1]};
  size_t matrixBits = std::min<size_t>(layout.registers.size() - 1, 2);
  rows.append(layout.registers.begin() + 1, layout.registers.begin() + 1 + static_cast<ptrdiff_t>(matrixBits));
  auto startsRow = [](uint32_t base) { return (base & 7) == 0; };
  ArrayRef<uint32_t> others = ArrayRef<uint32_t>(layout.registers).drop_front();
  if (!llvm::all_of(rows, startsRow) || !llvm::all_of(layout.warps, startsRow) || !llvm::all_of(others, startsRow) ||
      llvm::is_contained(rows, 0u))
    return false;

  // Each lane names a row: those of the first matrix in lanes 0 to 7, of the next in 8 to 15, and so on.
  rows.resize(5, 0);
  Layout named{Layout::Bases(layout.registers.begin() + 1 + static_cast<ptrdiff_t>(matrixBits), layout.registers.end()), rows,
               layout.warps};
  SmallVector<Value> addresses = sharedAddresses(tile, named, 1);
  size_t matrices = size_t(1) << matrixBits;
  std::string text = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices) + (isPlain ? "" : ".trans") + ".shared.b16 {",
              constraints;
  for (size_t matrix = 0; matrix < matrices; ++matrix) {
    text += (matrix ? ", $" : "$") + std::to_string(matrix);
    constraints += "=r,";
  }
  text += "}, [$" + std::to_string(matrices) + "];";
  Type word = b.getI32Type();
  Type type = matrices == 1 ? word : LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(matrices, word));
  into.clear();
  for (Value address : addresses) {
    Value at = LLVM::PtrToIntOp::create(b, word, address);
    Value all = LLVM::InlineAsmOp::create(b, type, ValueRange{at}, text, constraints + "r,~{memory}", /*has_side_effects=*/true,
                                          /*is_align_stack=*/false, LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
                    .getResult(0);
    for (size_t matrix = 0; matrix < matrices; ++matrix) {
      Value both =
          matrices == 1 ? all : Value(LLVM::ExtractValueOp::create(b, all, ArrayRef<int64_t>{static_cast<int64_t>(matrix)}));
      into.push_back(arith::TruncIOp::create(b, b.getI16Type(), both));
      into.push_back(arith::TruncIOp::create(b, b.getI16Type(), arith::ShRUIOp::create(b, both, i32(16))));
    }
  }
  return true;
}

void Lowering::readShared(const SharedTile& tile, const Layout& layout, Registers& into, Value offset) {
  if (!offset && isWholeTile(tile, layout) && readMatrices(tile, layout, into))
    return;
  Groups groups = groupsOf(b, tile, layout, threadElement(layout), offset);
  into.resize(static_cast<size_t>(layout.registerCount()));
  for (uint32_t reg = 0; reg < layout.registerCount(); reg += groups.size) {
    auto [isThere, condition] = inChunk(b, tile, groups, layout.element(reg));
    if (!isThere)
      continue;
    Registers group = loadGroup(addressIn(b, tile, groups, layout.element(reg)), tile.element, groups.size, /*canCache=*/false);
    for (auto [number, value] : llvm::enumerate(group)) {
      Value& known = into[reg + number];
      known = condition && known ? Value(arith::SelectOp::create(b, condition, value, known)) : value;
    }
  }
}

Registers Lowering::relayout(const Registers& values, const Layout& from, const Layout& to, Type element) {
  Registers result;
  if (auto same = registersWithin(from, to)) {
    for (uint32_t reg : *same)
      result.push_back(values[reg]);
    return result;
  }
  uint32_t last = 0;
  for (const Layout::Bases* bases : {&from.registers, &from.lanes, &from.warps})
    for (uint32_t base : *bases)
      last |= base;
  inShared(static_cast<int64_t>(last) + 1, element, [&](const SharedTile& tile) {
    writeShared(tile, from, values);
    barrier();
    readShared(tile, to, result);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// From lane to lane
//===----------------------------------------------------------------------===//

Value Lowering::shuffled(Value value, NVVM::ShflKind kind, int64_t offset, int64_t clamp) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto move = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b, b.getI32Type(), i32(-1), word, i32(offset), i32(clamp), kind, UnitAttr());
  };
  Type bitsType = b.getIntegerType(width), wordType = b.getI32Type();
  Value bits = isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, bitsType, value)) : value;
  if (width < 32) {
    bits = arith::TruncIOp::create(b, bitsType, move(arith::ExtUIOp::create(b, wordType, bits)));
  } else if (width == 32) {
    bits = move(bits);
  } else {
    Value low = move(arith::TruncIOp::create(b, wordType, bits));
    Value high = move(arith::TruncIOp::create(b, wordType, arith::ShRUIOp::create(b, bits, i64(32))));
    bits = arith::OrIOp::create(b, arith::ExtUIOp::create(b, bitsType, low),
                                arith::ShLIOp::create(b, arith::ExtUIOp::create(b, bitsType, high), i64(32)));
  }
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, type, bits)) : bits;
}

Value Lowering::shuffle(Value value, int64_t laneBits) { return shuffled(value, NVVM::ShflKind::bfly, laneBits, 31); }

Value Lowering::shuffleBy(Value value, int64_t distance, bool down) {
  return shuffled(value, down ? NVVM::ShflKind::down : NVVM::ShflKind::up, distance, down ? 31 : 0);
}

} // namespace tegula::simt

// The first few of a long line. A threshold is looked for that lets through as many elements as are wanted, or at most twice as
// many; these are collected in shared memory, and only they are sorted.
//
// The threshold comes from groups of elements: if the smallest keys of as many groups as elements are wanted are not above it, so
// many elements are not, and rarely many more. Where there are (the first ones crowd in few groups, or are equal), bisection goes
// on over the keys of all elements, and then over the indices of those whose keys are equal to the threshold.
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

using Order = arith::CmpIPredicate;

struct Lowering::Threshold {
  Value last;        // the largest value that is let through
  Value count, mine; // how many values of the program are, and of the thread
};

static Value constant(ImplicitLocOpBuilder& b, Type type, int64_t value) {
  return arith::ConstantOp::create(b, IntegerAttr::get(type, value));
}

static Value increased(ImplicitLocOpBuilder& b, Value count, Value condition) {
  return arith::AddIOp::create(b, count, arith::ExtUIOp::create(b, count.getType(), condition));
}

/// How many values of the program are let through, and how many of the thread. A barrier counts one bit of all threads' numbers.
static std::pair<Value, Value> countUpTo(ImplicitLocOpBuilder& b, ArrayRef<Value> values, Value last) {
  Type word = b.getI32Type();
  Value mine = constant(b, word, 0), count = mine;
  for (Value value : values)
    mine = increased(b, mine, arith::CmpIOp::create(b, Order::ule, value, last));
  auto kind = NVVM::BarrierReductionAttr::get(b.getContext(), NVVM::BarrierReduction::POPC);
  for (unsigned bit = 0; bit <= log2(static_cast<int64_t>(values.size())); ++bit) {
    Value shift = constant(b, word, bit);
    Value isSet = arith::AndIOp::create(b, arith::ShRUIOp::create(b, mine, shift), constant(b, word, 1));
    Value threads = NVVM::BarrierOp::create(b, word, Value(), Value(), kind, isSet).getRes();
    count = arith::AddIOp::create(b, count, arith::ShLIOp::create(b, threads, shift));
  }
  return {count, mine};
}

/// Lowers a threshold that lets through `wanted` values or more (its last, the count, the thread's count), until they are no more
/// than `enough`, or until a lower one would let through too few.
static ValueRange lowered(ImplicitLocOpBuilder& b, ArrayRef<Value> values, ValueRange threshold, int64_t wanted, int64_t enough) {
  Type key = threshold[0].getType(), word = b.getI32Type();
  SmallVector<Value> first{constant(b, key, 0)};
  llvm::append_range(first, threshold);
  auto loop = scf::WhileOp::create(
      b, TypeRange{key, key, word, word}, first,
      [&](OpBuilder&, Location, ValueRange now) {
        Value isOpen = arith::CmpIOp::create(b, Order::ult, now[0], now[1]);
        Value isTooMuch = arith::CmpIOp::create(b, Order::sgt, now[2], constant(b, word, enough));
        scf::ConditionOp::create(b, arith::AndIOp::create(b, isOpen, isTooMuch), now);
      },
      [&](OpBuilder&, Location, ValueRange now) {
        Value one = constant(b, key, 1);
        Value half = arith::ShRUIOp::create(b, arith::SubIOp::create(b, now[1], now[0]), one);
        Value middle = arith::AddIOp::create(b, now[0], half);
        auto [count, mine] = countUpTo(b, values, middle);
        Value suffices = arith::CmpIOp::create(b, Order::sge, count, constant(b, word, wanted));
        scf::YieldOp::create(b, ValueRange{arith::SelectOp::create(b, suffices, now[0], arith::AddIOp::create(b, middle, one)),
                                           arith::SelectOp::create(b, suffices, middle, now[1]),
                                           arith::SelectOp::create(b, suffices, count, now[2]),
                                           arith::SelectOp::create(b, suffices, mine, now[3])});
      });
  return loop.getResults().drop_front();
}

Lowering::Threshold Lowering::chooseFirst(Registers& keys, unsigned keyBits, const Coordinates& at, int64_t wanted) {
  Type keyType = keys[0].getType();
  int64_t threads = 32 * warps, room = 2 * wanted, extent = at.shape[0];

  // A threshold for the smallest keys of four times as many groups as elements are wanted, or more.
  auto groups = static_cast<size_t>(std::max<int64_t>(1, 4 * wanted / threads));
  Registers smallest(keys.begin(), keys.begin() + static_cast<ptrdiff_t>(groups));
  for (size_t reg = groups; reg < keys.size(); ++reg)
    smallest[reg % groups] = arith::MinUIOp::create(b, smallest[reg % groups], keys[reg]);
  Value highest = math.integer(keyType, APInt::getAllOnes(keyBits).zext(keyType.getIntOrFloatBitWidth()).getSExtValue());
  Value last = lowered(b, smallest, {highest, i32(static_cast<int64_t>(groups) * threads), i32(0)}, wanted, wanted + wanted / 4)[0];

  // For all keys, if it does not do for them too.
  auto [count, mine] = countUpTo(b, keys, last);
  ValueRange found = lowered(b, keys, {last, count, mine}, wanted, room);

  // If still more are let through, then because of equal keys: the indices of these are then compared.
  auto decided = scf::IfOp::create(
      b, arith::CmpIOp::create(b, Order::sgt, found[1], i32(room)),
      [&](OpBuilder&, Location) {
        Value first = math.integer(keyType, 0), none = math.integer(keyType, extent);
        Registers among;
        for (auto [reg, key] : llvm::enumerate(keys)) {
          Value index = indexOf(at, 0, static_cast<uint32_t>(reg));
          if (index.getType() != keyType)
            index = arith::ExtUIOp::create(b, keyType, index);
          Value isLater = arith::CmpIOp::create(b, Order::ugt, key, found[0]);
          Value isEqual = arith::CmpIOp::create(b, Order::eq, key, found[0]);
          Value ofOthers = arith::SelectOp::create(b, isLater, none, first);
          among.push_back(arith::SelectOp::create(b, isEqual, index, ofOthers));
        }
        ValueRange fewer = lowered(b, among, {math.integer(keyType, extent - 1), found[1], found[2]}, wanted, room);
        llvm::append_range(among, fewer);
        scf::YieldOp::create(b, among);
      },
      [&](OpBuilder&, Location) {
        Registers same = keys;
        llvm::append_range(same, found);
        scf::YieldOp::create(b, same);
      });
  ValueRange results = decided.getResults();
  keys = Registers(results.drop_back(3));
  ValueRange threshold = results.take_back(3);
  return {threshold[0], threshold[1], threshold[2]};
}

void Lowering::emitSelect(SortOp op) {
  Type element = getElementTypeOrSelf(op.getOperand().getType()), word = b.getI32Type();
  Registers values = registersOf(op.getOperand()), keys;
  int64_t extent = getSize(op.getOperand().getType()), wanted = getSize(op.getValues().getType());
  int64_t threads = 32 * warps, room = 2 * wanted;
  Layout layout = layoutOf(op.getOperand());
  for (Value value : values)
    keys.push_back(keyOf(value, element, op.getDescending()));
  Threshold chosen = chooseFirst(keys, element.getIntOrFloatBitWidth(), coordinates(layout, {extent}), wanted);
  auto add = [&](ArrayRef<Value> x, ArrayRef<Value> y) { return Registers{arith::AddIOp::create(b, x[0], y[0])}; };
  Value end = scanAlong({{chosen.mine}}, alongAxis({threads}, 0, warps), {threads}, 0, /*reverse=*/false, {word}, add)[0][0];
  Value place = arith::SubIOp::create(b, end, chosen.mine);

  // In shared memory, numbers and values: first those collected, then those sorted. Collected ones are numbered by thread and
  // register, from which the index follows: to hold the indices of all would take as many registers again.
  SharedColumns columns = openShared({word, element}, room + wanted);
  Value ofThread = arith::AddIOp::create(b, arith::MulIOp::create(b, warp, i32(32)), lane);
  ofThread = arith::MulIOp::create(b, ofThread, i32(layout.registerCount()));
  for (size_t reg = 0; reg < values.size(); ++reg) {
    Value isChosen = arith::CmpIOp::create(b, Order::ule, keys[reg], chosen.last);
    auto next = scf::IfOp::create(
        b, isChosen,
        [&](OpBuilder&, Location) {
          putRow(columns, place, {arith::AddIOp::create(b, ofThread, i32(static_cast<int64_t>(reg))), values[reg]});
          scf::YieldOp::create(b, Value(arith::AddIOp::create(b, place, i32(1))));
        },
        [&](OpBuilder&, Location) { scf::YieldOp::create(b, place); });
    place = next.getResult(0);
  }
  barrier();

  // One warp sorts what fits into a few of its registers sooner than many can that have to exchange it.
  bool oneWarpSorts = room <= 256;
  auto sortCollected = [&] {
    llvm::SaveAndRestore keep(ringBytes, ringBytes + columns.bytes);
    Layout::Bases bases = layout.registers;
    llvm::append_range(bases, layout.lanes);
    llvm::append_range(bases, layout.warps);
    unsigned slotBits = log2(room);
    Layout few = alongAxis({room}, 0, oneWarpSorts ? 1 : warps);
    Coordinates from = coordinates(few, {room});
    Registers ordered, indices; // the slot is below an element's index
    for (uint32_t reg = 0; reg < few.registerCount(); ++reg) {
      Value slot = indexOf(from, 0, reg);
      Value isThere = arith::CmpIOp::create(b, Order::slt, slot, chosen.count);
      Registers found = getRow(columns, arith::SelectOp::create(b, isThere, slot, i32(0)));
      Value key = keyOf(found[1], element, op.getDescending());
      Value index = arith::ShLIOp::create(b, applyBases(found[0], bases), i32(slotBits));
      ordered.push_back(arith::SelectOp::create(b, isThere, key, math.integer(key.getType(), -1)));
      indices.push_back(arith::SelectOp::create(b, isThere, arith::OrIOp::create(b, index, slot), i32(INT32_MAX)));
    }
    sortPairs(few, {0, slotBits}, ordered, indices);
    for (uint32_t reg = 0; reg < few.registerCount(); ++reg) {
      Value rank = indexOf(from, 0, reg);
      ifTrue(all(isFirstCopy(few), arith::CmpIOp::create(b, Order::slt, rank, i32(wanted))), [&] {
        Value value = getRow(columns, arith::AndIOp::create(b, indices[reg], i32(room - 1)))[1];
        Value index = arith::ShRUIOp::create(b, indices[reg], i32(slotBits));
        putRow(columns, arith::AddIOp::create(b, rank, i32(room)), {index, value});
      });
    }
  };
  if (oneWarpSorts)
    ifTrue(arith::CmpIOp::create(b, Order::eq, warp, i32(0)), sortCollected);
  else
    sortCollected();
  barrier();

  Coordinates kept = coordinates(layoutOf(op.getValues()), {wanted});
  Type indexType = getElementTypeOrSelf(op.getIndices().getType());
  Registers keptValues, keptIndices;
  for (uint32_t reg = 0; reg < kept.layout.registerCount(); ++reg) {
    Registers row = getRow(columns, arith::AddIOp::create(b, indexOf(kept, 0, reg), i32(room)));
    keptValues.push_back(row[1]);
    keptIndices.push_back(math.cast(row[0], word, indexType, Rounding::nearest_even, false));
  }
  closeShared();
  tiles[op.getValues()] = keptValues;
  tiles[op.getIndices()] = keptIndices;
}

} // namespace tegula::simt

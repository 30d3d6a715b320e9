// Blocks, control flow and messages.
#include "test/interp/Interpreter.h"
#include "test/interp/Operations.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <map>

using namespace mlir;

namespace tegula::interp {

std::string format(const Tile& tile) {
  auto element = [&](uint64_t bits) -> std::string {
    if (isFloat(tile.element)) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%g", toDouble(tile.element, bits));
      return digits;
    }
    return isSigned(tile.element) ? std::to_string(toSigned(tile.element, bits)) : std::to_string(bits);
  };
  std::string text;
  forEachIndex(tile.shape, [&](ArrayRef<int64_t> index) {
    size_t opened = 0, closed = 0, rank = index.size();
    while (opened < rank && index[rank - 1 - opened] == 0)
      ++opened;
    while (closed < rank && index[rank - 1 - closed] == tile.shape[rank - 1 - closed] - 1)
      ++closed;
    if (!text.empty() && !StringRef(text).ends_with("["))
      text += ", ";
    text += std::string(opened, '[') + element(tile.bits[flatten(tile.shape, index)]) + std::string(closed, ']');
  });
  return text;
}

namespace {

/// Ends the launch.
struct Failure {
  std::string text;
};

/// What the programs of a launch share.
struct Launch {
  int64_t programs = 0;
  std::vector<std::string> prints;
  llvm::DenseMap<Value, std::map<Shape, int64_t>> owners; // of claimed elements, by view
};

/// One program.
class Program {
public:
  Program(int64_t number, Launch& launch) : number(number), launch(launch) {}

  void bind(Value parameter, const Argument& argument);
  /// Runs up to the terminator and returns its operands.
  Tiles runBlock(Block& block, const Tiles& arguments);

private:
  const int64_t number;
  Launch& launch;
  llvm::DenseMap<Value, Tile> tiles;
  llvm::DenseMap<Value, View> views;

  void execute(Operation* op);
  Tiles compute(Operation* op);
  Tiles runFor(scf::ForOp op);
  Tiles runWhile(scf::WhileOp op);
  Tiles runIf(scf::IfOp op);
  Tiles runReduceBy(tile::ReduceByOp op);
  Tiles runScanBy(tile::ScanByOp op);
  std::vector<uint64_t> runCombiner(Block& block, ArrayRef<uint64_t> earlier, ArrayRef<uint64_t> later);
  Tiles runPrint(tile::PrintOp op);
  Tiles runAssert(tile::AssertOp op);
  Tiles runExtract(tile::ExtractOp op);
  Tiles runInsert(tile::InsertOp op);
  /// No other program may have claimed any of the elements.
  void claim(Operation* op, Value view, ArrayRef<int64_t> shape, const Footprint& tile);

  const Tile& get(Value value) const { return tiles.find(value)->second; }
  Tiles get(ValueRange values) const;
  const View& getView(Value value) const { return views.find(value)->second; }
  int64_t getIndex(Value value) const { return static_cast<int64_t>(get(value).bits[0]); }
  Shape getIndices(ValueRange values) const;
  Footprint getFootprint(tile::AccessOpInterface op) const;
  std::string withValues(StringRef text, ValueRange values) const;
  Failure fail(Operation* op, const Twine& text) const;
};

Tile scalar(Type type, uint64_t bits) {
  Tile result(type);
  result.bits[0] = wrap(type, bits);
  return result;
}
Tile integer(Operation* op, int64_t value) { return scalar(op->getResult(0).getType(), static_cast<uint64_t>(value)); }

Tiles Program::get(ValueRange values) const {
  Tiles result;
  for (Value value : values)
    result.push_back(get(value));
  return result;
}

Shape Program::getIndices(ValueRange values) const {
  Shape result;
  for (Value value : values)
    result.push_back(getIndex(value));
  return result;
}

Footprint Program::getFootprint(tile::AccessOpInterface op) const {
  SmallVector<int64_t, 2> axes = op.getPositionAxes();
  Footprint result{getView(op.getView()), getIndices(op.getIndices()), {axes.begin(), axes.end()}};
  for (Value positions : op.getPositions())
    result.positions.push_back(&get(positions));
  result.elements = op.countsElements();
  return result;
}

std::string Program::withValues(StringRef text, ValueRange values) const {
  std::string result = text.str();
  for (Value value : values)
    result += " " + format(get(value));
  return result;
}

Failure Program::fail(Operation* op, const Twine& text) const {
  std::string result;
  llvm::raw_string_ostream out(result);
  if (auto location = op->getLoc()->findInstanceOf<FileLineColLoc>())
    out << location.getFilename().getValue() << ":" << location.getLine() << ":" << location.getColumn();
  else
    out << op->getLoc();
  out << ": " << text << " (program " << number << ")";
  return {result};
}

void Program::bind(Value parameter, const Argument& argument) {
  if (const View* view = std::get_if<View>(&argument))
    views[parameter] = *view;
  else
    tiles[parameter] = scalar(parameter.getType(), static_cast<uint64_t>(std::get<Scalar>(argument).bits));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Tiles Program::runBlock(Block& block, const Tiles& arguments) {
  for (auto [parameter, argument] : llvm::zip(block.getArguments(), arguments))
    tiles[parameter] = argument;
  for (Operation& op : block.without_terminator())
    execute(&op);
  return get(block.getTerminator()->getOperands());
}

Tiles Program::runFor(scf::ForOp op) {
  int64_t end = getIndex(op.getUpperBound()), step = getIndex(op.getStep());
  if (step <= 0)
    throw fail(op, "the step of a loop must be positive");
  Tiles carried = get(op.getInitArgs());
  for (__int128 i = getIndex(op.getLowerBound()); i < end; i += step) { // wide, so that the last step cannot wrap
    carried.insert(carried.begin(), scalar(op.getInductionVar().getType(), static_cast<uint64_t>(i)));
    carried = runBlock(*op.getBody(), carried);
  }
  return carried;
}

Tiles Program::runWhile(scf::WhileOp op) {
  Tiles carried = get(op.getInits());
  while (true) {
    Tiles condition = runBlock(*op.getBeforeBody(), carried);
    carried.assign(condition.begin() + 1, condition.end());
    if (!condition[0].bits[0])
      return carried;
    carried = runBlock(*op.getAfterBody(), carried);
  }
}

Tiles Program::runIf(scf::IfOp op) {
  if (get(op.getCondition()).bits[0])
    return runBlock(*op.thenBlock(), {});
  return op.elseBlock() ? runBlock(*op.elseBlock(), {}) : Tiles{};
}

std::vector<uint64_t> Program::runCombiner(Block& block, ArrayRef<uint64_t> earlier, ArrayRef<uint64_t> later) {
  Tiles arguments;
  for (ArrayRef<uint64_t> side : {earlier, later})
    for (uint64_t bits : side)
      arguments.push_back(scalar(block.getArgument(arguments.size()).getType(), bits));
  std::vector<uint64_t> result;
  for (const Tile& combined : runBlock(block, arguments))
    result.push_back(combined.bits[0]);
  return result;
}

Tiles Program::runReduceBy(tile::ReduceByOp op) {
  return reduceBy(op, get(op.getOperands()),
                  [&](auto earlier, auto later) { return runCombiner(op.getCombiner().front(), earlier, later); });
}

Tiles Program::runScanBy(tile::ScanByOp op) {
  return scanBy(op, get(op.getOperands()),
                [&](auto earlier, auto later) { return runCombiner(op.getCombiner().front(), earlier, later); });
}

//===----------------------------------------------------------------------===//
// What can fail or speak
//===----------------------------------------------------------------------===//

Tiles Program::runPrint(tile::PrintOp op) {
  launch.prints.push_back(withValues(op.getText(), op.getValues()));
  return {};
}

Tiles Program::runAssert(tile::AssertOp op) {
  if (llvm::is_contained(get(op.getCondition()).bits, 0u))
    throw fail(op, (op.getBounds() ? "" : "assertion failed: ") + withValues(op.getText(), op.getValues()));
  return {};
}

Tiles Program::runExtract(tile::ExtractOp op) {
  Shape index = getIndices(op.getIndices());
  if (!isPieceOf(tile::getShape(op.getType()), get(op.getOperand()).shape, index))
    throw fail(op, "index outside the tile: " + withValues("extract", op.getIndices()));
  return {extract(op, get(op.getOperand()), index)};
}

Tiles Program::runInsert(tile::InsertOp op) {
  Shape index = getIndices(op.getIndices());
  if (!isPieceOf(get(op.getPiece()).shape, get(op.getOperand()).shape, index))
    throw fail(op, "index outside the tile: " + withValues("insert", op.getIndices()));
  return {insert(op, get(op.getPiece()), get(op.getOperand()), index)};
}

void Program::claim(Operation* op, Value view, ArrayRef<int64_t> shape, const Footprint& tile) {
  forEachIndex(shape, [&](ArrayRef<int64_t> inner) {
    std::optional<Shape> element = elementAt(tile, shape, inner);
    if (!element)
      return;
    int64_t owner = launch.owners[view].try_emplace(*element, number).first->second;
    if (owner == number)
      return;
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "programs " << owner << " and " << number << " both write element (";
    llvm::interleaveComma(*element, out);
    out << ") of parameter " << cast<BlockArgument>(view).getArgNumber() + 1;
    throw fail(op, text);
  });
}

//===----------------------------------------------------------------------===//
// Every operation
//===----------------------------------------------------------------------===//

void Program::execute(Operation* op) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), compute(op)))
    tiles[result] = value;
}

Tiles Program::compute(Operation* op) {
  auto in = [&](unsigned operand) -> const Tile& { return get(op->getOperand(operand)); };
  using namespace tile;
  return llvm::TypeSwitch<Operation*, Tiles>(op)
      .Case([&](ProgramIdOp) { return Tiles{integer(op, number)}; })
      .Case([&](NumProgramsOp) { return Tiles{integer(op, launch.programs)}; })
      .Case([&](DimOp o) { return Tiles{integer(op, getView(o.getView()).extents[o.getAxis()])}; })
      .Case([&](BoundOp o) { return Tiles{integer(op, getView(o.getView()).bound)}; })
      .Case([&](SegmentOp o) {
        return Tiles{integer(op, segmentOf(o.getView().getType(), getView(o.getView()), getIndex(o.getPosition())))};
      })
      .Case([&](NumTilesOp o) { return Tiles{integer(op, tileCounts(o.getView().getType(), getView(o.getView()))[o.getAxis()])}; })
      .Case([&](ProgramIndexOp o) {
        return Tiles{integer(op, unflatten(number, tileCounts(o.getView().getType(), getView(o.getView())))[o.getAxis()])};
      })
      .Case([&](UnflattenOp o) {
        Tiles indices;
        for (int64_t index : unflatten(getIndex(o.getLinear()), tileCounts(o.getView().getType(), getView(o.getView()))))
          indices.push_back(scalar(o.getLinear().getType(), static_cast<uint64_t>(index)));
        return indices;
      })
      .Case([&](LoadOp o) { return Tiles{load(o.getType(), getFootprint(o), o.getPad() ? &get(o.getPad()) : nullptr)}; })
      .Case<GatherOp, GatherPairsOp>([&](auto o) { return Tiles{load(o.getType(), getFootprint(o))}; })
      .Case([&](StoreOp o) {
        store(get(o.getTile()), getFootprint(o));
        return Tiles{};
      })
      .Case([&](ScatterOp o) {
        if (o.getCheck())
          claim(op, o.getView(), get(o.getTile()).shape, getFootprint(o));
        store(get(o.getTile()), getFootprint(o));
        return Tiles{};
      })
      .Case<AccumulateOp, AccumulateAtOp>([&](auto o) {
        accumulate(o.getView().getType().getKind(), get(o.getTile()), getFootprint(o));
        return Tiles{};
      })
      .Case([&](ClaimOp o) {
        if (o.getCheck())
          claim(op, o.getView(), o.getView().getType().getShape(), getFootprint(o));
        return Tiles{};
      })
      .Case([](ExpectOp) { return Tiles{}; }) // for the host
      .Case([&](ConstantOp o) { return Tiles{constant(o)}; })
      .Case([&](IotaOp o) { return Tiles{iota(o)}; })
      .Case([&](PhiloxOp o) { return philox(o, in(0), in(1)); })
      .Case<NegOp, AbsOp, NotOp, FunctionOp, FloorOp, CeilOp, RoundOp, TruncOp>([&](auto) { return Tiles{unary(op, in(0))}; })
      .Case<AddOp, SubOp, MulOp, DivOp, RemOp, MinOp, MaxOp, PowOp, Atan2Op, AndOp, OrOp, XorOp, ShlOp, ShrOp>(
          [&](auto) { return Tiles{binary(op, in(0), in(1))}; })
      .Case([&](FmaOp o) { return Tiles{fma(o, in(0), in(1), in(2))}; })
      .Case([&](CmpOp o) { return Tiles{compare(o, in(0), in(1))}; })
      .Case([&](SelectOp o) { return Tiles{select(o, in(0), in(1), in(2))}; })
      .Case([&](CastOp o) { return Tiles{interp::cast(o, in(0))}; })
      .Case([&](BitcastOp o) { return Tiles{bitcast(o, in(0))}; })
      .Case([&](BroadcastOp o) { return Tiles{broadcast(o, in(0))}; })
      .Case([&](ReshapeOp o) { return Tiles{reshape(o, in(0))}; })
      .Case([&](PermuteOp o) { return Tiles{permute(o, in(0))}; })
      .Case([&](ConcatOp o) { return Tiles{concat(o, in(0), in(1))}; })
      .Case([&](ExtractOp o) { return runExtract(o); })
      .Case([&](InsertOp o) { return runInsert(o); })
      .Case([&](ReduceOp o) { return Tiles{reduce(o, in(0))}; })
      .Case([&](ScanOp o) { return Tiles{scan(o, in(0))}; })
      .Case([&](ReduceByOp o) { return runReduceBy(o); })
      .Case([&](ScanByOp o) { return runScanBy(o); })
      .Case([&](ArgReduceOp o) { return Tiles{argReduce(o, in(0))}; })
      .Case([&](SortOp o) { return sort(o, in(0)); })
      .Case([&](MmaOp o) { return Tiles{mma(o, in(0), in(1), in(2))}; })
      .Case([&](PrintOp o) { return runPrint(o); })
      .Case([&](AssertOp o) { return runAssert(o); })
      .Case([&](scf::ForOp o) { return runFor(o); })
      .Case([&](scf::WhileOp o) { return runWhile(o); })
      .Case([&](scf::IfOp o) { return runIf(o); })
      .Default([&](Operation*) -> Tiles { throw fail(op, "the interpreter does not know " + op->getName().getStringRef()); });
}

int64_t inferPrograms(func::FuncOp kernel, ArrayRef<Argument> arguments) {
  for (auto [parameter, argument] : llvm::zip_equal(kernel.getArguments(), arguments)) {
    auto type = dyn_cast<tile::ViewType>(parameter.getType());
    if (!type || !type.isPartition())
      continue;
    int64_t programs = 1;
    for (int64_t tiles : tileCounts(type, std::get<View>(argument)))
      programs *= tiles;
    return programs;
  }
  throw Failure{"no 'out' or 'inout' view says how many programs to run: pass their number"};
}

} // namespace

Result run(func::FuncOp kernel, ArrayRef<Argument> arguments, int64_t programs) {
  Launch launch;
  std::optional<std::string> error;
  try {
    launch.programs = programs < 0 ? inferPrograms(kernel, arguments) : programs;
    for (int64_t number = 0; number < launch.programs; ++number) {
      Program program(number, launch);
      for (auto [parameter, argument] : llvm::zip_equal(kernel.getArguments(), arguments))
        program.bind(parameter, argument);
      program.runBlock(kernel.getBody().front(), {});
    }
  } catch (const Failure& failure) {
    error = failure.text;
  }
  return {std::move(launch.prints), std::move(error)};
}

} // namespace tegula::interp

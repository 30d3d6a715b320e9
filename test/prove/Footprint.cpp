// From tile IR to what is run.
#include "test/prove/Footprint.h"

#include "lib/dialect/Tile.h"
#include "test/prove/FootprintNode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <stdexcept>

using namespace mlir;

namespace tegula::test {

namespace {

MLIRContext& context() {
  struct Context : MLIRContext {
    Context() : MLIRContext(Threading::DISABLED) { loadDialect<tile::TileDialect, func::FuncDialect, scf::SCFDialect>(); }
  };
  static Context instance;
  return instance;
}

NumberKind kindOf(Value value) {
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  if (!type)
    return {.is_float = true};
  return {static_cast<int>(type.getWidth()), type.isUnsigned() || type.getWidth() == 1};
}

std::vector<std::int64_t> shapeOf(Type type) {
  ArrayRef<int64_t> shape = tile::getShape(type);
  return {shape.begin(), shape.end()};
}

unsigned lineOf(Operation* op) {
  auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
  return at ? at.getLine() : 0;
}

std::optional<Op> elementOp(StringRef name) {
  return llvm::StringSwitch<std::optional<Op>>(name)
      .Case("tile.constant", Op::constant)
      .Case("tile.program_id", Op::program_id)
      .Case("tile.num_programs", Op::num_programs)
      .Case("tile.dim", Op::dim)
      .Case("tile.num_tiles", Op::num_tiles)
      .Case("tile.bound", Op::bound)
      .Case("tile.segment", Op::segment)
      .Case("tile.program_index", Op::program_index)
      .Case("tile.unflatten", Op::unflatten)
      .Case("tile.iota", Op::iota)
      .Case("tile.broadcast", Op::broadcast)
      .Case("tile.reshape", Op::reshape)
      .Case("tile.select", Op::select)
      .Case("tile.cast", Op::cast)
      .Case("tile.neg", Op::neg)
      .Case("tile.abs", Op::abs)
      .Case("tile.not", Op::bit_not)
      .Case("tile.add", Op::add)
      .Case("tile.sub", Op::sub)
      .Case("tile.mul", Op::mul)
      .Case("tile.div", Op::div)
      .Case("tile.rem", Op::rem)
      .Case("tile.min", Op::min)
      .Case("tile.max", Op::max)
      .Case("tile.and", Op::bit_and)
      .Case("tile.or", Op::bit_or)
      .Case("tile.xor", Op::bit_xor)
      .Case("tile.shl", Op::shl)
      .Case("tile.shr", Op::shr)
      .Case("tile.cmp", Op::cmp)
      .Default(std::nullopt);
}

} // namespace

class FootprintBuilder {
public:
  explicit FootprintBuilder(Footprint& result) : result(result) {}

  void build(func::FuncOp kernel) {
    for (BlockArgument argument : kernel.getArguments()) {
      ParameterInfo info;
      auto view = dyn_cast<tile::ViewType>(argument.getType());
      info.kind = view ? tegula::name(view.getKind()) : "scalar";
      if (view)
        info.tile.assign(view.getShape().begin(), view.getShape().end());
      llvm::raw_string_ostream(info.element) << (view ? view.getElementType() : argument.getType());
      if (auto type = dyn_cast<IntegerType>(view ? view.getElementType() : argument.getType())) {
        info.bits = static_cast<int>(type.getWidth());
        info.is_unsigned = type.isUnsigned() || type.getWidth() == 1;
      }
      result.parameter_slots_.push_back(view ? -1 : slot(argument));
      result.parameters_.push_back(std::move(info));
    }
    kernel.walk([&](Operation* op) { seed(op); });
    while (!open.empty())
      follow(open.pop_back_val());
    result.body_ = block(kernel.getBody().front());
  }

private:
  // What indices and control flow depend on.

  void need(Value value) {
    if (needed.insert(value).second)
      open.push_back(value);
  }

  static ValueRange placesOf(Operation* op) {
    auto extract = dyn_cast<tile::ExtractOp>(op);
    return extract ? extract.getIndices() : cast<tile::InsertOp>(op).getIndices();
  }

  void seed(Operation* op) {
    if (auto access = dyn_cast<tile::AccessOpInterface>(op)) {
      for (Value index : access.getPlaces())
        need(index);
    } else if (isa<tile::ExtractOp, tile::InsertOp>(op)) {
      for (Value index : placesOf(op))
        need(index);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        need(bound);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.getCondition());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      need(loop.getConditionOp().getCondition());
    }
  }

  void follow(Value value) {
    Operation* op = value.getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument)
      op = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (argument && argument.getArgNumber() == 0)
        return;
      unsigned number = argument ? argument.getArgNumber() - 1 : cast<OpResult>(value).getResultNumber();
      for (Value other : {Value(loop.getResult(number)), Value(loop.getRegionIterArgs()[number]), Value(loop.getInitArgs()[number]),
                          Value(loop.getYieldedValues()[number])})
        need(other);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (argument && argument.getOwner() == loop.getBeforeBody()) {
        need(loop.getInits()[argument.getArgNumber()]);
        need(loop.getYieldOp().getOperand(argument.getArgNumber()));
      } else {
        unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(value).getResultNumber();
        need(loop.getConditionOp().getArgs()[number]);
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      need(branch.thenYield().getOperand(number));
      need(branch.elseYield().getOperand(number));
    } else if (!argument && !isa<tile::SortOp>(op)) {
      for (Value operand : op->getOperands())
        if (!isa<tile::ViewType>(operand.getType()))
          need(operand);
    }
  }

  // Accesses.

  static Access describe(tile::AccessOpInterface op) {
    using Verb = Access::Verb;
    bool isIndexed = !op.getPositionAxes().empty();
    Access access;
    access.verb = op.isRead()                             ? (isIndexed ? Verb::gather : Verb::load)
                  : op.isAccumulation()                   ? Verb::accumulate
                  : isIndexed                             ? Verb::scatter
                  : isa<tile::ClaimOp>(op.getOperation()) ? Verb::claim
                                                          : Verb::store;
    access.sizes = shapeOf(op.getTileType());
    for (int64_t axis : op.getPositionAxes())
      access.positions.push_back(static_cast<int>(axis));
    access.parameter = static_cast<int>(cast<BlockArgument>(op.getView()).getArgNumber());
    access.line = lineOf(op);
    access.elements = op.countsElements();
    access.or_padding = op.mayMiss();
    access.unsafe = op->hasAttr("unsafe");
    return access;
  }

  // What is run.

  int slot(Value value) {
    auto [place, isNew] = slots.try_emplace(value, static_cast<int>(result.slot_sizes_.size()));
    if (isNew)
      result.slot_sizes_.push_back(tile::getSize(value.getType()));
    return place->second;
  }

  std::vector<Footprint::Node> block(Block& block) {
    std::vector<Footprint::Node> nodes;
    for (Operation& op : block.without_terminator())
      if (std::optional<Footprint::Node> node = translate(&op))
        nodes.push_back(std::move(*node));
    return nodes;
  }

  std::optional<Footprint::Node> translate(Operation* op) {
    if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return control(op);
    bool isNeeded = llvm::any_of(op->getResults(), [&](Value value) { return needed.contains(value); });
    Footprint::Node node;
    if (!isNeeded && isa<tile::ExtractOp, tile::InsertOp>(op)) {
      auto insert = dyn_cast<tile::InsertOp>(op);
      Type piece = insert ? insert.getPiece().getType() : op->getResult(0).getType();
      Type whole = insert ? insert.getType() : op->getOperand(0).getType();
      node.op = Op::piece;
      node.line = lineOf(op);
      for (auto [index, outer, inner] : llvm::zip(placesOf(op), tile::getShape(whole), tile::getShape(piece))) {
        node.indices.push_back(slot(index));
        node.counts.push_back(outer / inner);
      }
      return node;
    }
    if (auto sort = dyn_cast<tile::SortOp>(op)) { // the elements may all be equal: then they stay where they are
      if (!needed.contains(sort.getIndices()))
        return std::nullopt;
      node.op = Op::iota;
      node.out.push_back(slot(sort.getIndices()));
      node.to = kindOf(sort.getIndices());
      node.shape = shapeOf(sort.getIndices().getType());
      node.size = tile::getSize(sort.getIndices().getType());
      node.axis = static_cast<int>(sort.getAxis());
      return node;
    }
    if (auto access = dyn_cast<tile::AccessOpInterface>(op)) {
      node.access = static_cast<int>(result.accesses_.size());
      result.accesses_.push_back(describe(access));
      for (Value index : access.getPlaces())
        node.indices.push_back(slot(index));
      node.op = isNeeded ? Op::load : Op::access;
      if (!isNeeded)
        return node;
      if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getPad())
        node.pad = slot(load.getPad());
    } else {
      if (!isNeeded)
        return std::nullopt;
      std::optional<Op> known = elementOp(op->getName().getStringRef());
      if (!known)
        throw std::runtime_error("an index depends on " + op->getName().getStringRef().str());
      node.op = *known;
    }
    fill(node, op);
    return node;
  }

  void fill(Footprint::Node& node, Operation* op) {
    for (Value value : op->getOperands()) {
      if (isa<tile::ViewType>(value.getType()))
        node.parameter = static_cast<int>(cast<BlockArgument>(value).getArgNumber());
      else if (node.access < 0)
        node.in.push_back(slot(value));
    }
    for (Value value : op->getResults())
      node.out.push_back(slot(value));
    node.to = kindOf(op->getResult(0));
    node.shape = shapeOf(op->getResult(0).getType());
    node.size = tile::getSize(op->getResult(0).getType());
    if (!node.in.empty()) {
      node.from = kindOf(op->getOperand(0));
      node.from_shape = shapeOf(op->getOperand(0).getType());
    }
    const bool isExact = node.op == Op::cast && !node.from.is_float && node.from.bits <= 16;
    if ((node.from.is_float || node.to.is_float) && !isExact &&
        !isa<tile::LoadOp, tile::ConstantOp, tile::CmpOp, tile::ReshapeOp>(op))
      throw std::runtime_error("an index depends on arithmetic on floats");
    if (auto axis = op->getAttrOfType<IntegerAttr>("axis"))
      node.axis = static_cast<int>(axis.getInt());
    node.saturate = op->hasAttr("saturate");
    if (auto number = dyn_cast<tile::ConstantOp>(op); number && node.to.is_float) {
      node.value = static_cast<int64_t>(cast<FloatAttr>(number.getElement()).getValueAsDouble());
    } else if (auto constant = dyn_cast<tile::ConstantOp>(op)) {
      llvm::APInt bits = cast<IntegerAttr>(constant.getElement()).getValue();
      node.value = node.to.is_unsigned ? static_cast<int64_t>(bits.getZExtValue()) : bits.getSExtValue();
    }
    if (auto cmp = dyn_cast<tile::CmpOp>(op))
      node.value = static_cast<int64_t>(cmp.getPredicate());
  }

  /// Which of several values that go together are needed: then all are.
  void pass(ValueRange from, ValueRange decides, std::vector<int>& into) {
    for (auto [value, decider] : llvm::zip_equal(from, decides))
      if (needed.contains(decider))
        into.push_back(slot(value));
  }

  Footprint::Node control(Operation* op) {
    Footprint::Node node;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      node.op = Op::loop_for;
      node.line = lineOf(op);
      node.low = slot(loop.getLowerBound());
      node.high = slot(loop.getUpperBound());
      node.step = slot(loop.getStep());
      node.condition = slot(loop.getInductionVar());
      pass(loop.getInitArgs(), loop.getResults(), node.in);
      pass(loop.getRegionIterArgs(), loop.getResults(), node.arguments[0]);
      pass(loop.getYieldedValues(), loop.getResults(), node.yields[0]);
      pass(loop.getResults(), loop.getResults(), node.out);
      node.bodies[0] = block(*loop.getBody());
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      node.op = Op::loop_while;
      node.condition = slot(loop.getConditionOp().getCondition());
      auto before = loop.getBeforeArguments();
      pass(loop.getInits(), before, node.in);
      pass(before, before, node.arguments[0]);
      pass(loop.getYieldOp().getOperands(), before, node.yields[1]);
      node.bodies[0] = block(*loop.getBeforeBody());
      auto passed = loop.getConditionOp().getArgs();
      pass(passed, passed, node.yields[0]);
      pass(loop.getAfterArguments(), passed, node.arguments[1]);
      pass(loop.getResults(), passed, node.out);
      node.bodies[1] = block(*loop.getAfterBody());
    } else {
      auto branch = cast<scf::IfOp>(op);
      node.op = Op::branch;
      node.condition = slot(branch.getCondition());
      pass(branch.getResults(), branch.getResults(), node.out);
      for (auto [number, region] : llvm::enumerate(branch->getRegions()))
        if (!region.empty()) {
          pass(region.front().getTerminator()->getOperands(), branch.getResults(), node.yields[number]);
          node.bodies[number] = block(region.front());
        }
    }
    return node;
  }

  Footprint& result;
  llvm::DenseSet<Value> needed;
  SmallVector<Value> open;
  llvm::DenseMap<Value, int> slots;
};

Footprint::Footprint(const std::string& tile_ir) {
  std::string messages;
  ScopedDiagnosticHandler handler(&context(), [&](Diagnostic& diagnostic) { messages += diagnostic.str() + "\n"; });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(tile_ir, ParserConfig(&context()), "kernel.mlir");
  if (!module || module->getOps<func::FuncOp>().empty())
    throw std::runtime_error("not a kernel: " + messages);
  FootprintBuilder(*this).build(*module->getOps<func::FuncOp>().begin());
}

Footprint::~Footprint() = default;

} // namespace tegula::test

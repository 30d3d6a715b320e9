#include "lib/dialect/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tegula::tile {

static ParseResult parseFunction(OpAsmParser& parser, IntegerAttr& function) {
  StringRef name;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  const auto* found = llvm::find(functionNames, name);
  if (found == std::end(functionNames))
    return parser.emitError(at, "not a function of one float: '") << name << "'";
  function = parser.getBuilder().getI64IntegerAttr(found - functionNames);
  return success();
}

static void printFunction(OpAsmPrinter& printer, FunctionOp op, IntegerAttr) { printer << nameOf(op.getFunction()); }

/// Nobody writes an input in the launch, and no tensor is both an input and an output of one: the host lends out what it moves or
/// lends to an output for nothing else meanwhile (docs/host.md, "Tensors"; docs/safety.md, "Who may touch what").
static void addEffects(AccessOpInterface read, OpOperand& view, SmallVectorImpl<MemoryEffects::EffectInstance>& effects) {
  if (!read.getView().getType().isInput())
    effects.emplace_back(MemoryEffects::Read::get(), &view);
}

static Speculation::Speculatability speculatability(AccessOpInterface read) {
  bool isAnywhere = read.getView().getType().isInput() && !read.isInside();
  return isAnywhere ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance>& effects) { addEffects(*this, getViewMutable(), effects); }
void GatherOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance>& effects) { addEffects(*this, getViewMutable(), effects); }
void GatherPairsOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance>& effects) {
  addEffects(*this, getViewMutable(), effects);
}
Speculation::Speculatability LoadOp::getSpeculatability() { return speculatability(*this); }
Speculation::Speculatability GatherOp::getSpeculatability() { return speculatability(*this); }
Speculation::Speculatability GatherPairsOp::getSpeculatability() { return speculatability(*this); }

} // namespace tegula::tile

#define GET_OP_CLASSES
#include "lib/dialect/TileOps.cpp.inc"

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

} // namespace tegula::tile

#define GET_OP_CLASSES
#include "lib/dialect/TileOps.cpp.inc"

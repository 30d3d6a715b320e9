#include "lib/dialect/Tile.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "lib/dialect/TileOps.cpp.inc"

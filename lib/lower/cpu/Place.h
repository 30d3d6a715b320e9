// Where a tile lives, as decided by tile-cpu-place.
#pragma once
#include "lib/dialect/Tile.h"

namespace tegula::cpu {

/// Computed element by element wherever it is used; everything else is kept in memory.
inline bool isInline(mlir::Operation* op) {
  auto place = op ? op->getAttrOfType<mlir::StringAttr>("cpu.place") : mlir::StringAttr();
  return place && place == "inline";
}

/// Whether a reshape only adds or drops axes of extent 1.
bool keepsAxes(tile::ReshapeOp op);

} // namespace tegula::cpu

// The accesses of a kernel to its tensors, in one form.
#pragma once
#include "lib/dialect/Tile.h"
#include "lib/trace/Record.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace tegula::prover {

struct AccessAxis {
  mlir::Value index; // a tile index, the tile's first element, or a tile of element positions: of rank 2, if two axes have them
  int64_t size = 1;  // of the tile along this axis
  bool isPosition = false;
  bool isElement = false; // the index is that of the tile's first element
};

struct Access {
  mlir::Operation* op = nullptr;
  mlir::Value view;
  llvm::SmallVector<AccessAxis, 4> axes;
  llvm::StringRef verb; // "load", as in "load of parameter 2"
  llvm::StringRef unsafe;
  bool orPadding = false;
  bool writes = false; // the elements are this program's from here on

  tile::ViewType type() const { return mlir::cast<tile::ViewType>(view.getType()); }
  int parameter() const { return static_cast<int>(mlir::cast<mlir::BlockArgument>(view).getArgNumber()); }
};

/// All accesses that need a proof, in program order. A store to a tile that was claimed, or to the program's own piece, needs none.
std::vector<Access> accessesOf(mlir::func::FuncOp kernel);

/// The stores of a claimed tile: same index, and the claim comes first.
llvm::SmallVector<tile::StoreOp> storesOf(tile::ClaimOp claim);

trace::Location locationOf(mlir::Location location);

} // namespace tegula::prover

//===- TileInterfaces.td: what operations have in common ------------------===//
#ifndef TEGULA_TILE_INTERFACES_TD
#define TEGULA_TILE_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_AccessOpInterface : OpInterface<"AccessOpInterface"> {
  let description = [{
    An operation that touches one tile of a view, or claims it. Along the axes that have positions, each slice of the tile is at an
    element position of its own; along each of the others the tile has an index. What is read is the operation's result.
  }];
  let cppNamespace = "::tegula::tile";
  let methods = [
    InterfaceMethod<"", "::mlir::TypedValue<::tegula::tile::ViewType>", "getView">,
    InterfaceMethod<"One for each axis without positions, in order.", "::mlir::Operation::operand_range", "getIndices">,
    InterfaceMethod<"In order. The tiles of positions, one for each of them, are the last operands.",
      "::llvm::SmallVector<int64_t, 2>", "getPositionAxes", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"What is read or written; null for a claim.", "::mlir::Value", "getTile", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"What elements outside the tensor read as; null: zero.", "::mlir::Value", "getPad", (ins), [{}], [{ return {}; }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// Of all extents that the access has.
    ::mlir::Type getTileType() { return $_op.getTile() ? $_op.getTile().getType() : $_op.getView().getType().getTileType(); }
    ::llvm::MutableArrayRef<::mlir::OpOperand> getPositionOperands() {
      return $_op->getOpOperands().take_back($_op.getPositionAxes().size());
    }
    ::mlir::OperandRange getPositions() { return $_op->getOperands().take_back($_op.getPositionAxes().size()); }
    /// For each axis of the tile its index, or its positions.
    ::llvm::SmallVector<::mlir::Value, 6> getPlaces() {
      ::llvm::SmallVector<::mlir::Value, 6> places = ::llvm::to_vector<6>($_op.getIndices());
      for (auto [axis, positions] : ::llvm::zip($_op.getPositionAxes(), $_op.getPositions()))
        places.insert(places.begin() + axis, positions);
      return places;
    }
    bool isRead() { return $_op->getNumResults() == 1; }
    bool isAccumulation() { return $_op.getView().getType().isAccumulated(); }
    /// The elements are this program's from here on.
    bool isOwning() { return !$_op.isRead() && !$_op.isAccumulation(); }
    // The attributes of accesses; see TileOps.td.
    bool countsElements() { return $_op->hasAttr("elements"); }
    bool mayMiss() { return $_op->hasAttr("or_padding"); }
    bool isInside() { return $_op->hasAttr("inside"); }
    bool isFresh() { return $_op->hasAttr("fresh"); }
    bool isChecked() { return $_op->hasAttr("check"); }
  }];
}

#endif // TEGULA_TILE_INTERFACES_TD

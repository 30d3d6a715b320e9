//===- TileDialect.td: the tile dialect, its types and constraints --------===//
#ifndef TEGULA_TILE_DIALECT_TD
#define TEGULA_TILE_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tegula::tile";
  let summary = "Tile programs: what a traced kernel means, before any target is chosen";
  let description = [{
    A kernel is a `func.func` whose parameters are views (`!tile.view`) and scalars. It is the body of one *tile program*; a launch
    runs one program per piece of the output.

    A *tile* is an immutable value with a static shape whose extents are powers of two: a `tensor` for rank 1 to 6, a plain scalar
    for rank 0. Signless integers are signed; unsigned integers are `ui8` to `ui64`; `i1` is bool. Control flow is `scf`, with `i64`
    loop variables.

    Every operation is total: integer arithmetic wraps; `x / 0` is 0 and `x % 0` is x; shifting by the width or more gives what
    shifting bit by bit would; a float outside the range of an integer type saturates and NaN becomes 0.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Tile_ViewType : TypeDef<Tile_Dialect, "View"> {
  let mnemonic = "view";
  let summary = "a tensor in memory, seen in tiles of one shape";
  let description = [{
    `!tile.view<in, 128x64xbf16>`: rank and element type are the tensor's; the shape is the tile's. The tensor's own extents and
    strides are known at launch. Kinds:
    - `in` is shared and read-only; so are `index`, whose values all lie in [0, bound), and `distinct`, whose values also differ;
    - `index_or_none` and `distinct_or_none` are the same, but that any value may be -1, which stands for none;
    - `offsets`, of rank 1 and shared too, has values that never fall, the first of them 0 and the last the bound: value s is where
      segment s begins, and value s + 1 where it ends;
    - `out` gives each program one piece, and so do `inout`, which a program may read back, and `out_index`, whose values must all
      lie in [0, bound);
    - `outs` and `patch` give each program the tiles that it claims; those of an `outs` must cover the tensor;
    - `add_into`, `min_into`, `max_into`, `and_into` and `or_into` may be combined into by every program and read by none.
  }];
  let parameters = (ins "::tegula::ParameterKind":$kind, ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
    // As tegula/kinds.hpp says.
    bool isInput() const { return ::tegula::is_input(getKind()); }
    bool isOutput() const { return ::tegula::is_output(getKind()); }
    bool isCertified() const { return ::tegula::is_certified(getKind()); }
    bool hasBound() const { return ::tegula::has_bound(getKind()); }
    bool isDistinct() const { return ::tegula::is_distinct(getKind()); }
    bool mayBeNone() const { return ::tegula::may_be_none(getKind()); }
    bool isPartition() const { return ::tegula::is_partition(getKind()); }
    bool isClaimed() const { return ::tegula::is_claimed(getKind()); }
    bool isAccumulated() const { return ::tegula::is_accumulated(getKind()); }
    /// The type of one whole tile of this view: a tensor, or a scalar for rank 0.
    ::mlir::Type getTileType() const;
  }];
}

def Tile_Element : Type<CPred<"::tegula::tile::isElementType($_self)">, "an element type">;

def Tile_Value : Type<CPred<"::tegula::tile::isTile($_self)">, "a tile or scalar">;
def Tile_Float : Type<
    CPred<"::tegula::tile::isTile($_self) && ::tegula::tile::isArithmeticFloat(::mlir::getElementTypeOrSelf($_self))">,
    "a tile or scalar of f64, f32, f16 or bf16">;
def Tile_Integer : Type<
    CPred<"::tegula::tile::isTile($_self) && ::mlir::isa<::mlir::IntegerType>(::mlir::getElementTypeOrSelf($_self))">,
    "a tile or scalar of integers or bool">;
def Tile_Number : Type<
    CPred<"::tegula::tile::isTile($_self) && ::tegula::tile::isNumber(::mlir::getElementTypeOrSelf($_self))">,
    "a tile or scalar of numbers (fp8 and bool have no arithmetic: cast first)">;
def Tile_Whole : Type<
    CPred<"::tegula::tile::isTile($_self) && ::mlir::isa<::mlir::IntegerType>(::mlir::getElementTypeOrSelf($_self)) && "
          "!::mlir::getElementTypeOrSelf($_self).isInteger(1)">,
    "a tile or scalar of integers">;
def Tile_Bool : Type<
    CPred<"::tegula::tile::isTile($_self) && ::mlir::getElementTypeOrSelf($_self).isInteger(1)">, "a tile or scalar of bool">;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "which element of a tile each register of each thread holds";
  let description = [{
    Elements are numbered in row-major order. The element in register r of lane l of warp w is the exclusive or of one number, its
    *base*, for each bit that is set in r, l and w: the bases of a register's bits in `registers`, from the lowest bit on, and so on.
    A base of 0 says that both hold the same element. Together the bases reach every element.

    A GPU back end writes the layout of its results on each operation as `tile.layout`, and on each loop and branch as the list
    `tile.layouts`, with a unit for what is not a tile.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$registers, ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Tile_Enum<string name, string summary, list<I64EnumAttrCase> cases> : I64EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::tile";
}

def Tile_Predicate : Tile_Enum<"Predicate", "comparison", [
    I64EnumAttrCase<"eq", 0>, I64EnumAttrCase<"ne", 1>, I64EnumAttrCase<"lt", 2>, I64EnumAttrCase<"le", 3>,
    I64EnumAttrCase<"gt", 4>, I64EnumAttrCase<"ge", 5>]>;

def Tile_Function : Attr<And<[SignlessIntegerAttrBase<I64, "">.predicate,
    CPred<"::llvm::cast<::mlir::IntegerAttr>($_self).getValue().ult(::tegula::tile::functionCount)">]>, "a function of one float"> {
  let storageType = "::mlir::IntegerAttr";
  let returnType = "::tegula::tile::Function";
  let convertFromStorage = "static_cast<::tegula::tile::Function>($_self.getInt())";
  let constBuilderCall = "$_builder.getI64IntegerAttr(static_cast<int64_t>($0))";
}

def Tile_Combiner : Tile_Enum<"Combiner", "an associative operation with a neutral element", [
    I64EnumAttrCase<"sum", 0>, I64EnumAttrCase<"prod", 1>, I64EnumAttrCase<"min", 2>, I64EnumAttrCase<"max", 3>,
    I64EnumAttrCase<"any", 4>, I64EnumAttrCase<"all", 5>]>;

def Tile_Rounding : Tile_Enum<"Rounding", "how a value that the target type lacks is rounded", [
    I64EnumAttrCase<"nearest_even", 0>, I64EnumAttrCase<"toward_zero", 1>, I64EnumAttrCase<"down", 2>, I64EnumAttrCase<"up", 3>]>;

#endif // TEGULA_TILE_DIALECT_TD

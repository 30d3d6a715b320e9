//===- TileOps.td: the operations of the tile dialect ---------------------===//
#ifndef TEGULA_TILE_OPS_TD
#define TEGULA_TILE_OPS_TD

include "TileDialect.td"
include "TileInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

/// It touches no memory of a tensor, but it fails the launch, or prints, or is what the host checks: it stays where it is.
def Tile_LaunchResource : Resource<"::tegula::tile::LaunchResource">;
defvar Tile_Speaks = MemoryEffects<[MemWrite<Tile_LaunchResource>]>;

//===----------------------------------------------------------------------===//
// Programs and memory
//===----------------------------------------------------------------------===//

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "the number of this program in its launch, 0 to num_programs - 1";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "how many programs the launch runs";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class Tile_ViewQueryOp<string mnemonic> : Tile_Op<mnemonic, [Pure]> {
  let arguments = (ins Tile_ViewType:$view, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$view `axis` $axis attr-dict `:` type($view)";
  let hasVerifier = 1;
}

def Tile_ProgramIndexOp : Tile_ViewQueryOp<"program_index"> {
  let summary = "the tile index, along one axis, of the piece of an `out` or `inout` view that belongs to this program";
  let description = "Pieces are numbered in row-major order: piece p belongs to program p.";
}
def Tile_DimOp : Tile_ViewQueryOp<"dim"> {
  let summary = "the extent of the tensor along one axis";
}
def Tile_NumTilesOp : Tile_ViewQueryOp<"num_tiles"> {
  let summary = "how many tiles, the last one perhaps partial, cover the tensor along one axis";
}

def Tile_UnflattenOp : Tile_Op<"unflatten", [Pure]> {
  let summary = "the tile index per axis of the tile with a row-major number";
  let description = "An axis without tiles counts as having one.";
  let arguments = (ins I64:$linear, Tile_ViewType:$view);
  let results = (outs Variadic<I64>:$indices);
  let assemblyFormat = "$linear `in` $view attr-dict `:` type($view) `->` type($indices)";
  let hasVerifier = 1;
}

def Tile_BoundOp : Tile_Op<"bound", [Pure]> {
  let summary = "what all values of a certified view are below, but for the last value of an `offsets` view, which it is";
  let arguments = (ins Tile_ViewType:$view);
  let results = (outs I64:$result);
  let assemblyFormat = "$view attr-dict `:` type($view)";
  let hasVerifier = 1;
}

def Tile_SegmentOp : Tile_Op<"segment", [Pure]> {
  let summary = "the segment of an `offsets` view that a position is in";
  let description = [{
    The number s with `offsets[s] <= position < offsets[s + 1]`; of a position before all segments the first, of one behind them the
    last, and 0 if there is none. It reads inside the tensor whatever the position is.
  }];
  let arguments = (ins I64:$position, Tile_ViewType:$view);
  let results = (outs I64:$result);
  let assemblyFormat = "$position `in` $view attr-dict `:` type($view)";
  let hasVerifier = 1;
}

// Attributes of accesses. `or_padding`: the tile may lie outside the tensor altogether; otherwise each of its indices must touch the
// tensor, which is for the prover to show. `unsafe`: the author's reason why it need not. `inside`: set by the prover, every index
// touches the tensor, so that nobody need look again. Without `inside` an access reads the pad, or writes nothing, where it misses.
// `fresh`, of a write: set by the prover, no earlier write of this program touches these elements, so that the write need not be
// ordered after them. Without it threads may have to wait for each other first.

class Tile_AccessOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic, !listconcat([Tile_AccessOpInterface], traits)> {
  let hasVerifier = 1;
}
/// With positions along one axis.
class Tile_IndexedOp<string mnemonic, list<Trait> traits = []> : Tile_AccessOp<mnemonic, traits> {
  let extraClassDeclaration = "::llvm::SmallVector<int64_t, 2> getPositionAxes() { return {static_cast<int64_t>(getAxis())}; }";
}

/// What is read of a view that nobody writes in the launch has no effect: it is the same wherever it stands. `inside` holds where the
/// prover found it only; without it any index will do.
defvar Tile_Reads = [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>];

def Tile_LoadOp : Tile_AccessOp<"load", !listconcat(Tile_Reads, [AttrSizedOperandSegments])> {
  let summary = "read a tile by its tile index";
  let description = [{
    Element e of the result is element `index * shape + e` of the tensor, where shape is the result's (which may differ from the
    view's tile: a sub-tile). With `elements` it is element `index + e`: indices count elements, not tiles, and may be negative.
    Elements outside the tensor read as `pad`, zero if absent.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices, Optional<Tile_Value>:$pad, UnitAttr:$elements,
                       UnitAttr:$or_padding, OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside);
  let results = (outs Tile_Value:$tile);
  let assemblyFormat = "$view `[` $indices `]` (`pad` $pad^ `:` type($pad))? attr-dict `:` type($view) `->` type($tile)";
}

def Tile_StoreOp : Tile_AccessOp<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "write a tile by its tile index; elements outside the tensor are dropped";
  let arguments = (ins Tile_Value:$tile, Tile_ViewType:$view, Variadic<I64>:$indices, UnitAttr:$or_padding,
                       OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside, UnitAttr:$fresh);
  let assemblyFormat = "$tile `,` $view `[` $indices `]` attr-dict `:` type($tile) `,` type($view)";
}

def Tile_ClaimOp : Tile_AccessOp<"claim", [Tile_Speaks]> {
  let summary = "this program owns one tile of an `outs` or `patch` view, and stores it exactly once from here on";
  let description = [{
    That no two programs claim one tile is for the prover to show. With `check`, set where it could not, the launch fails when
    two do. The tile has the view's shape.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices, OptionalAttr<StrAttr>:$unsafe, UnitAttr:$check);
  let assemblyFormat = "$view `[` $indices `]` attr-dict `:` type($view)";
}

def Tile_GatherOp : Tile_IndexedOp<"gather", Tile_Reads> {
  let summary = "read slices along one axis, each at the element position that `index` says";
  let description = [{
    Along `axis`, element e of the result is element `index[e]` of the tensor; along the others it is addressed as by load, with one
    tile index for each of them in order. What lies outside reads as zero.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices, Tile_Integer:$index, I64Attr:$axis, UnitAttr:$or_padding,
                       OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside);
  let results = (outs Tile_Value:$tile);
  let assemblyFormat = "$view `[` $indices `]` `by` $index `axis` $axis attr-dict `:` type($view) `,` type($index) `->` type($tile)";
}

def Tile_GatherPairsOp : Tile_AccessOp<"gather_pairs", Tile_Reads> {
  let summary = "read slices along two axes, each at the pair of element positions that `first` and `second` say";
  let description = [{
    Both have the tile's extents along the two `axes`, which are in order. Where the result has the elements i and j along them, it is
    at `first[i, j]` and `second[i, j]` in the tensor; along the others it is addressed as by load, with one tile index for each of them
    in order. What lies outside reads as zero.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I64>:$indices, Tile_Integer:$first, Tile_Integer:$second,
                       DenseI64ArrayAttr:$axes, UnitAttr:$or_padding, OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside);
  let results = (outs Tile_Value:$tile);
  let assemblyFormat = [{
    $view `[` $indices `]` `by` $first `,` $second `axes` $axes attr-dict `:` type($view) `,` type($first) `,` type($second) `->`
    type($tile)
  }];
  let extraClassDeclaration = "::llvm::SmallVector<int64_t, 2> getPositionAxes() { return ::llvm::to_vector<2>(getAxes()); }";
}

def Tile_ScatterOp : Tile_IndexedOp<"scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "write slices along one axis of an `outs` or `patch` view, each at the element position that `index` says; claims and stores them";
  let description = "Addressed as by gather. With `check` the launch fails when two programs write one element.";
  let arguments = (ins Tile_Value:$tile, Tile_ViewType:$view, Variadic<I64>:$indices, Tile_Integer:$index, I64Attr:$axis,
                       OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside, UnitAttr:$fresh, UnitAttr:$check);
  let assemblyFormat = "$tile `,` $view `[` $indices `]` `by` $index `axis` $axis attr-dict `:` type($tile) `,` type($view) `,` type($index)";
}

def Tile_AccumulateOp : Tile_AccessOp<"accumulate", [MemoryEffects<[MemWrite]>]> {
  let summary = "combine a tile, element by element and atomically, into an accumulate-only view";
  let description = "The view's kind says how. In any order; elements outside the tensor are dropped.";
  let arguments = (ins Tile_Value:$tile, Tile_ViewType:$view, Variadic<I64>:$indices, UnitAttr:$or_padding,
                       OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside);
  let assemblyFormat = "$tile `,` $view `[` $indices `]` attr-dict `:` type($tile) `,` type($view)";
}

def Tile_AccumulateAtOp : Tile_IndexedOp<"accumulate_at", [MemoryEffects<[MemWrite]>]> {
  let summary = "accumulate slices along one axis, each at the element position that `index` says; addressed as by gather";
  let arguments = (ins Tile_Value:$tile, Tile_ViewType:$view, Variadic<I64>:$indices, Tile_Integer:$index, I64Attr:$axis,
                       UnitAttr:$or_padding, OptionalAttr<StrAttr>:$unsafe, UnitAttr:$inside);
  let assemblyFormat = "$tile `,` $view `[` $indices `]` `by` $index `axis` $axis attr-dict `:` type($tile) `,` type($view) `,` type($index)";
}

def Tile_ExpectOp : Tile_Op<"expect", [Tile_Speaks]> {
  let summary = "what the host checks before it launches the kernel";
  let description = "The condition depends only on shapes, bounds, scalars and the number of programs. It is a fact for the prover.";
  let arguments = (ins I1:$condition, StrAttr:$text);
  let assemblyFormat = "$condition `,` $text attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Making tiles
//===----------------------------------------------------------------------===//

def Tile_ConstantOp : Tile_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a scalar, or a tile whose elements are all equal";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The element that every position holds: a FloatAttr or IntegerAttr.
    ::mlir::TypedAttr getElement();
  }];
  let builders = [OpBuilder<(ins "::mlir::TypedAttr":$value), [{ build($_builder, $_state, value.getType(), value); }]>];
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "each element is its own index along an axis";
  let arguments = (ins I64Attr:$axis);
  let results = (outs Tile_Integer:$result);
  let assemblyFormat = "`axis` $axis attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_PhiloxOp : Tile_Op<"philox", [Pure, AllTypesMatch<["r0", "r1", "r2", "r3"]>]> {
  let summary = "four words of random bits per counter: Philox 4x32 with 10 rounds";
  let description = "Counter words are (low, high, 0, 0) of the 64-bit counter; key words are (low, high) of the 64-bit key.";
  let arguments = (ins UI64:$key, Tile_Integer:$counter);
  let results = (outs Tile_Integer:$r0, Tile_Integer:$r1, Tile_Integer:$r2, Tile_Integer:$r3);
  let assemblyFormat = "$key `,` $counter attr-dict `:` type($counter) `->` type($r0)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

class Tile_Unary<string mnemonic, Type type, string what> : Tile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let hasFolder = 1;
}
class Tile_Binary<string mnemonic, Type type, string what, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultType], traits)> {
  let summary = what;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Tile_NegOp : Tile_Unary<"neg", Tile_Number, "negation">;
def Tile_AbsOp : Tile_Unary<"abs", Tile_Number, "absolute value; the smallest signed integer is its own">;
def Tile_NotOp : Tile_Unary<"not", Tile_Integer, "every bit flipped">;
def Tile_FunctionOp : Tile_Op<"function", [Pure, SameOperandsAndResultType]> {
  let summary = "one of the functions that include/tegula/functions.def lists";
  let description = "Special values are C99's. How exact a result is depends on the back end, so that nothing is folded.";
  let arguments = (ins Tile_Function:$function, Tile_Float:$operand);
  let results = (outs Tile_Float:$result);
  let assemblyFormat = "custom<Function>($function) $operand attr-dict `:` type($result)";
}
def Tile_FloorOp : Tile_Unary<"floor", Tile_Float, "the next integer below">;
def Tile_CeilOp : Tile_Unary<"ceil", Tile_Float, "the next integer above">;
def Tile_RoundOp : Tile_Unary<"round", Tile_Float, "the nearest integer, halves to even">;
def Tile_TruncOp : Tile_Unary<"trunc", Tile_Float, "the next integer toward zero">;

def Tile_AddOp : Tile_Binary<"add", Tile_Number, "sum", [Commutative]>;
def Tile_SubOp : Tile_Binary<"sub", Tile_Number, "difference">;
def Tile_MulOp : Tile_Binary<"mul", Tile_Number, "product", [Commutative]>;
def Tile_DivOp : Tile_Binary<"div", Tile_Number, "quotient; of integers toward zero, and 0 for a divisor of 0">;
def Tile_RemOp : Tile_Binary<"rem", Tile_Number, "remainder with the sign of lhs; lhs for an integer divisor of 0">;
def Tile_MinOp : Tile_Binary<"min", Tile_Number, "the smaller; NaN if either is NaN", [Commutative]>;
def Tile_MaxOp : Tile_Binary<"max", Tile_Number, "the larger; NaN if either is NaN", [Commutative]>;
def Tile_PowOp : Tile_Binary<"pow", Tile_Float, "lhs to the power rhs">;
def Tile_Atan2Op : Tile_Binary<"atan2", Tile_Float, "angle of the point (rhs, lhs)"> {
  let hasFolder = 0;
}
def Tile_AndOp : Tile_Binary<"and", Tile_Integer, "bitwise and", [Commutative]>;
def Tile_OrOp : Tile_Binary<"or", Tile_Integer, "bitwise or", [Commutative]>;
def Tile_XorOp : Tile_Binary<"xor", Tile_Integer, "bitwise exclusive or", [Commutative]>;
def Tile_ShlOp : Tile_Binary<"shl", Tile_Whole, "shift left; rhs counts as unsigned">;
def Tile_ShrOp : Tile_Binary<"shr", Tile_Whole, "shift right, keeping the sign of signed values; rhs counts as unsigned">;

def Tile_FmaOp : Tile_Op<"fma", [Pure, SameOperandsAndResultType]> {
  let summary = "a * b + c, rounded once";
  let arguments = (ins Tile_Float:$a, Tile_Float:$b, Tile_Float:$c);
  let results = (outs Tile_Float:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}

def Tile_CmpOp : Tile_Op<"cmp", [Pure, SameTypeOperands]> {
  let summary = "compare; with NaN everything but `ne` is false";
  let arguments = (ins Tile_Predicate:$predicate, Tile_Value:$lhs, Tile_Value:$rhs);
  let results = (outs Tile_Bool:$result);
  let assemblyFormat = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_SelectOp : Tile_Op<"select", [Pure, AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "on_true where the condition holds, on_false elsewhere";
  let arguments = (ins Tile_Bool:$condition, Tile_Value:$on_true, Tile_Value:$on_false);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` type($condition) `,` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "the same numbers in another element type";
  let description = [{
    To a float: rounded as said. From float to integer: rounded as said, then saturated. Between integers: wraps, or saturates
    with `saturate`. To a narrower float with `saturate`, what is too large becomes the largest finite value instead of infinity (NaN for
    f8E4M3FN). To bool: x != 0.
  }];
  let arguments = (ins Tile_Value:$operand, DefaultValuedAttr<Tile_Rounding, "::tegula::tile::Rounding::nearest_even">:$rounding,
                       UnitAttr:$saturate);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand (`round` $rounding^)? (`saturate` $saturate^)? attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_BitcastOp : Tile_Op<"bitcast", [Pure]> {
  let summary = "the same bits as another element type of the same width";
  let arguments = (ins Tile_Value:$operand);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

class Tile_ShapeOp<string mnemonic, string what> : Tile_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins Tile_Value:$operand);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_ShapeOp<"broadcast", "repeat along axes of extent 1 and missing leading axes, as NumPy does">;
def Tile_ReshapeOp : Tile_ShapeOp<"reshape", "the same elements in row-major order under another shape">;

def Tile_PermuteOp : Tile_Op<"permute", [Pure]> {
  let summary = "axis i of the result is axis permutation[i] of the operand";
  let arguments = (ins Tile_Value:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ConcatOp : Tile_Op<"concat", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "two tiles of one shape side by side along an axis";
  let arguments = (ins Tile_Value:$lhs, Tile_Value:$rhs, I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$lhs `,` $rhs `axis` $axis attr-dict `:` type($lhs) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [Tile_Speaks]> {
  let summary = "the sub-tile with a tile index, in units of the result's shape";
  let description = "An index outside the operand is a failed assertion of the launch. So it is not removed even when unused.";
  let arguments = (ins Tile_Value:$operand, Variadic<I64>:$indices);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand `[` $indices `]` attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_InsertOp : Tile_Op<"insert", [Tile_Speaks, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the tile with one sub-tile replaced; indices as for extract";
  let arguments = (ins Tile_Value:$piece, Tile_Value:$operand, Variadic<I64>:$indices);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$piece `into` $operand `[` $indices `]` attr-dict `:` type($piece) `->` type($operand)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "combine all elements along an axis, in any order; the axis stays, with extent 1";
  let arguments = (ins Tile_Combiner:$combiner, Tile_Value:$operand, I64Attr:$axis);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$combiner $operand `axis` $axis attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "combine, for each element, all up to and including it along an axis (from the end with `reverse`)";
  let arguments = (ins Tile_Combiner:$combiner, Tile_Value:$operand, I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$combiner $operand `axis` $axis (`reverse` $reverse^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Tile_ByRegion<string mnemonic, string what> : Tile_Op<mnemonic, [RecursiveMemoryEffects, IsolatedFromAbove,
    SingleBlock]> {
  let summary = what;
  let description = [{
    The region combines two elements of each of the n operands: its 2n scalar arguments are those of the element that is met first, then those of
    the next one; it yields n scalars. It must be associative. Elements are met in the order of their indices, a reverse scan meets the last one first.
  }];
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let hasVerifier = 1;
}

def Tile_ReduceByOp : Tile_ByRegion<"reduce_by", "reduce with a combiner of its own, over one or several tiles of one shape"> {
  let arguments = (ins Variadic<Tile_Value>:$operands, I64Attr:$axis);
  let assemblyFormat = "$operands `axis` $axis attr-dict-with-keyword `:` type($operands) `->` type($results) $combiner";
}
def Tile_ScanByOp : Tile_ByRegion<"scan_by", "scan with a combiner of its own, over one or several tiles of one shape"> {
  let arguments = (ins Variadic<Tile_Value>:$operands, I64Attr:$axis, UnitAttr:$reverse);
  let assemblyFormat = "$operands `axis` $axis (`reverse` $reverse^)? attr-dict-with-keyword `:` type($operands) `->` type($results) $combiner";
}
def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["ReduceByOp", "ScanByOp"]>]> {
  let summary = "the combined elements";
  let arguments = (ins Variadic<Tile_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tile_ArgReduceOp : Tile_Op<"arg_reduce", [Pure]> {
  let summary = "the index along an axis of the largest (`max`) or smallest (`min`) element";
  let description = "The first of equal ones; the first NaN if there is one.";
  let arguments = (ins Tile_Combiner:$combiner, Tile_Value:$operand, I64Attr:$axis);
  let results = (outs Tile_Integer:$result);
  let assemblyFormat = "$combiner $operand `axis` $axis attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_SortOp : Tile_Op<"sort", [Pure]> {
  let summary = "sorted along an axis, with the index each element came from; equal ones keep their order";
  let description = [{
    NaN counts as larger than everything. The results may be shorter than the operand along the axis: then only the first are kept
    (top-k).
  }];
  let arguments = (ins Tile_Value:$operand, I64Attr:$axis, UnitAttr:$descending);
  let results = (outs Tile_Value:$values, Tile_Integer:$indices);
  let assemblyFormat = "$operand `axis` $axis (`descending` $descending^)? attr-dict `:` type($operand) `->` type($values) `,` type($indices)";
  let hasVerifier = 1;
}

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "acc + a · b, for tiles [..., M, K], [..., K, N] and [..., M, N]";
  let description = "`tf32` rounds f32 operands to 10 bits of mantissa first. The order of summation is free, and bf16 operands below 2^-126 may count as 0.";
  let arguments = (ins Tile_Value:$a, Tile_Value:$b, Tile_Value:$acc, UnitAttr:$tf32);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$a `,` $b `,` $acc (`tf32` $tf32^)? attr-dict `:` type($a) `,` type($b) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_RelayoutOp : Tile_Op<"relayout", [Pure, SameOperandsAndResultType]> {
  let summary = "the same tile in another layout; its attribute `tile.layout` says which";
  let arguments = (ins Tile_Value:$operand);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

def Tile_PrintOp : Tile_Op<"print", [Tile_Speaks]> {
  let summary = "show values on the host";
  let arguments = (ins StrAttr:$text, Variadic<Tile_Value>:$values);
  let assemblyFormat = "$text (`,` $values^ `:` type($values))? attr-dict";
}

def Tile_AssertOp : Tile_Op<"assert", [Tile_Speaks]> {
  let summary = "fail the launch, with the text and the values, where any element is false";
  let description = "`bounds`: put in by the prover for an access that it could not settle; the text then says all.";
  let arguments = (ins Tile_Bool:$condition, StrAttr:$text, Variadic<Tile_Value>:$values, UnitAttr:$bounds);
  let assemblyFormat = "$condition `,` $text (`,` $values^ `:` type($values))? attr-dict `:` type($condition)";
  let hasCanonicalizeMethod = 1;
}

#endif // TEGULA_TILE_OPS_TD

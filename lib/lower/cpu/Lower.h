// The state of tile-cpu-lower while it rebuilds one kernel as a function of one program.
// The member functions are spread over the files named above them.
#pragma once
#include "lib/abi/CpuKernel.h"
#include "lib/lower/Views.h"
#include "lib/lower/cpu/CpuElementwise.h"
#include "lib/lower/cpu/Place.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tegula::cpu {

/// A tile kept in scratch memory, in row-major order.
struct Buffer {
  mlir::Value pointer;
  llvm::SmallVector<int64_t, 6> shape;
  mlir::Type element;
};

/// The part of a tensor that an access touches. Along the axes `indexed`, if there are any, it is not a run of elements: each has
/// its own position, which is compared with the tensor's extent wherever it is used.
struct Window {
  const ViewParameters* view;
  mlir::Value base; // of the tile's first element; along `indexed` of the tensor's
  llvm::SmallVector<mlir::Value, 6>
      room; // how many of the tile's elements lie before the tensor's end, per axis; null for `indexed`
  llvm::SmallVector<mlir::Value, 6> before; // how many of these lie before its start; null: none
  mlir::Value isFull;                       // none lies outside along the other axes; null if there are none
  mlir::Value pad;
  llvm::SmallVector<int64_t, 2> indexed;
  llvm::SmallVector<Buffer, 2> positions; // along each of these axes, a tile that has all of them
  bool isIndexed(size_t axis) const { return llvm::is_contained(indexed, static_cast<int64_t>(axis)); }
};

/// A position in a tile; with lanes, the first of so many along an axis.
struct Point {
  llvm::SmallVector<mlir::Value, 6> index;
  int axis = -1;
  int64_t lanes = 0;
};

class Lowering {
public:
  Lowering(mlir::func::FuncOp source, const CpuTarget& target);
  void run();

private:
  using Body = llvm::function_ref<void(const Point&)>;

  // Lower.cpp: the function, scalars, and what becomes of each operation
  void declareParameters();
  void emitBlock(mlir::Block& block);
  void emitOperation(mlir::Operation* op);
  void emitScalar(mlir::Operation* op);
  void emitStore(tile::StoreOp op);
  mlir::Value scalar(mlir::Value value) { return scalars.lookup(value); }
  mlir::Value index(int64_t value);
  Buffer allocate(mlir::Type tile);
  Buffer allocate(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  Buffer allocateFor(mlir::Value tile);

  // Control.cpp
  void emitFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitIf(mlir::scf::IfOp op);
  void planInPlace(mlir::scf::ForOp op, llvm::ArrayRef<Buffer> carried);
  bool canUpdateInPlace(mlir::Value carried, mlir::Value next, mlir::Block* body);
  llvm::SmallVector<mlir::Value> scalarsAmong(mlir::ValueRange values);
  void mapScalars(mlir::ValueRange from, mlir::ValueRange to);
  void writeCarried(mlir::ValueRange values, llvm::ArrayRef<Buffer> targets);

  // Nest.cpp: loops over a tile
  /// Writes a tile to memory; `convert` turns its elements into those of the buffer where the two differ.
  using Convert = llvm::function_ref<mlir::Value(mlir::Value)>;
  void compute(mlir::Value tile, const Buffer& into, Convert convert = nullptr);
  /// The tile's own buffer, or a new one with its elements.
  Buffer inMemory(mlir::Value tile);
  void computeTransposed(mlir::Value tile, const Buffer& into, int from, Convert convert);
  void nest(llvm::ArrayRef<int64_t> shape, int axis, int64_t lanes, Body body);
  /// Emits what `body` emits twice, with and without masks, when an element of `tiles` is read from a tensor that may end inside.
  void versioned(llvm::ArrayRef<mlir::Value> tiles, const Window* store, llvm::function_ref<void()> body);
  int laneAxis(llvm::ArrayRef<int64_t> shape);
  int64_t lanesFor(llvm::ArrayRef<mlir::Value> tiles, int64_t extent);
  /// The tiles, and those that computing their elements reads.
  void forEachInline(llvm::ArrayRef<mlir::Value> tiles, llvm::function_ref<void(mlir::Value)> visit);
  mlir::Value loop(int64_t from, int64_t to, int64_t step, llvm::ArrayRef<mlir::Value> carried,
                   llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body,
                   llvm::SmallVectorImpl<mlir::Value>* results = nullptr);
  /// The axis along which neighbours are neighbours in memory too, or -1.
  int contiguousAxis(mlir::Value tile);
  static int contiguousAxis(const Window& window, llvm::ArrayRef<int64_t> shape);
  llvm::SmallVector<mlir::Value> transpose(llvm::ArrayRef<mlir::Value> rows);

  // Elements.cpp: what one element, or one vector of them, is
  mlir::Value element(mlir::Value tile, const Point& at);
  mlir::Value computeElement(mlir::Operation* op, const Point& at);
  mlir::Value splat(mlir::Value value, int64_t lanes);
  Point repeated(tile::BroadcastOp op, const Point& at);
  Point reshaped(tile::ReshapeOp op, const Point& at);

  // Memory.cpp
  Window windowOf(tile::AccessOpInterface op);
  mlir::Value loadFrom(const Window& window, const Point& at);
  void storeTo(const Window& window, const Point& at, mlir::Value value);
  mlir::Value loadFrom(const Buffer& buffer, const Point& at);
  void storeTo(const Buffer& buffer, const Point& at, mlir::Value value);
  mlir::Value addressIn(const Buffer& buffer, llvm::ArrayRef<mlir::Value> index);
  mlir::Value advance(mlir::Value pointer, mlir::Value elements, mlir::Type element);
  mlir::Value loadVector(mlir::Value pointer, mlir::Type element, int64_t lanes);
  void storeVector(mlir::Value pointer, mlir::Type element, mlir::Value value);
  mlir::Value fromMemory(mlir::Value value, mlir::Type element);
  mlir::Value toMemory(mlir::Value value, mlir::Type element);
  mlir::Value addressIn(const Window& window, const Point& at);
  mlir::Value lanesInside(const Window& window, const Point& at, mlir::Value inside);
  mlir::Value isInside(const Window& window, const Point& at);

  // Indexed.cpp: gather, scatter, and what they share with accumulate_at
  /// Along the indexed axis with a number.
  mlir::Value positionAt(const Window& window, const Point& at, size_t number);
  /// The point with its position in place of its index along each indexed axis, and whether that lies inside the tensor.
  std::pair<Point, mlir::Value> resolve(const Window& window, const Point& at);
  std::pair<mlir::Value, mlir::Value> addressesAlong(const Window& window, const Point& at);
  mlir::Value gatherAlong(const Window& window, const Point& at);
  void scatterAlong(const Window& window, const Point& at, mlir::Value value);
  void emitScatter(tile::ScatterOp op);

  // Accumulate.cpp
  void emitAccumulate(mlir::Value tile, const Window& target, ParameterKind kind);
  void combineInto(mlir::Value address, mlir::Value value, mlir::Type element, ParameterKind kind);

  // Axis.cpp: reductions, scans, sorting
  void emitReduce(tile::ReduceOp op);
  void emitReduceBy(tile::ReduceByOp op);
  void emitArgReduce(tile::ArgReduceOp op);
  void emitScan(tile::ScanOp op);
  void emitScanBy(tile::ScanByOp op);
  void emitSort(tile::SortOp op);
  using Combine = llvm::function_ref<llvm::SmallVector<mlir::Value>(llvm::ArrayRef<mlir::Value>, llvm::ArrayRef<mlir::Value>)>;
  void scanAlong(mlir::ValueRange operands, llvm::ArrayRef<mlir::Type> registers, int axis, bool reverse,
                 llvm::ArrayRef<Buffer> into, Combine combine);

  // Mma.cpp
  friend class MmaEmitter;
  void emitMma(tile::MmaOp op);

  // Pieces.cpp: concat, extract, insert
  void emitConcat(tile::ConcatOp op);
  void emitInsert(tile::InsertOp op);
  llvm::SmallVector<mlir::Value> offsetsWithin(mlir::ValueRange indices, llvm::ArrayRef<int64_t> whole,
                                               llvm::ArrayRef<int64_t> piece);

  // Messages.cpp: print and assert
  void emitPrint(tile::PrintOp op);
  void emitAssert(tile::AssertOp op);
  mlir::Value addSite(mlir::Operation* op, Site::Kind kind, llvm::StringRef text, mlir::ValueRange values);
  void emitReport(mlir::Operation* op, Site::Kind kind, llvm::StringRef text, mlir::ValueRange values);
  void failUnless(mlir::Operation* op, mlir::Value condition, llvm::StringRef text, mlir::ValueRange values, Site::Kind kind);
  void callRuntime(llvm::StringRef function, mlir::ValueRange arguments);

  // Claims.cpp: who writes what, where the prover could not tell
  void emitClaim(tile::ClaimOp op);
  void emitClaims(tile::ScatterOp op, const Window& target);
  void reportClaim(mlir::Value site, mlir::Value view, llvm::ArrayRef<mlir::Value> first, llvm::ArrayRef<mlir::Value> extents);

  mlir::func::FuncOp source, result;
  mlir::ModuleOp module;
  const CpuTarget& target;
  mlir::ImplicitLocOpBuilder b;
  CpuElementwise math;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseMap<mlir::Value, Buffer> destinations; // where a tile not yet computed is to go
  ViewMap views;
  llvm::DenseMap<mlir::Operation*, Window> windows;                              // of loads and gathers
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::Value>> pieceOffsets; // of extracts
  llvm::DenseMap<mlir::Value, int> contiguousAxes;                               // of elementwise operations
  llvm::SmallVector<mlir::Attribute> sites;
  llvm::SmallSetVector<int64_t, 4> claimed; // parameters whose claims are reported
  mlir::Value program, programs, context, scratch;
  int64_t scratchBytes = 64; // the first line is a place to read from where nothing may be read
  bool masked = false;
  bool copiesRows = false; // a tile of a tensor is being copied to scratch memory as it is

  struct Known {
    mlir::Value tile;
    Point at;
    mlir::Value element;
  };
  llvm::SmallVector<Known> known; // elements already at hand in the innermost loop
};

} // namespace tegula::cpu

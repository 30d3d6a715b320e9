// The state of tile-cpu-lower while it rebuilds one kernel as a function of one program.
// The member functions are spread over the files named above them.
#pragma once
#include "lib/lower/cpu/Elementwise.h"
#include "lib/lower/cpu/Place.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tegula::cpu {

/// A tile kept in scratch memory, in row-major order.
struct Buffer {
  mlir::Value pointer;
  llvm::SmallVector<int64_t, 6> shape;
  mlir::Type element;
};

/// A view's parameters as read at the start of the program.
struct ViewParameters {
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value, 6> extents, strides;
  llvm::SmallVector<int64_t, 6> knownStrides; // 0, 1, or -1 for one that is not known
  mlir::Type element;
};

/// The part of a tensor that a load or store touches.
struct Window {
  const ViewParameters* view;
  mlir::Value base;                       // of the tile's first element
  llvm::SmallVector<mlir::Value, 6> room; // how many of the tile's elements lie inside the tensor, per axis
  mlir::Value isFull;                     // none lies outside
  mlir::Value pad;
};

/// A position in a tile; with lanes, the first of so many along an axis.
struct Point {
  llvm::SmallVector<mlir::Value, 6> index;
  int axis = -1;
  int64_t lanes = 0;
};

class Lowering {
public:
  Lowering(mlir::func::FuncOp source, const Target& target);
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
  llvm::SmallVector<mlir::Value> transpose(llvm::ArrayRef<mlir::Value> rows);

  // Elements.cpp: what one element, or one vector of them, is
  mlir::Value element(mlir::Value tile, const Point& at);
  mlir::Value computeElement(mlir::Operation* op, const Point& at);
  mlir::Value splat(mlir::Value value, int64_t lanes);
  Point repeated(tile::BroadcastOp op, const Point& at);
  Point reshaped(tile::ReshapeOp op, const Point& at);
  llvm::SmallVector<mlir::Value> applyRegion(mlir::Region& region, llvm::ArrayRef<mlir::Value> arguments);

  // Memory.cpp
  Window window(mlir::Value view, mlir::ValueRange indices, llvm::ArrayRef<int64_t> shape, mlir::Value pad);
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
  std::pair<mlir::Value, mlir::Value> masks(const Window& window, const Point& at);

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
  llvm::SmallVector<mlir::Value> checkedOffsets(mlir::Operation* op, mlir::ValueRange indices, llvm::ArrayRef<int64_t> whole,
                                                llvm::ArrayRef<int64_t> piece);

  // Messages.cpp: print and assert
  void emitPrint(tile::PrintOp op);
  void emitAssert(tile::AssertOp op);
  void emitReport(mlir::Operation* op, bool isAssertion, llvm::StringRef text, mlir::ValueRange values);
  void failUnless(mlir::Operation* op, mlir::Value condition, llvm::StringRef text, mlir::ValueRange values);

  mlir::func::FuncOp source, result;
  mlir::ModuleOp module;
  const Target& target;
  mlir::ImplicitLocOpBuilder b;
  Elementwise math;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseMap<mlir::Value, Buffer> destinations; // where a tile not yet computed is to go
  llvm::DenseMap<mlir::Value, ViewParameters> views;
  llvm::DenseMap<mlir::Operation*, Window> windows;                              // of loads
  llvm::DenseMap<mlir::Operation*, llvm::SmallVector<mlir::Value>> pieceOffsets; // of extracts
  llvm::DenseMap<mlir::Value, int> contiguousAxes;                               // of elementwise operations
  llvm::SmallVector<mlir::Attribute> sites;
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

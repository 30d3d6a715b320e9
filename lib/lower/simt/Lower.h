// The state of tile-simt-lower while it rebuilds one kernel as the function of one thread.
// The member functions are spread over the files named above them.
#pragma once
#include "lib/abi/Site.h"
#include "lib/lower/Loops.h"
#include "lib/lower/Views.h"
#include "lib/lower/simt/Boxes.h"
#include "lib/lower/simt/Layout.h"
#include "lib/lower/simt/SimtElementwise.h"
#include "lib/target/GpuTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace tegula::simt {

/// What a thread holds of a tile: one value for each of its registers.
using Registers = llvm::SmallVector<mlir::Value>;

/// Where the elements of a thread lie in their tile.
struct Coordinates {
  Layout layout;
  llvm::SmallVector<int64_t, 6> shape;
  bool adds;                                // what register and thread contribute to an index is a sum; otherwise an exclusive or
  llvm::SmallVector<mlir::Value, 6> thread; // index of the first register's element per axis, as i32
};

/// A tile in shared memory, or the part of it that fits at a time.
struct SharedTile {
  mlir::Value base;
  mlir::Type element;
  unsigned chunkBits;        // elements whose numbers agree in all but these low bits are there at the same time
  uint32_t chunk;            // what their other bits are
  uint32_t swizzleBytes = 0; // how wide the boxes are in which TMA has it; 0: it does not
};

/// Values of several types in shared memory, side by side.
struct SharedColumns {
  llvm::SmallVector<mlir::Type, 2> types;
  llvm::SmallVector<mlir::Value, 2> bases;
  int64_t bytes; // of all
};

/// The part of a tensor that an access touches. Along the axes `indexed`, if there are any, each element has a position of its own.
struct Window {
  const ViewParameters* view;
  llvm::SmallVector<int64_t, 6> shape;
  mlir::Value base;                        // of the tile's first element; along `indexed` of the tensor's
  llvm::SmallVector<mlir::Value, 6> start; // of the tile in the tensor, per axis; null for `indexed`
  // How many of the tile's elements lie before the tensor's end, per axis, as i32; null: all. How many before its start; null:
  // none.
  llvm::SmallVector<mlir::Value, 6> room, before;
  mlir::Value touches; // whether any lies inside, as i1; null: yes
  llvm::SmallVector<int64_t, 2> indexed;
  Counted counted = Counted::tiles;
  llvm::SmallVector<Registers, 2> positions; // along each of these axes, as i64: a tile that has all of them
  Registers overwritten; // for each position, whether the same one comes again later and hides it; empty if none does
  Layout positionsLayout;
  bool isIndexed(size_t axis) const { return llvm::is_contained(indexed, static_cast<int64_t>(axis)); }
};

/// Slots of shared memory that a load in a loop fills ahead of time, iteration by iteration.
struct Ring {
  tile::LoadOp load;
  llvm::SmallVector<int64_t, 6> order; // of the axes in a slot: the contiguous one is last
  Layout copies;                       // who copies what
  int64_t slots, slotBytes, start;     // `start`: where in shared memory
};

/// Where a load that ran ahead finds its tile.
struct StagedTile {
  SharedTile tile;
  llvm::SmallVector<int64_t, 6> order;
};

class Lowering {
public:
  Lowering(mlir::func::FuncOp source, const GpuTarget& target);
  void run();

private:
  // Lower.cpp: the function, scalars, and what becomes of each operation
  void declareEntry();
  int32_t programsAtOnce() const;
  void emitBlock(mlir::Block& block);
  void emitOperations(llvm::ArrayRef<mlir::Operation*> operations);
  void emitOperation(mlir::Operation* op);
  void emitScalar(mlir::Operation* op);
  Registers emitTile(mlir::Operation* op);
  Registers emitElementwise(mlir::Operation* op, size_t count);
  mlir::Value scalar(mlir::Value value) { return scalars.lookup(value); }
  const Registers& registersOf(mlir::Value tile) { return tiles.find(tile)->second; }
  /// One register per element that a thread holds, whether the value is a tile or a scalar.
  mlir::Value registerOf(mlir::Value value, size_t number);
  Layout layoutOf(mlir::Value tile); // of a scalar: every thread holds it
  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value all(mlir::Value a, mlir::Value b); // of conditions, each of which may be null for true
  /// PTX that does something beside its result.
  mlir::Value assembly(llvm::StringRef text, llvm::StringRef constraints, mlir::ValueRange operands, mlir::Type result = {});

  // Start.cpp: before the kernels before this one have ended
  void emitProgram();
  bool startsEarly() const { return target.capability >= 90; }
  bool isSettled(mlir::Value view);
  bool mustComeLater(mlir::Operation& op);
  llvm::SetVector<mlir::Operation*> findBeginning();

  // Control.cpp
  /// Before anything is emitted: an access in a loop is compared with later ones.
  void spreadLayouts();
  void emitFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitIf(mlir::scf::IfOp op);
  void flatten(mlir::ValueRange values, llvm::SmallVectorImpl<mlir::Value>& into);
  void unflatten(mlir::ValueRange values, mlir::ValueRange from);
  void emitBody(mlir::Block& from, mlir::Block* into, mlir::ValueRange arguments);

  // Threads.cpp: which elements a thread holds
  /// The exclusive or of the bases of the bits that are set in `number`.
  mlir::Value applyBases(mlir::Value number, llvm::ArrayRef<uint32_t> bases);
  /// The number of the thread's first element, as i32.
  mlir::Value threadElement(const Layout& layout);
  Coordinates coordinates(const Layout& layout, llvm::ArrayRef<int64_t> shape);
  /// The index along an axis of the element in a register, as i32.
  mlir::Value indexOf(const Coordinates& at, int64_t axis, uint32_t reg);
  /// Whether the thread is the first of those that hold copies of its elements; null if there are no copies.
  mlir::Value isFirstCopy(const Layout& layout);

  // Memory.cpp
  Window windowOf(tile::AccessOpInterface op);
  Registers emitLoad(tile::AccessOpInterface read);
  void emitStore(const Window& window, const Layout& layout, const Registers& values);
  /// The addresses of a thread's elements: that of the first register is `first`.
  mlir::Value addressOf(const Window& window, const Coordinates& at, mlir::Value first, uint32_t reg);
  mlir::Value firstAddress(const Window& window, const Coordinates& at);
  /// Null if it is known to be.
  mlir::Value isInside(const Window& window, const Coordinates& at, uint32_t reg);
  int64_t vectorFor(const Window& window, const Layout& layout);
  bool canCache(const ViewParameters& view);
  mlir::Value advance(mlir::Value pointer, mlir::Value elements, mlir::Type element);
  mlir::Value fromMemory(mlir::Value value, mlir::Type element);
  mlir::Value toMemory(mlir::Value value, mlir::Type element);
  /// `count` neighbours; `canCache` says that nobody writes them in the launch.
  Registers loadGroup(mlir::Value pointer, mlir::Type element, int64_t count, bool canCache);
  void storeGroup(mlir::Value pointer, mlir::Type element, llvm::ArrayRef<mlir::Value> values);
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body);

  // Order.cpp: accesses that wait for each other
  using Accesses = llvm::SmallSetVector<mlir::Operation*, 8>;
  /// Before a load, store or scatter: waits for what other threads do, or did, to the same elements of a tensor that is written.
  void orderAccess(mlir::Operation* access);
  bool mustWait(mlir::Operation* later, mlir::Operation* earlier);
  bool areOfOneThread(mlir::Operation* one, mlir::Operation* other);
  /// Those within a loop may have been made in an earlier iteration.
  void addAccesses(mlir::Operation* within);
  /// After a loop or branch, which had `before` before it: nobody knows which way was taken, and which barriers stood there.
  void rejoin(mlir::Operation* op, const Accesses& before);

  // Indexed.cpp
  void addPositions(Window& window, mlir::Value positions);
  /// The register of the index tiles that belongs to a register of the tile.
  uint32_t positionRegister(const Window& window, const Coordinates& at, uint32_t reg);
  /// Along an indexed axis.
  mlir::Value positionOf(const Window& window, const Coordinates& at, size_t axis, uint32_t reg);
  bool isDistinct(mlir::Value index);
  void hideOverwritten(Window& window, int64_t extent);

  // Accumulate.cpp
  void emitAccumulate(const Window& window, const Layout& layout, const Registers& values, ParameterKind kind);
  void combineInto(mlir::Value address, mlir::Value value, mlir::Type element, ParameterKind kind);
  void addBySwap(mlir::Value address, mlir::Value value);

  // Shared.cpp: memory that the threads of a program share, for a moment at a time
  mlir::Value sharedMemory();
  /// The addresses of a thread's registers, in groups of `group` neighbours, in a tile that is there as a whole.
  llvm::SmallVector<mlir::Value> sharedAddresses(const SharedTile& tile, const Layout& layout, uint32_t group);
  /// By ldmatrix, if the layout is that of a product's operand: eight rows of 16 bytes to each instruction's part.
  bool readMatrices(const SharedTile& tile, const Layout& layout, Registers& into);
  /// Begins a use of `bytes` bytes; waits until nobody uses them for something else.
  mlir::Value openShared(int64_t bytes);
  /// The same for `count` values of each type.
  SharedColumns openShared(llvm::ArrayRef<mlir::Type> types, int64_t count);
  void putRow(const SharedColumns& columns, mlir::Value number, llvm::ArrayRef<mlir::Value> values);
  Registers getRow(const SharedColumns& columns, mlir::Value number);
  /// Between writing and reading.
  void barrier();
  /// The use is over for this thread.
  void closeShared() { sharedInUse = true; }
  /// Waits until neither other threads nor TMA use what was there, up to `end`.
  void freeShared(int64_t end);
  /// After a branch, or in a loop: what was used last is not known.
  void forgetShared() { sharedInUse = true, engineReads = engineStores; }
  /// A tile of so many elements, as much of it at a time as fits: `body` writes, waits and reads.
  void inShared(int64_t elements, mlir::Type element, llvm::function_ref<void(const SharedTile&)> body);
  /// `offset`, if there is one, is added to every element's number; it has no bit in common with them.
  void writeShared(const SharedTile& tile, const Layout& layout, const Registers& values, mlir::Value offset = {});
  void readShared(const SharedTile& tile, const Layout& layout, Registers& into, mlir::Value offset = {});
  Registers relayout(const Registers& values, const Layout& from, const Layout& to, mlir::Type element);
  /// What the thread holds whose lane differs in these bits.
  mlir::Value shuffle(mlir::Value value, int64_t laneBits);
  /// What the thread `distance` lanes before holds (after, if `down`).
  mlir::Value shuffleBy(mlir::Value value, int64_t distance, bool down);
  mlir::Value shuffled(mlir::Value value, mlir::NVVM::ShflKind kind, int64_t offset, int64_t clamp);

  // Staged.cpp: loads that run ahead of their loops
  mlir::scf::ForOp emitStagedFor(mlir::scf::ForOp op, const CountedLoop& iterations, llvm::ArrayRef<tile::LoadOp> loads,
                                 llvm::SmallVector<mlir::Value> first);
  Ring ringFor(tile::LoadOp load);
  SharedTile slotOf(const Ring& ring, mlir::Value slot);
  void startTurn(llvm::ArrayRef<Ring> rings, mlir::scf::ForOp op, mlir::Value variable, mlir::Value slot);
  /// What the indices of a load in a loop are computed by.
  void emitIndices(mlir::scf::ForOp op, tile::LoadOp load);
  void startCopies(const Ring& ring, mlir::Value slot);
  Registers readStaged(tile::LoadOp load);
  /// Of a tile that stays in shared memory: the first load of it copies it there.
  Registers readKept(tile::LoadOp load);

  // Tma.cpp: the same by TMA, and its stores
  /// The address of the map that describes a view to the engine.
  mlir::Value mapOf(mlir::Value view, mlir::Type tile, llvm::ArrayRef<int64_t> order);
  llvm::SmallVector<mlir::Value> boxCoordinates(const Window& from, llvm::ArrayRef<int64_t> order);
  /// For the first thread: asks for a tile at `base` in shared memory to be loaded, which the barrier `full` learns of; or, without
  /// one, to be stored.
  void copyBoxes(const Window& window, mlir::Value view, mlir::Type tile, llvm::ArrayRef<int64_t> order, mlir::Value base,
                 mlir::Value full);
  void startBoxedTurn(llvm::ArrayRef<Ring> rings, mlir::scf::ForOp op, mlir::Value variable, mlir::Value slot, int64_t barriers);
  mlir::Value fullBarrier(int64_t start, mlir::Value slot);
  void waitFull(mlir::Value full, mlir::Value phase);
  void openBarriers(int64_t start, int64_t count);
  void closeBarriers(int64_t start, int64_t count);
  void placeBoxedStores();
  void emitBoxedStore(tile::StoreOp store);
  /// For the first thread: until the engine has read what it is to store, or until it has stored it.
  void waitForStores(bool untilRead);

  // Shapes.cpp
  Registers emitIota(tile::IotaOp op);
  Registers emitBroadcast(tile::BroadcastOp op);
  Registers emitConcat(tile::ConcatOp op);
  Registers emitExtract(tile::ExtractOp op);
  Registers emitInsert(tile::InsertOp op);
  mlir::Value firstElement(mlir::Value tile);
  mlir::Value offsetWithin(mlir::ValueRange indices, llvm::ArrayRef<int64_t> whole, llvm::ArrayRef<int64_t> piece);

  // Combine.cpp: reductions and scans
  template <class Op> void emitCombined(Op op);
  void emitArgReduce(tile::ArgReduceOp op);
  /// A tile's registers, half precision as f32.
  Registers widened(mlir::Value tile);

  // Reduce.cpp and Scan.cpp: `values` has the registers of each operand
  using Combine = llvm::function_ref<Registers(llvm::ArrayRef<mlir::Value>, llvm::ArrayRef<mlir::Value>)>;
  llvm::SmallVector<Registers> reduceAlong(llvm::ArrayRef<Registers> values, const Layout& layout, llvm::ArrayRef<int64_t> shape,
                                           int64_t axis, llvm::ArrayRef<mlir::Type> elements, bool inOrder, Combine combine);
  llvm::SmallVector<Registers> scanAlong(llvm::ArrayRef<Registers> values, const Layout& layout, llvm::ArrayRef<int64_t> shape,
                                         int64_t axis, bool reverse, llvm::ArrayRef<mlir::Type> elements, Combine combine);

  // Sort.cpp
  void emitSort(tile::SortOp op);
  /// An unsigned integer that is smaller for elements that come first; equal for equal ones.
  mlir::Value keyOf(mlir::Value value, mlir::Type element, bool descending);
  /// By their keys, and where these are equal by their indices, which are not negative.
  void sortPairs(const Layout& layout, AxisBits along, Registers& keys, Registers& indices);

  // Select.cpp
  void emitSelect(tile::SortOp op);
  struct Threshold;
  /// A threshold that `wanted` keys of a line are not above, or up to twice as many; where keys are equal, they are replaced by
  /// others that are not. Keys differ in their lowest `keyBits` bits.
  Threshold chooseFirst(Registers& keys, unsigned keyBits, const Coordinates& at, int64_t wanted);

  // Mma.cpp
  void emitMma(tile::MmaOp op);
  Registers multiplyBySharedMemory(tile::MmaOp op);

  // Messages.cpp: print and assert
  void emitPrint(tile::PrintOp op);
  void emitAssert(tile::AssertOp op);
  int64_t addSite(mlir::Operation* op, Site::Kind kind, llvm::StringRef text, mlir::ValueRange values, int64_t parameter = -1);
  void emitReport(mlir::Operation* op, Site::Kind kind, llvm::StringRef text, mlir::ValueRange values);
  /// What is told even where there is no room for a record: the lowest program that failed, and where.
  void noteFailure(int64_t site);
  /// Room for a record of so many bytes: its address, and whether there is any. For one thread.
  std::pair<mlir::Value, mlir::Value> reserveRecord(int64_t bytes);
  void writeHeader(mlir::Value record, int64_t bytes, int64_t site);
  mlir::Value isFirstThread();
  void failUnless(mlir::Operation* op, mlir::Value condition, llvm::StringRef text, mlir::ValueRange values, Site::Kind kind);

  // Claims.cpp: who writes what, where the prover could not tell
  void emitClaim(tile::ClaimOp op);
  void claimElements(mlir::Operation* op, const Window& window, const Layout& layout);

  mlir::func::FuncOp source;
  mlir::LLVM::LLVMFuncOp entry;
  mlir::ModuleOp module;
  const GpuTarget& target;
  mlir::ImplicitLocOpBuilder b;
  SimtElementwise math;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Registers> tiles;
  llvm::DenseMap<mlir::Value, Layout> layouts;
  ViewMap views;
  llvm::SmallVector<mlir::Attribute> sites, maps;
  llvm::SmallSetVector<int64_t, 4> claimed; // parameters whose claims are checked
  llvm::DenseMap<int64_t, mlir::Value> ownerTables;
  mlir::Value lane, warp, program, programs, messages, nothing, shared;
  int64_t warps = 1;
  int64_t sharedBytes = 0;
  int64_t ringBytes = 0; // of shared memory, at its start, that the rings of loops around here keep
  llvm::DenseMap<mlir::Operation*, StagedTile> stagedTiles;
  llvm::DenseMap<int64_t, StagedTile> keptTiles;
  Accesses unordered;        // made, or perhaps made, since the last barrier
  bool isEarly = false;      // kernels before this one, which write some of the inputs, may still run
  bool sharedInUse = false;  // a thread that is slower than this one may still read what was written there
  bool engineReads = false;  // and so may TMA
  bool engineStores = false; // it may have been asked to before
  int64_t engineStart = 0;   // of shared memory, from where on it does
};

} // namespace tegula::simt

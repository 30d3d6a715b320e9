// How a program of a graph starts while kernels before it still run: it reads what none of them writes, and then waits for them.
#include "lib/lower/simt/Access.h"
#include "lib/lower/simt/Lower.h"
#include "lib/lower/simt/Stage.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

static bool isRead(Operation* op) {
  auto access = dyn_cast<AccessOpInterface>(op);
  return access && access.isRead();
}

bool Lowering::isSettled(Value view) { return source.getArgAttr(cast<BlockArgument>(view).getArgNumber(), settledName) != nullptr; }

/// Whether an operation, or one within it, may touch memory that a kernel before this one writes; or reads a tile that is kept in
/// shared memory, as it is too large for registers: what is computed of it would be held in them while all wait.
bool Lowering::mustComeLater(Operation& op) {
  return op
      .walk([&](Operation* within) {
        bool harmless = isRead(within) ? isSettled(within->getOperand(0)) && !within->hasAttr(keptName)
                                       : isPure(within) || isa<ExpectOp, scf::ForOp, scf::IfOp, scf::WhileOp>(within) ||
                                             within->hasTrait<OpTrait::IsTerminator>();
        return harmless ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// What a program begins with: all up to the first operation that must come later. If that one reads, then also, from behind it,
/// numbers that follow from what is known so far, since they cost time and few registers; and loads of settled tensors, which are
/// then under way, but for those behind a loop or branch, through which they would be held, and for tiles that are kept in shared
/// memory as they are too large for registers.
SetVector<Operation*> Lowering::findBeginning() {
  SetVector<Operation*> beginning;
  Operation* end = source.getBody().front().getTerminator();
  Operation* op = &source.getBody().front().front();
  for (; op != end && !mustComeLater(*op); op = op->getNextNode())
    beginning.insert(op);
  auto isNumber = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return !tile || tile.getNumElements() == 1;
  };
  auto isKnown = [&](Value value) { return isa<BlockArgument>(value) || beginning.contains(value.getDefiningOp()); };
  bool mayLoad = true;
  for (bool waitsToRead = isRead(op); waitsToRead && op != end; op = op->getNextNode()) {
    mayLoad &= op->getNumRegions() == 0;
    bool isCheap = isPure(op) && !isRead(op) && op->getNumRegions() == 0 && llvm::all_of(op->getResultTypes(), isNumber);
    bool isLoad = mayLoad && isRead(op) && !op->hasAttr(keptName) && isSettled(op->getOperand(0));
    if ((isCheap || isLoad) && llvm::all_of(op->getOperands(), isKnown))
      beginning.insert(op);
  }
  return beginning;
}

/// All threads wait before the first access of which more is not known, or else at the end: so the kernel's end is behind the end
/// of those before it, and who waits for it has waited for all. The compiler moves no access across.
void Lowering::emitProgram() {
  Block& body = source.getBody().front();
  if (!startsEarly())
    return emitBlock(body);
  SetVector<Operation*> beginning = findBeginning();
  assembly("griddepcontrol.launch_dependents;", "~{memory}", {});
  isEarly = llvm::any_of(source.getArguments(), [&](BlockArgument argument) {
    auto view = dyn_cast<ViewType>(argument.getType());
    return view && view.isInput() && !isSettled(argument);
  });
  emitOperations(beginning.getArrayRef());
  isEarly = false;
  assembly("griddepcontrol.wait;", "~{memory}", {});
  SmallVector<Operation*> rest;
  for (Operation& op : body.without_terminator())
    if (!beginning.contains(&op))
      rest.push_back(&op);
  emitOperations(rest);
}

} // namespace tegula::simt

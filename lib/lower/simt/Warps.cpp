// How many warps run a program.
#include "lib/lower/simt/Layouts.h"
#include "lib/lower/simt/MmaPlan.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula::simt {

bool selects(SortOp sort, int64_t warps) {
  int64_t all = getSize(sort.getOperand().getType()), kept = getSize(sort.getValues().getType());
  bool isLine = getShape(sort.getOperand().getType())[sort.getAxis()] == all;
  // An index and a place among twice those that are kept have to fit into 31 bits.
  return isLine && all >= std::max<int64_t>({256, 32 * warps, 8 * kept}) && log2(all) + log2(2 * kept) <= 31;
}

int64_t chooseWarps(func::FuncOp kernel, const GpuTarget& target) {
  int64_t largest = 1;
  bool multiplies = false, hasPlainProduct = false, selectsFew = false, exchanges = false;
  kernel.walk([&](Operation* op) {
    if (auto mma = dyn_cast<MmaOp>(op))
      (planMma(mma, 1, target.capability) ? multiplies : hasPlainProduct) = true;
    if (auto sort = dyn_cast<SortOp>(op))
      selectsFew |= selects(sort, 1);
    exchanges |= isa<ReduceOp, ArgReduceOp, ReduceByOp, ScanOp, ScanByOp>(op);
    for (Type type : op->getResultTypes())
      largest = std::max(largest, isTile(type) ? getSize(type) : 1);
    for (Type type : op->getOperandTypes())
      largest = std::max(largest, isTile(type) ? getSize(type) : 1);
  });
  // Elements to a warp. Where warps wait for each other, a few with much to do in between are better than many.
  int64_t each = multiplies || hasPlainProduct || exchanges ? 1024 : 256;
  if (selectsFew) // takes each warp some hundred instructions, however few its elements are
    each = std::max<int64_t>(256, std::min<int64_t>(largest / 8, 1024));
  else if (exchanges && !multiplies)
    each = std::max(each, std::min<int64_t>(largest / 8, 4096));
  return std::clamp<int64_t>(largest / each, 1, multiplies ? 8 : 32);
}

} // namespace tegula::simt

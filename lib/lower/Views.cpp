#include "lib/lower/Views.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula::tile;

namespace tegula {

static Value constant(ImplicitLocOpBuilder& b, int64_t value) { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); }

ArgumentWords wordsOf(Type parameter) {
  auto view = dyn_cast<ViewType>(parameter);
  return view ? ArgumentWords{true, static_cast<int>(view.getRank()), view.hasBound()} : ArgumentWords{};
}

void declareParameters(func::FuncOp kernel, StringRef stridesName, ViewMap& views, llvm::function_ref<Value(Type, bool)> next,
                       llvm::function_ref<void(Value, Value)> scalar) {
  Type i64 = IntegerType::get(kernel.getContext(), 64);
  for (auto [number, argument] : llvm::enumerate(kernel.getArguments())) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (!view) {
      scalar(argument, next(argument.getType(), false));
      continue;
    }
    ViewParameters& parameters = views[argument];
    parameters.element = view.getElementType();
    ArgumentWords layout = wordsOf(view);
    SmallVector<Value> words;
    for (int word = 0; word < layout.count(); ++word)
      words.push_back(word == ArgumentWords::pointer ? next({}, true) : next(i64, false));
    parameters.pointer = words[ArgumentWords::pointer];
    for (int axis = 0; axis < layout.rank; ++axis) {
      parameters.extents.push_back(words[layout.extent(axis)]);
      parameters.strides.push_back(words[layout.stride(axis)]);
    }
    if (layout.has_bound)
      parameters.bound = words[layout.bound()];
    parameters.knownStrides.assign(view.getRank(), -1);
    if (auto strides = kernel.getArgAttrOfType<DenseI64ArrayAttr>(number, stridesName))
      parameters.knownStrides.assign(strides.asArrayRef().begin(), strides.asArrayRef().end());
  }
}

static Value countTiles(ImplicitLocOpBuilder& b, Value length, int64_t extent) {
  Value padded = arith::AddIOp::create(b, length, constant(b, extent - 1));
  return arith::ShRUIOp::create(b, padded, constant(b, llvm::Log2_64(static_cast<uint64_t>(extent))));
}

Value countTiles(ImplicitLocOpBuilder& b, const ViewMap& views, Value view, int64_t axis) {
  return countTiles(b, views.find(view)->second.extents[axis], cast<ViewType>(view.getType()).getShape()[axis]);
}

Value startOf(ImplicitLocOpBuilder& b, Value index, int64_t extent, Counted counted) {
  return counted == Counted::elements ? index : Value(arith::MulIOp::create(b, index, constant(b, extent)));
}

/// The index decides, not its product with the extent, which may have wrapped; negative ones are large when unsigned.
Value touches(ImplicitLocOpBuilder& b, const ViewParameters& view, size_t axis, Value index, int64_t extent, Counted counted) {
  if (counted == Counted::tiles)
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, countTiles(b, view.extents[axis], extent));
  Value endsInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, index, constant(b, -extent));
  return arith::AndIOp::create(b, endsInside, arith::CmpIOp::create(b, arith::CmpIPredicate::slt, index, view.extents[axis]));
}

Value countBefore(ImplicitLocOpBuilder& b, Value start) {
  Value zero = constant(b, 0);
  return arith::MaxSIOp::create(b, arith::SubIOp::create(b, zero, start), zero);
}

Value offsetAlong(ImplicitLocOpBuilder& b, const ViewParameters& view, size_t axis, Value offset, Value count) {
  if (view.knownStrides[axis] == 0)
    return offset;
  Value step = view.knownStrides[axis] == 1 ? count : Value(arith::MulIOp::create(b, count, view.strides[axis]));
  return arith::AddIOp::create(b, offset, step);
}

static SmallVector<Value> unflatten(ImplicitLocOpBuilder& b, const ViewMap& views, Value linear, Value view) {
  int64_t rank = cast<ViewType>(view.getType()).getRank();
  SmallVector<Value> indices(rank);
  for (int64_t axis = rank - 1; axis > 0; --axis) {
    // A tensor without elements has no tiles: any index will do, but dividing by 0 will not.
    Value count = arith::MaxSIOp::create(b, countTiles(b, views, view, axis), constant(b, 1));
    indices[axis] = arith::RemSIOp::create(b, linear, count);
    linear = arith::DivSIOp::create(b, linear, count);
  }
  if (rank > 0)
    indices[0] = linear;
  return indices;
}

bool emitQuery(ImplicitLocOpBuilder& b, Operation* op, const ViewMap& views, Value program, Value programs, IRMapping& scalars) {
  auto of = [&](Value view) -> const ViewParameters& { return views.find(view)->second; };
  return llvm::TypeSwitch<Operation*, bool>(op)
      .Case([&](ProgramIdOp id) { return scalars.map(id.getResult(), program), true; })
      .Case([&](NumProgramsOp count) { return scalars.map(count.getResult(), programs), true; })
      .Case([&](DimOp dim) { return scalars.map(dim.getResult(), of(dim.getView()).extents[dim.getAxis()]), true; })
      .Case([&](BoundOp bound) { return scalars.map(bound.getResult(), of(bound.getView()).bound), true; })
      .Case([&](NumTilesOp count) {
        auto axis = static_cast<int64_t>(count.getAxis());
        return scalars.map(count.getResult(), countTiles(b, views, count.getView(), axis)), true;
      })
      .Case([&](ProgramIndexOp at) {
        return scalars.map(at.getResult(), unflatten(b, views, program, at.getView())[at.getAxis()]), true;
      })
      .Case([&](UnflattenOp at) {
        SmallVector<Value> indices = unflatten(b, views, scalars.lookup(at.getLinear()), at.getView());
        for (auto [from, to] : llvm::zip(at.getIndices(), indices))
          scalars.map(from, to);
        return true;
      })
      .Default([](Operation*) { return false; });
}

} // namespace tegula

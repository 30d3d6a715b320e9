#include "lib/trace/Import.h"

#include "lib/dialect/ElementTypes.h"
#include "lib/dialect/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tegula::trace {

mlir::Type import(const Type& type, MLIRContext* context) {
  return tile::getTile(type.shape, tile::elementType(type.dtype, context));
}

Type exportTile(mlir::Type type) {
  return {tile::dtypeOf(getElementTypeOrSelf(type)), std::vector<std::int64_t>(tile::getShape(type).vec())};
}

namespace {

class Importer {
public:
  Importer(const Record& record, MLIRContext* context) : record(record), builder(context) {}

  OwningOpRef<ModuleOp> run() {
    mlir::Location location = at(record.location);
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    SmallVector<mlir::Type> parameters;
    for (const Parameter& parameter : record.parameters)
      parameters.push_back(typeOf(parameter));
    builder.setInsertionPointToEnd(module->getBody());
    auto kernel = func::FuncOp::create(builder, location, record.name, builder.getFunctionType(parameters, {}));
    Block* entry = kernel.addEntryBlock();
    for (auto [parameter, argument] : llvm::zip(record.parameters, entry->getArguments()))
      values[parameter.id] = argument;
    fill(entry, record.body);
    builder.setInsertionPointToEnd(entry);
    func::ReturnOp::create(builder, location);
    return module;
  }

private:
  mlir::Type typeOf(const Parameter& parameter) {
    mlir::Type element = tile::elementType(parameter.type.dtype, builder.getContext());
    if (!parameter.is_view())
      return element;
    return tile::ViewType::get(builder.getContext(), parameter.kind, parameter.type.shape, element);
  }

  mlir::Location at(const Location& location) {
    if (location.line == 0)
      return builder.getUnknownLoc();
    return FileLineColLoc::get(builder.getContext(), location.file, location.line, location.column);
  }

  mlir::Attribute attribute(const Attribute& source) {
    if (auto* integer = std::get_if<std::int64_t>(&source.value))
      return builder.getI64IntegerAttr(*integer);
    if (std::holds_alternative<bool>(source.value))
      return builder.getUnitAttr();
    if (auto* text = std::get_if<std::string>(&source.value))
      return builder.getStringAttr(*text);
    if (auto* list = std::get_if<std::vector<std::int64_t>>(&source.value))
      return builder.getDenseI64ArrayAttr(*list);
    return builder.getF64FloatAttr(std::get<double>(source.value));
  }

  /// A constant's number in the constant's own type.
  mlir::Attribute constant(const Attribute& source, mlir::Type type) {
    mlir::Type element = getElementTypeOrSelf(type);
    mlir::Attribute number;
    if (isa<FloatType>(element)) {
      auto* integer = std::get_if<std::int64_t>(&source.value);
      number = FloatAttr::get(element, integer ? static_cast<double>(*integer) : std::get<double>(source.value));
    } else {
      APInt bits(64, static_cast<uint64_t>(std::get<std::int64_t>(source.value)), /*isSigned=*/true);
      number = IntegerAttr::get(element, bits.sextOrTrunc(element.getIntOrFloatBitWidth()));
    }
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return DenseElementsAttr::get(tensor, number);
    return number;
  }

  void fill(Block* block, const Region& region) {
    for (const Operation& operation : region.operations) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      add(operation);
    }
  }

  void add(const Operation& source) {
    OperationState state(at(source.location), source.name);
    for (Id id : source.operands)
      state.operands.push_back(values.at(id));
    for (Id id : source.results)
      state.types.push_back(import(record.types.at(id), builder.getContext()));
    bool hasPad = false;
    for (const Attribute& entry : source.attributes) {
      if (const bool* flag = std::get_if<bool>(&entry.value); flag && (!*flag || entry.name == "has_pad"))
        hasPad |= *flag;
      else if (source.name == tile::ConstantOp::getOperationName())
        state.addAttribute(entry.name, constant(entry, state.types.front()));
      else
        state.addAttribute(entry.name, attribute(entry));
    }
    if (source.name == tile::LoadOp::getOperationName()) {
      auto count = static_cast<int32_t>(source.operands.size());
      state.addAttribute(tile::LoadOp::getOperandSegmentSizeAttr(), builder.getDenseI32ArrayAttr({1, count - 1 - hasPad, hasPad}));
    }
    for (const Region& region : source.regions) {
      auto* target = state.addRegion();
      auto* block = new Block;
      target->push_back(block);
      for (Id id : region.arguments)
        values[id] = block->addArgument(import(record.types.at(id), builder.getContext()), state.location);
      fill(block, region);
    }
    mlir::Operation* created = builder.create(state);
    for (auto [id, result] : llvm::zip(source.results, created->getResults()))
      values[id] = result;
  }

  const Record& record;
  OpBuilder builder;
  llvm::DenseMap<Id, Value> values;
};

} // namespace

OwningOpRef<ModuleOp> import(const Record& record, MLIRContext* context) { return Importer(record, context).run(); }

} // namespace tegula::trace

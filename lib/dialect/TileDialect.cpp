#include "lib/dialect/Tile.h"

#include "tegula/limits.hpp"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#include "lib/dialect/TileDialect.cpp.inc"
#include "lib/dialect/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "lib/dialect/TileAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "lib/dialect/TileInterfaces.cpp.inc"
#include "lib/dialect/TileTypes.cpp.inc"

namespace tegula::tile {

bool isArithmeticFloat(Type type) { return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type); }

bool isElementType(Type type) {
  if (isArithmeticFloat(type) || isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return width == 8 || width == 16 || width == 32 || width == 64 || (width == 1 && integer.isSignless());
}

bool isNumber(Type type) { return isArithmeticFloat(type) || (isa<IntegerType>(type) && !type.isInteger(1)); }

static bool isTileShape(ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (int64_t extent : shape) {
    if (extent <= 0 || extent > max_elements || !llvm::isPowerOf2_64(static_cast<uint64_t>(extent)))
      return false;
    size *= extent;
    if (size > max_elements)
      return false;
  }
  return static_cast<int64_t>(shape.size()) <= max_rank;
}

bool isTile(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() > 0 && tensor.hasStaticShape() && isTileShape(tensor.getShape()) &&
           isElementType(tensor.getElementType());
  return isElementType(type);
}

ArrayRef<int64_t> getShape(Type tile) {
  if (auto tensor = dyn_cast<RankedTensorType>(tile))
    return tensor.getShape();
  return {};
}

Type getTile(ArrayRef<int64_t> shape, Type element) { return shape.empty() ? element : RankedTensorType::get(shape, element); }

int64_t getSize(Type tile) {
  int64_t size = 1;
  for (int64_t extent : getShape(tile))
    size *= extent;
  return size;
}

Type ViewType::getTileType() const { return getTile(getShape(), getElementType()); }

Type ViewType::parse(AsmParser& parser) {
  StringRef named;
  SmallVector<int64_t> shape;
  Type element;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&named) || parser.parseComma())
    return {};
  std::optional<ParameterKind> kind = view_kind(named);
  if (!kind) {
    parser.emitError(at, "not a kind of view: '") << named << "'";
    return {};
  }
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<ViewType>(at, parser.getContext(), *kind, shape, element);
}

void ViewType::print(AsmPrinter& printer) const {
  printer << "<" << tegula::name(getKind()) << ", ";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType() << ">";
}

Attribute LayoutAttr::parse(AsmParser& parser, Type) {
  SmallVector<int64_t> registers, lanes, warps;
  auto bases = [&](StringRef name, SmallVector<int64_t>& into) -> ParseResult {
    auto base = [&] { return parser.parseInteger(into.emplace_back()); };
    return failure(parser.parseKeyword(name) || parser.parseEqual() ||
                   parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, base));
  };
  if (parser.parseLess() || bases("registers", registers) || parser.parseComma() || bases("lanes", lanes) || parser.parseComma() ||
      bases("warps", warps) || parser.parseGreater())
    return {};
  return LayoutAttr::get(parser.getContext(), registers, lanes, warps);
}

void LayoutAttr::print(AsmPrinter& printer) const {
  auto bases = [&](StringRef name, ArrayRef<int64_t> values) {
    printer << name << " = [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<";
  bases("registers", getRegisters());
  printer << ", ";
  bases("lanes", getLanes());
  printer << ", ";
  bases("warps", getWarps());
  printer << ">";
}

/// What GPUs and CPUs combine atomically.
static bool canAccumulate(ParameterKind kind, Type element) {
  bool isWide = element.isInteger(32) || element.isInteger(64);
  return isWide || (kind == ParameterKind::add_into && isArithmeticFloat(element));
}

LogicalResult ViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, ParameterKind kind, ArrayRef<int64_t> shape,
                               Type element) {
  if (!isElementType(element))
    return emitError() << "not an element type: " << element;
  if (is_accumulated(kind) && !canAccumulate(kind, element))
    return emitError() << "no atomic '" << tegula::name(kind) << "' for " << element;
  if (has_bound(kind) && (!isa<IntegerType>(element) || element.isInteger(1)))
    return emitError() << "a view of kind '" << tegula::name(kind) << "' holds integers, not " << element;
  if (kind == ParameterKind::out_index && element.isUnsignedInteger())
    return emitError() << "a view of kind 'out_index' holds signed integers, not " << element;
  if (may_be_none(kind) && element.isUnsignedInteger())
    return emitError() << "a view of kind '" << tegula::name(kind) << "' may hold -1, so its integers are signed, not " << element;
  if (kind == ParameterKind::offsets && shape != ArrayRef<int64_t>{1})
    return emitError() << "a view of kind 'offsets' is read one by one: its tile has one axis, of extent 1";
  if (!isTileShape(shape))
    return emitError() << "a view's tile has at most " << max_rank << " axes and " << max_elements
                       << " elements, and powers of two as extents";
  return success();
}

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lib/dialect/TileTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lib/dialect/TileAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lib/dialect/TileOps.cpp.inc"
      >();
}

Operation* TileDialect::materializeConstant(OpBuilder& builder, Attribute value, Type type, Location location) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, typed);
}

} // namespace tegula::tile

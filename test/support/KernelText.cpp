#include "test/support/KernelText.h"

namespace tegula::test {

std::string spell(DType t) {
  constexpr const char* names[] = {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "i64",
                                   "i32", "i16", "i8",  "ui64", "ui32",     "ui16",   "ui8",       "i1"};
  return names[static_cast<int>(t)];
}

static std::string extents(const Shape& shape) {
  std::string text;
  for (std::int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text;
}

std::string spell(DType dtype, const Shape& shape) {
  return shape.empty() ? spell(dtype) : "tensor<" + extents(shape) + spell(dtype) + ">";
}

std::string ViewParameter::type() const { return "!tile.view<" + access + ", " + extents(tile) + spell(dtype) + ">"; }

std::string names(const Values& values) {
  std::string text;
  for (const Value& value : values)
    text += (text.empty() ? "" : ", ") + value.name;
  return text;
}

ViewParameter KernelText::view(std::string access, DType dtype, Shape tile) {
  ViewParameter parameter{"%p" + std::to_string(parameters.size()), std::move(access), dtype, std::move(tile)};
  parameters.push_back(parameter.name + ": " + parameter.type());
  return parameter;
}

Value KernelText::scalar(DType dtype) {
  Value parameter{"%p" + std::to_string(parameters.size()), dtype, {}};
  parameters.push_back(parameter.name + ": " + spell(dtype));
  return parameter;
}

void KernelText::line(const std::string& text) { body += std::string(static_cast<std::size_t>(2 * depth), ' ') + text + "\n"; }

void KernelText::open(const std::string& text) {
  line(text);
  ++depth;
}

void KernelText::close(const std::string& text) {
  --depth;
  line(text);
}

Value KernelText::emit(const std::string& text, DType dtype, Shape shape) {
  Value value{fresh(), dtype, std::move(shape)};
  line(value.name + " = " + text);
  return value;
}

Value KernelText::same(const std::string& operation, const Values& operands) {
  return emit("tile." + operation + " " + names(operands) + " : " + operands[0].type(), operands[0].dtype, operands[0].shape);
}

Value KernelText::constant(const std::string& number, DType dtype, Shape shape) {
  if (shape.empty())
    return emit("tile.constant " + number + (dtype == DType::boolean ? "" : " : " + spell(dtype)), dtype);
  return emit("tile.constant dense<" + number + "> : " + spell(dtype, shape), dtype, shape);
}

Value KernelText::integer(std::int64_t number, DType dtype, Shape shape) {
  return constant(std::to_string(number), dtype, std::move(shape));
}

Value KernelText::broadcast(const Value& value, Shape shape) {
  return emit("tile.broadcast " + value.name + " : " + value.type() + " -> " + spell(value.dtype, shape), value.dtype, shape);
}

Values KernelText::program_index(const ViewParameter& view) {
  Values index;
  for (std::size_t axis = 0; axis < view.tile.size(); ++axis)
    index.push_back(emit("tile.program_index " + view.name + " axis " + std::to_string(axis) + " : " + view.type(), DType::i64));
  return index;
}

Value KernelText::load(const ViewParameter& view, const Values& index, std::optional<Value> pad, std::optional<Shape> tile) {
  return load_with("", view, index, pad, tile);
}

Value KernelText::load_at_element(const ViewParameter& view, const Values& first, std::optional<Value> pad,
                                  std::optional<Shape> tile) {
  return load_with(" {elements}", view, first, pad, tile);
}

Value KernelText::load_with(const std::string& attributes, const ViewParameter& view, const Values& index, std::optional<Value> pad,
                            std::optional<Shape> tile) {
  Shape shape = tile.value_or(view.tile);
  std::string padding = pad ? " pad " + pad->name + " : " + pad->type() : "";
  return emit("tile.load " + view.name + "[" + names(index) + "]" + padding + attributes + " : " + view.type() + " -> " +
                  spell(view.dtype, shape),
              view.dtype, shape);
}

void KernelText::store(const Value& value, const ViewParameter& view, const Values& index) {
  line("tile.store " + value.name + ", " + view.name + "[" + names(index) + "] : " + value.type() + ", " + view.type());
}

std::string KernelText::str() const {
  std::string list;
  for (const std::string& parameter : parameters)
    list += (list.empty() ? "" : ", ") + parameter;
  return "func.func @kernel(" + list + ") {\n" + body + "  func.return\n}\n";
}

} // namespace tegula::test

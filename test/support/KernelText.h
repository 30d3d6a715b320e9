// Writes the text of one kernel, value by value.
#pragma once
#include "test/support/Tensor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::test {

/// `f32`, `ui8`, `f8E4M3FN`: a dtype as MLIR spells it.
std::string spell(DType);
/// `tensor<4x8xf32>`, or `f32` for no axes.
std::string spell(DType, const Shape&);

struct Value {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::string type() const { return spell(dtype, shape); }
};
using Values = std::vector<Value>;

/// `%a, %b`
std::string names(const Values&);

struct ViewParameter {
  std::string name, access;
  DType dtype = DType::f32;
  Shape tile;
  /// `!tile.view<in, 4x8xf32>`
  std::string type() const;
};

class KernelText {
public:
  ViewParameter view(std::string access, DType, Shape tile);
  ViewParameter in(DType dtype, Shape tile) { return view("in", dtype, std::move(tile)); }
  ViewParameter out(DType dtype, Shape tile) { return view("out", dtype, std::move(tile)); }
  Value scalar(DType);

  /// `%v = text`: one result of the given type.
  Value emit(const std::string& text, DType, Shape = {});
  /// An operation whose operands and result have one type: `exp`, `add`, `fma`.
  Value same(const std::string& operation, const Values& operands);
  /// An element as MLIR writes it, such as `1.5`, `-3`, `true` or `0x7F800000`.
  Value constant(const std::string& number, DType, Shape = {});
  Value integer(std::int64_t, DType = DType::i64, Shape = {});
  Value broadcast(const Value&, Shape);
  /// The piece of an `out` view that belongs to the program.
  Values program_index(const ViewParameter&);
  Value load(const ViewParameter&, const Values& index, std::optional<Value> pad = {}, std::optional<Shape> tile = {});
  /// The tile with its first element there.
  Value load_at_element(const ViewParameter&, const Values& first, std::optional<Value> pad = {}, std::optional<Shape> tile = {});
  void store(const Value&, const ViewParameter&, const Values& index);

  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const std::string& text);
  /// Lines after this are inside a region, until `close`.
  void open(const std::string& text);
  void close(const std::string& text = "}");
  std::string str() const;

private:
  Value load_with(const std::string& attributes, const ViewParameter&, const Values& index, std::optional<Value> pad,
                  std::optional<Shape> tile);
  int next = 0, depth = 1;
  std::vector<std::string> parameters;
  std::string body;
};

} // namespace tegula::test

// Runs tile IR directly: the reference that back ends are compared with.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tegula::interp {

/// A tensor in memory: elements in their memory format (bool is one byte), strides in elements.
struct View {
  void* data = nullptr;
  std::vector<int64_t> extents, strides;
  int64_t bound = 0; // of a certified index
};

/// A scalar's bits, in the low bytes.
struct Scalar {
  std::int64_t bits = 0;
};

using Argument = std::variant<View, Scalar>;

struct Result {
  std::vector<std::string> prints;
  /// The first assertion or claim that failed, with its location; nothing runs after it.
  std::optional<std::string> failure;
};

/// Runs programs 0 to `programs` - 1 in order. If `programs` is negative there is one for each piece of the first `out` or `inout`
/// view.
Result run(mlir::func::FuncOp kernel, llvm::ArrayRef<Argument> arguments, int64_t programs = -1);

} // namespace tegula::interp

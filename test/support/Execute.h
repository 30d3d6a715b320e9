// Runs the text of a kernel on what executes tile IR.
#pragma once
#include "lib/compile/Compile.h"
#include "test/support/Tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tegula::test {

enum class Executor { interpreter, cpu, gpu };
const char* name(Executor);
/// The back end under test: the CPU's, or the GPU's where the environment variable TEGULA_DEVICE names a GPU.
Executor back_end();
/// What tests compare with references: the interpreter and the CPU's back end, or the GPU's alone.
std::vector<Executor> executors();

/// A scalar's bits in its memory format.
struct Scalar {
  std::uint64_t bits = 0;
};
using Argument = std::variant<Tensor*, Scalar>;

struct Outcome {
  std::vector<std::string> prints;
  std::optional<std::string> failure;
};

/// A kernel, compiled once for each specialisation.
class Executable {
public:
  virtual ~Executable() = default;
  /// Runs programs 0 to `programs` - 1, one after the other where that is possible.
  virtual Outcome run(const std::vector<Argument>& arguments, std::int64_t programs) = 0;
};

/// What becomes of the obligations of a kernel's accesses in its code.
enum class Checks {
  unproved,   // those that could not be proved are checked
  everything, // all are
  nothing
};

/// Of compiled code; the interpreter makes its own checks.
struct CodeOptions {
  /// Without any, what lies outside is the back end's business.
  Checks checks = Checks::nothing;
  int warps = 0; // of a program on a GPU; 0 leaves the choice to the compiler
};

/// Throws std::runtime_error if the text is not one valid kernel.
std::unique_ptr<Executable> prepare(Executor, const std::string& text, CodeOptions = {});

/// How many tiles cover a tensor.
std::int64_t tile_count(const Tensor&, const Shape& tile);

} // namespace tegula::test

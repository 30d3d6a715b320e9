// Writes random small kernels whose results are known to agree: integers and bools to the bit, floats to within an error that is
// tracked from value to value. Floats stay between -limit and limit; an operation with jumps (a comparison, a cast to an integer, a
// sort) only sees floats that every executor computes to the bit.
#pragma once
#include "test/support/Inputs.h"
#include "test/support/KernelText.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::test {

inline constexpr Real limit = 4;

/// A value of the kernel and what is known of it.
struct Known {
  Value value;
  Real error = 0;           // of floats: how far two executors may be apart
  bool is_integral = false; // floats that are whole numbers: their sums are exact
};

struct GeneratedKernel {
  std::string text;
  struct Parameter {
    bool is_scalar = false, is_output = false;
    DType dtype = DType::f32;
    Shape tile;
    Real error = 0; // of an output
  };
  std::vector<Parameter> parameters;
};

class Generator {
public:
  explicit Generator(std::uint64_t seed) : random(seed) {}
  GeneratedKernel generate();

private:
  using Pool = std::vector<Known>;
  using Step = void (Generator::*)();

  Random random;
  KernelText kernel;
  Pool pool; // what can be used here: inner regions see outer values
  std::vector<ViewParameter> ins;
  Values program; // the piece of the first output
  GeneratedKernel result;
  int depth = 0;

  void run_steps(std::int64_t count);
  void add_parameters();
  void add_outputs();

  // Choosing
  DType any_dtype();
  Shape any_shape(std::int64_t most = 512);
  const Known* find(const std::function<bool(const Known&)>& condition);
  /// An exact value of this type: one there is, or a new constant.
  Known get(DType, const Shape&);
  const Known* exact_number();
  Value scalar_index(); // any i64, often a small one

  // Making
  Known keep(Value value, Real error = 0, bool is_integral = false);
  Value number(Real, DType, const Shape&);
  Value bound(const Value&, Real low = -limit, Real high = limit);
  Real unit(DType t) const { return ulp(t, limit); }

  // Element by element
  void float_arithmetic();
  void float_function();
  void integer_arithmetic();
  void compare();
  void select();
  void cast();
  void bitcast();
  void create();
  void load();
  // Shapes
  void broadcast();
  void reshape();
  void permute();
  void concat();
  void extract();
  void insert();
  // Along an axis
  void reduce_or_scan();
  void order();
  void compose();
  void product();
  // Control flow
  void loop();
  void count_down();
  void choose();
  void accumulate();
  /// Some values to carry, and after the body values of the same types.
  Pool carried_values();
  Values body(const Pool& arguments, std::int64_t steps);
};

} // namespace tegula::test

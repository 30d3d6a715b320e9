// One operation on tiles, against a reference in plain C++: every case runs on every executor and over every class of tensor shape.
#pragma once
#include "test/support/Execute.h"
#include "test/support/Expect.h"
#include "test/support/Inputs.h"
#include "test/support/KernelText.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

namespace tegula::test {

/// For each output, its elements.
using Results = std::vector<std::vector<Expected>>;

struct TileType {
  DType dtype;
  Shape shape;
};

/// A kernel that loads tile [i, 0, ...] of each input, computes, and stores tile [i, 0, ...] of each output, where i is the
/// program.
struct TileCase {
  std::string name;
  std::vector<TileType> inputs, outputs;
  std::function<Values(KernelText&, const Values& inputs)> emit = {};
  /// From the tiles of one program to its results.
  std::function<Results(const std::vector<Bits>& inputs)> reference = {};
  /// `count` elements of one input. By default special values among random ones.
  std::function<Bits(std::size_t input, std::int64_t count, Random&)> values = {};
  bool zeros_differ = true;
};

/// Exact: two whole tiles. Ragged: the last tile is partial along every axis it can be.
enum class ShapeClass { exact, ragged, one_element, empty };

void run_case(const TileCase&, Executor);

class Operation : public testing::TestWithParam<std::tuple<Executor, TileCase>> {};

void PrintTo(const TileCase&, std::ostream*);
std::string name_of(const testing::TestParamInfo<std::tuple<Executor, TileCase>>&);

/// `exp` of f32: "exp_f32".
inline std::string case_name(const std::string& operation, DType dtype) { return operation + "_" + tegula::name(dtype); }

/// One exact result per element.
std::vector<Expected> exactly(const Bits&);

} // namespace tegula::test

/// Runs `cases()` on every executor.
#define TEGULA_OPERATION_CASES(FAMILY, CASES)                                                                                      \
  INSTANTIATE_TEST_SUITE_P(FAMILY, Operation, testing::Combine(testing::ValuesIn(executors()), testing::ValuesIn(CASES)), name_of)

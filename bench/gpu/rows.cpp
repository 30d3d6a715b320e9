// Kernels over the rows of matrices: softmax, RMSNorm, the gate of a feed-forward layer, and the transpose.
#include "bench/gpu/Inputs.h"
#include "bench/gpu/Work.h"

#include "kernels/rms_norm.hpp"
#include "kernels/silu_product.hpp"
#include "kernels/softmax.hpp"
#include "kernels/transpose.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tegula::bench {
namespace {

std::string shape(i64 rows, i64 columns) { return std::to_string(rows) + "x" + std::to_string(columns); }
std::string of_warps(int warps) { return std::to_string(warps) + " warps"; }

template <class T> struct Set {
  std::vector<Tensor<T, 2>> inputs;
  std::vector<Tensor<T, 1>> weights;
  Tensor<T, 2> output;
};
template <class T> using Sets = std::shared_ptr<std::vector<Set<T>>>;

template <class T> Sets<T> make_sets(const Device& device, Extents<2> from, Extents<2> to, int inputs, bool weighted) {
  auto sets = std::make_shared<std::vector<Set<T>>>();
  const double bytes = sizeof(T) * static_cast<double>(from[0] * from[1]) * (inputs + 1);
  u64 seed = 0;
  for (int i = 0; i < sets_for(bytes); ++i) {
    Set<T> set{{}, {}, poisoned<T, 2>(device, to)};
    for (int input = 0; input < inputs; ++input)
      set.inputs.push_back(normal<T>(device, from, seed++));
    if (weighted)
      set.weights.push_back(normal<T>(device, Extents<1>{from[1]}, seed++));
    sets->push_back(std::move(set));
  }
  return sets;
}

/// `expected` makes a row of the output of the same row of each input.
template <class T>
Ready ready_rows(const Device& device, const std::string& what, const Sets<T>& sets, std::vector<Variant> variants,
                 const std::function<std::vector<double>(const std::vector<std::vector<double>>&)>& expected, double tolerance) {
  const Extents<2> extents = sets->front().output.shape();
  return ready(device, {.sets = static_cast<int>(sets->size()),
                        .variants = std::move(variants),
                        .poison = [=] { poison(device, sets->front().output); },
                        .check =
                            [=] {
                              const Set<T>& set = sets->front();
                              for (auto [row, end] : spots(extents[0], 1)) {
                                std::vector<std::vector<double>> inputs;
                                for (const Tensor<T, 2>& input : set.inputs)
                                  inputs.push_back(sample(input, row, end));
                                check_close(what + ", row " + std::to_string(row), sample(set.output, row, end), expected(inputs),
                                            tolerance);
                              }
                            }});
}

std::vector<double> softmax_of(const std::vector<std::vector<double>>& x) {
  std::vector<double> row = x[0];
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& element : row)
    sum += element = std::exp(element - largest);
  for (double& element : row)
    element /= sum;
  return row;
}

template <int N> Ready prepare_softmax(const Device& device, i64 rows, i64 columns) {
  const auto sets = make_sets<bf16>(device, {rows, columns}, {rows, columns}, 1, false);
  std::vector<Variant> variants;
  for (int warps : {4, 8, 16, 32})
    variants.push_back({of_warps(warps), [sets, softmax = kernel<kernels::softmax<bf16, 1, N>>("softmax", {.warps = warps})](
                                             int i, const Queue& queue) {
                          Set<bf16>& set = (*sets)[i];
                          set.output = softmax(std::move(set.output), set.inputs[0]).start(queue);
                        }});
  return ready_rows<bf16>(device, "softmax", sets, variants, softmax_of, 2 * rounding<bf16>);
}

template <int Rows, int N>
void add_rms_norm(std::vector<Variant>& variants, const Sets<bf16>& sets, std::initializer_list<int> warps) {
  for (int count : warps)
    variants.push_back(
        {shape(Rows, N) + ", " + of_warps(count),
         [sets, norm = kernel<kernels::rms_norm<bf16, Rows, N>>("rms_norm", {.warps = count})](int i, const Queue& queue) {
           Set<bf16>& set = (*sets)[i];
           set.output = norm(std::move(set.output), set.inputs[0], set.weights[0], frozen(1e-6)).start(queue);
         }});
}

template <int N> Ready prepare_rms_norm(const Device& device, i64 rows, i64 columns) {
  const auto sets = make_sets<bf16>(device, {rows, columns}, {rows, columns}, 1, true);
  std::vector<Variant> variants;
  add_rms_norm<1, N>(variants, sets, {4, 8, 16, 32});
  add_rms_norm<2, N>(variants, sets, {8, 16, 32});
  add_rms_norm<4, N>(variants, sets, {16, 32});
  const std::vector<double> weights = sample(sets->front().weights[0], 0, columns);
  const auto expected = [=](const std::vector<std::vector<double>>& x) {
    std::vector<double> row = x[0];
    double squares = 0;
    for (double element : row)
      squares += element * element;
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] *= weights[j] / std::sqrt(squares / static_cast<double>(columns) + 1e-6);
    return row;
  };
  return ready_rows<bf16>(device, "RMSNorm", sets, variants, expected, 2 * rounding<bf16>);
}

template <int Rows, int N> Variant gating(const Sets<bf16>& sets) {
  return {shape(Rows, N), [sets, gate = kernel<kernels::silu_product<bf16, Rows, N>>("silu_product")](int i, const Queue& queue) {
            Set<bf16>& set = (*sets)[i];
            set.output = gate(std::move(set.output), set.inputs[0], set.inputs[1]).start(queue);
          }};
}

Ready prepare_gate(const Device& device, i64 rows, i64 columns) {
  const auto sets = make_sets<bf16>(device, {rows, columns}, {rows, columns}, 2, false);
  const auto expected = [](const std::vector<std::vector<double>>& x) {
    std::vector<double> row = x[0];
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = row[j] / (1 + std::exp(-row[j])) * x[1][j];
    return row;
  };
  return ready_rows<bf16>(device, "SiLU gate", sets, {gating<4, 512>(sets), gating<8, 512>(sets), gating<16, 512>(sets)}, expected,
                          2 * rounding<bf16>);
}

template <class T, int BM, int BN> Variant transposing(const Sets<T>& sets) {
  return {shape(BM, BN), [sets, transpose = kernel<kernels::transpose<T, BM, BN>>("transpose")](int i, const Queue& queue) {
            Set<T>& set = (*sets)[i];
            set.output = transpose(std::move(set.output), set.inputs[0]).start(queue);
          }};
}

template <class T> Ready prepare_transpose(const Device& device, i64 rows, i64 columns) {
  const auto sets = make_sets<T>(device, {rows, columns}, {columns, rows}, 1, false);
  return ready(device, {.sets = static_cast<int>(sets->size()),
                        .variants = {transposing<T, 32, 32>(sets), transposing<T, 64, 32>(sets), transposing<T, 32, 64>(sets),
                                     transposing<T, 64, 64>(sets), transposing<T, 128, 64>(sets)},
                        .poison = [=] { poison(device, sets->front().output); },
                        .check =
                            [=] {
                              const Set<T>& set = sets->front();
                              for (auto [column, end] : spots(columns, 1))
                                check_close("transpose, row " + std::to_string(column), sample(set.output, column, end),
                                            as_doubles(set.inputs[0].view().slice(1, column, end).to_host()), 0);
                            }});
}

/// `matrices`: so many matrices are read or written.
Case row_case(const char* bench, i64 rows, i64 columns, int matrices, int element, std::function<Ready()> prepare) {
  return {.bench = bench,
          .what = shape(rows, columns),
          .unit = "GB/s",
          .amount = 1e-9 * static_cast<double>(rows * columns) * matrices * element,
          .prepare = std::move(prepare)};
}

} // namespace

void add_row_cases(std::vector<Case>& cases, const Device& device, Size size) {
  if (size == Size::small) {
    cases.push_back(row_case("softmax bf16", 9, 250, 2, 2, [=] { return prepare_softmax<256>(device, 9, 250); }));
    cases.push_back(row_case("rms_norm bf16", 9, 256, 2, 2, [=] { return prepare_rms_norm<256>(device, 9, 256); }));
    cases.push_back(row_case("silu_gate bf16", 9, 1024, 3, 2, [=] { return prepare_gate(device, 9, 1024); }));
    cases.push_back(row_case("transpose f32", 100, 64, 2, 4, [=] { return prepare_transpose<f32>(device, 100, 64); }));
    return;
  }
  cases.push_back(row_case("softmax bf16", 8192, 4096, 2, 2, [=] { return prepare_softmax<4096>(device, 8192, 4096); }));
  cases.push_back(row_case("softmax bf16", 4096, 32768, 2, 2, [=] { return prepare_softmax<32768>(device, 4096, 32768); }));
  cases.push_back(row_case("rms_norm bf16", 8192, 4096, 2, 2, [=] { return prepare_rms_norm<4096>(device, 8192, 4096); }));
  cases.push_back(row_case("rms_norm bf16", 16384, 8192, 2, 2, [=] { return prepare_rms_norm<8192>(device, 16384, 8192); }));
  cases.push_back(row_case("silu_gate bf16", 8192, 9728, 3, 2, [=] { return prepare_gate(device, 8192, 9728); }));
  cases.push_back(row_case("transpose bf16", 8192, 8192, 2, 2, [=] { return prepare_transpose<bf16>(device, 8192, 8192); }));
  cases.push_back(row_case("transpose f32", 8192, 8192, 2, 4, [=] { return prepare_transpose<f32>(device, 8192, 8192); }));
}

} // namespace tegula::bench

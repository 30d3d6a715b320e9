// The largest elements of the rows that a language model ends with: argmax and top-k, two small kernels each, replayed from a
// graph.
#include "bench/gpu/Inputs.h"
#include "bench/gpu/Work.h"

#include "kernels/argmax_final.hpp"
#include "kernels/argmax_partial.hpp"
#include "kernels/topk_final.hpp"
#include "kernels/topk_partial.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace tegula::bench {
namespace {

constexpr int k = 64;

i64 tiles(i64 extent, int tile) { return (extent + tile - 1) / tile; }

std::vector<i32> largest_of(const std::vector<double>& row, int count) {
  std::vector<i32> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](i32 a, i32 b) { return row[a] > row[b] || (row[a] == row[b] && a < b); });
  order.resize(count);
  return order;
}

/// `columns`: for each row, those of the `count` largest elements.
void check_rows(const std::string& what, const Tensor<f32, 2>& x, const Tensor<i32, 2>& columns, int count) {
  for (auto [row, end] : spots(x.extent(0), 1)) {
    const std::vector<i32> expected = largest_of(sample(x, row, end), count);
    check_close(what + ", row " + std::to_string(row), as_doubles(columns.view().slice(0, row, end).to_host()),
                as_doubles(expected), 0);
  }
}

struct Set {
  Tensor<f32, 2> x, found;
  Tensor<i32, 2> found_at;
  Tensor<f32, 2> values;
  Tensor<i32, 2> columns;
};
using Sets = std::shared_ptr<std::vector<Set>>;

Sets make_sets(const Device& device, i64 rows, i64 columns, i64 found, i64 results) {
  auto sets = std::make_shared<std::vector<Set>>();
  for (int i = 0; i < sets_for(4.0 * static_cast<double>(rows * columns)); ++i)
    sets->push_back({normal<f32>(device, Extents<2>{rows, columns}, u64(i)), poisoned<f32, 2>(device, {rows, found}),
                     poisoned<i32, 2>(device, {rows, found}), poisoned<f32, 2>(device, {rows, results}),
                     poisoned<i32, 2>(device, {rows, results})});
  return sets;
}

/// The first step's results of different variants have different extents: each has its own sets.
Ready fastest(const Device& device, const std::string& what, int results, const std::vector<std::pair<Sets, Variant>>& ways) {
  Ready best;
  double least = 0;
  for (const auto& [sets, variant] : ways) {
    const auto spoil = [&, sets = sets] { poison(device, sets->front().columns); };
    const auto check = [&, sets = sets] { check_rows(what, sets->front().x, sets->front().columns, results); };
    const int count = static_cast<int>(sets->size());
    Ready now = ready(device, {.sets = count, .variants = {variant}, .poison = spoil, .check = check}, How::replayed);
    const double time = now.seconds();
    best.tried.emplace_back(variant.name, time);
    if (best.seconds && time >= least)
      continue;
    least = time;
    best.variant = variant.name;
    best.seconds = std::move(now.seconds);
  }
  return best;
}

template <int N, int Parts> std::pair<Sets, Variant> argmax_by(const Device& device, i64 rows, i64 columns) {
  const Sets sets = make_sets(device, rows, columns, tiles(columns, N), 1);
  return {sets,
          {std::to_string(N), [sets, partial = kernel<kernels::argmax_partial<f32, N>>("argmax_partial"),
                               last = kernel<kernels::argmax_final<f32, Parts>>("argmax_final")](int i, const Queue& queue) {
             Set& set = (*sets)[i];
             std::tie(set.found, set.found_at) = partial(std::move(set.found), std::move(set.found_at), set.x).start(queue);
             set.columns = last(std::move(set.columns), set.found, set.found_at).start(queue);
           }}};
}

template <int N, int Found> std::pair<Sets, Variant> topk_by(const Device& device, i64 rows, i64 columns) {
  const Sets sets = make_sets(device, rows, columns, tiles(columns, N) * k, k);
  return {sets,
          {std::to_string(N), [sets, partial = kernel<kernels::topk_partial<f32, k, N>>("topk_partial"),
                               last = kernel<kernels::topk_final<f32, k, Found>>("topk_final")](int i, const Queue& queue) {
             Set& set = (*sets)[i];
             std::tie(set.found, set.found_at) = partial(std::move(set.found), std::move(set.found_at), set.x).start(queue);
             std::tie(set.values, set.columns) =
                 last(std::move(set.values), std::move(set.columns), set.found, set.found_at).start(queue);
           }}};
}

Ready prepare_argmax(const Device& device, i64 rows, i64 columns) {
  return fastest(device, "argmax", 1,
                 {argmax_by<1024, 256>(device, rows, columns), argmax_by<2048, 128>(device, rows, columns),
                  argmax_by<4096, 64>(device, rows, columns)});
}
Ready prepare_topk(const Device& device, i64 rows, i64 columns) {
  return fastest(device, "top-k", k,
                 {topk_by<2048, 8192>(device, rows, columns), topk_by<4096, 4096>(device, rows, columns),
                  topk_by<8192, 2048>(device, rows, columns), topk_by<16384, 1024>(device, rows, columns)});
}

Case largest_case(const char* bench, i64 rows, i64 columns, std::function<Ready()> prepare) {
  return {
      .bench = bench, .what = std::to_string(rows) + "x" + std::to_string(columns), .unit = "µs", .prepare = std::move(prepare)};
}

} // namespace

void add_largest_cases(std::vector<Case>& cases, const Device& device, Size size) {
  const i64 columns = size == Size::full ? 151936 : 5000;
  for (i64 rows : size == Size::full ? std::vector<i64>{1, 64} : std::vector<i64>{2}) {
    cases.push_back(largest_case("argmax f32", rows, columns, [=] { return prepare_argmax(device, rows, columns); }));
    cases.push_back(largest_case("topk64 f32", rows, columns, [=] { return prepare_topk(device, rows, columns); }));
  }
}

} // namespace tegula::bench

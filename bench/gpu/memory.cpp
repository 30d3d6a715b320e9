// Kernels that only move memory: copies and sums.
#include "bench/gpu/Inputs.h"
#include "bench/gpu/Work.h"

#include "kernels/add.hpp"
#include "kernels/copy.hpp"

#include <memory>

namespace tegula::bench {
namespace {

constexpr i64 sampled = 1000;

struct CopySet {
  Tensor<f32, 1> x, y;
};

template <int N> Variant copying(const std::shared_ptr<std::vector<CopySet>>& sets) {
  return {std::to_string(N), [sets, copy = kernel<kernels::copy<f32, N>>("copy")](int i, const Queue& queue) {
            CopySet& set = (*sets)[i];
            set.y = copy(std::move(set.y), set.x).start(queue);
          }};
}

Ready prepare_copy(const Device& device, i64 size) {
  auto sets = std::make_shared<std::vector<CopySet>>();
  Work work{.sets = sets_for(8.0 * static_cast<double>(size)), .variants = {}, .poison = {}, .check = {}};
  for (int i = 0; i < work.sets; ++i)
    sets->push_back({normal<f32>(device, Extents<1>{size}, u64(i)), poisoned<f32, 1>(device, {size})});
  work.variants = {copying<1024>(sets), copying<2048>(sets), copying<4096>(sets), copying<8192>(sets)};
  work.poison = [=] { poison(device, sets->front().y); };
  work.check = [=] {
    const CopySet& set = sets->front();
    for (auto [from, to] : spots(size, sampled))
      check_close("copy", sample(set.y, from, to), sample(set.x, from, to), 0);
  };
  return ready(device, work);
}

template <class T> struct AddSet {
  Tensor<T, 1> a, b, c;
};

template <class T, int N> Variant adding(const std::shared_ptr<std::vector<AddSet<T>>>& sets, int warps) {
  return {std::to_string(N) + ", " + std::to_string(warps) + " warps",
          [sets, add = kernel<kernels::add<T, N>>("add", {.warps = warps})](int i, const Queue& queue) {
            AddSet<T>& set = (*sets)[i];
            set.c = add(std::move(set.c), set.a, set.b).start(queue);
          }};
}

template <class T> Ready prepare_add(const Device& device, i64 size) {
  auto sets = std::make_shared<std::vector<AddSet<T>>>();
  Work work{.sets = sets_for(3.0 * sizeof(T) * static_cast<double>(size)), .variants = {}, .poison = {}, .check = {}};
  for (int i = 0; i < work.sets; ++i)
    sets->push_back({normal<T>(device, Extents<1>{size}, 2 * u64(i)), normal<T>(device, Extents<1>{size}, 2 * u64(i) + 1),
                     poisoned<T, 1>(device, {size})});
  work.variants = {adding<T, 512>(sets, 8),   adding<T, 1024>(sets, 4),  adding<T, 1024>(sets, 16),
                   adding<T, 2048>(sets, 32), adding<T, 4096>(sets, 16), adding<T, 4096>(sets, 32)};
  work.poison = [=] { poison(device, sets->front().c); };
  work.check = [=] {
    const AddSet<T>& set = sets->front();
    for (auto [from, to] : spots(size, sampled)) {
      std::vector<double> expected = sample(set.a, from, to);
      const std::vector<double> b = sample(set.b, from, to);
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += b[i];
      check_close("add", sample(set.c, from, to), expected, rounding<T>);
    }
  };
  return ready(device, work);
}

template <class T> void add_add_cases(std::vector<Case>& cases, const Device& device, Size size) {
  for (int power : size == Size::full ? std::vector<int>{20, 24, 28} : std::vector<int>{14})
    cases.push_back({.bench = std::string("add ") + name(dtype_of<T>::value),
                     .what = "2^" + std::to_string(power),
                     .unit = "GB/s",
                     .amount = 3e-9 * sizeof(T) * static_cast<double>(i64{1} << power),
                     .prepare = [=] { return prepare_add<T>(device, i64{1} << power); }});
}

} // namespace

void add_memory_cases(std::vector<Case>& cases, const Device& device, Size size) {
  const i64 elements = size == Size::full ? i64{1} << 28 : i64{1} << 14;
  cases.push_back({.bench = "copy f32",
                   .what = size == Size::full ? "1 GiB" : "64 KiB",
                   .unit = "GB/s",
                   .amount = 8e-9 * static_cast<double>(elements),
                   .prepare = [=] { return prepare_copy(device, elements); }});
  add_add_cases<f32>(cases, device, size);
  add_add_cases<bf16>(cases, device, size);
}

} // namespace tegula::bench

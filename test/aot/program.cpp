// Launches every kernel and prints what comes out. It is built twice, with kernels compiled ahead of time and with the compiler;
// both must print the same.
#include "kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace tegula;

namespace {

template <class T> void show(const char* what, const std::vector<T>& values) {
  std::printf("%s:", what);
  for (const T& value : values)
    std::printf(" %g", static_cast<double>(value));
  std::printf("\n");
}

template <class F> void show_error(const char* what, const F& run) {
  try {
    run();
    std::printf("%s: nothing is wrong\n", what);
  } catch (const Error& error) {
    std::printf("%s: %s\n", what, error.what());
  }
}

std::vector<f32> counting(i64 n) {
  std::vector<f32> numbers;
  for (i64 i = 0; i < n; ++i)
    numbers.push_back(static_cast<f32>(i % 17) - 8);
  return numbers;
}

std::vector<bf16> narrow(i64 n) {
  std::vector<bf16> numbers;
  for (const f32 number : counting(n))
    numbers.emplace_back(number);
  return numbers;
}

/// Whole tiles, partial ones, an address of no alignment, and strides other than a row's.
void scale(const Device& d) {
  for (const i64 n : {512, 300, 4}) {
    const auto x = Tensor<f32, 1>::from_host(d, {n}, counting(n));
    show("scale", kernels::scale(Tensor<f32, 1>::zeros(d, {n}), x, 1.5).sync().to_host());
    show("scale by one warp", kernels::scale_by_one_warp(Tensor<f32, 1>::zeros(d, {n}), x, 3).sync().to_host());
  }
  const auto x = Tensor<f32, 1>::from_host(d, {300}, counting(300));
  show("scale a slice", kernels::scale(Tensor<f32, 1>::zeros(d, {100}), x.view().slice(0, 1, 101), 2).sync().to_host());
  const auto one = Tensor<f32, 1>::full(d, {1}, 5);
  show("scale a broadcast", kernels::scale(Tensor<f32, 1>::zeros(d, {9}), one.view().broadcast<1>({9}), 2).sync().to_host());
}

void product(const Device& d) {
  for (const i64 n : {64, 40, 33}) {
    const auto a = Tensor<bf16, 2>::from_host(d, {n, n}, narrow(n * n));
    const auto run = [&](const char* what, const auto& b) {
      show(what, kernels::product(Tensor<f32, 2>::zeros(d, {n, n}), a, b).sync().to_host());
    };
    run("product", a.view());
    run("product with a transposed matrix", a.view().transpose());
  }
}

} // namespace

int main() {
  std::vector<std::string> lines; // in the order in which programs run
  set_print_sink(
      [](void* user, const char* line, std::size_t n) { static_cast<std::vector<std::string>*>(user)->emplace_back(line, n); },
      &lines);
  const Device d = Device::gpu();
  scale(d);
  product(d);

  const auto numbers = Tensor<i32, 1>::from_host(d, {8}, {0, 1, 2, 3, 4, 5, 6, 7});
  show("copy", kernels::copy(Tensor<i32, 1>::zeros(d, {16}), numbers).sync().to_host());
  auto op = kernels::copy(Tensor<i32, 1>::full(d, {49}, 7), numbers);
  show_error("copy", [&] { std::move(op).sync(); });
  show("copy keeps its output", std::move(op).cancel().to_host());

  show("speak", kernels::speak(Tensor<i32, 1>::zeros(d, {4}), numbers.view().slice(0, 0, 4)).sync().to_host());
  show_error("speak", [&] { kernels::speak(Tensor<i32, 1>::zeros(d, {8}), numbers).sync(); });

  std::ranges::sort(lines);
  for (const std::string& line : lines)
    std::printf("%s\n", line.c_str());

  const auto gather = [&](i32 second) {
    const auto at = Tensor<i32, 1>::from_host(d, {2}, {5, second});
    show("gather", kernels::gather(Tensor<i32, 1>::zeros(d, {2}), numbers, at).sync().to_host());
  };
  gather(2);
  show_error("gather", [&] { gather(8); });

  show("snake", kernels::snake(Tensor<i32, 2>::zeros(d, {40, 40})).programs(3).sync().to_host());
  const auto halve = [&](i32 second) {
    std::vector<i32> positions;
    for (const i32 first : {0, second})
      for (i32 i = 0; i < 16; ++i)
        positions.push_back(first + 2 * i);
    const auto at = Certified<i32, 1>::from_host(d, {32}, positions, 64, distinct);
    show("halve", kernels::halve(Tensor<i32, 1>::zeros(d, {64}), at).programs(2).sync().to_host());
  };
  halve(32);
  try {
    halve(1);
  } catch (const LaunchError& error) { // which element is found first, depends on the order in which programs run
    const std::string text = error.what();
    std::printf("halve: %s\n", text.substr(0, text.find(" element ")).c_str());
  }

  auto values = Tensor<i32, 1>::from_host(d, {5}, {3, 1, 3, 0, 6});
  show_error("certify", [&] { certify(std::move(values), 5); });
  show_error("certify distinct values", [&] { certify(std::move(values), 7, distinct); });
  const auto certified = certify(std::move(values), 7);
  show("histogram", kernels::histogram(Tensor<i32, 1>::zeros(d, {7}), certified).sync().to_host());

  std::string proof = proof_json(kernels::copy); // but for how long it took
  for (std::size_t at; (at = proof.find("\"ms\":")) != std::string::npos;)
    proof.erase(at, proof.find_first_of(",}", at) - at);
  std::printf("%s\n", proof.c_str());
}

#include "bench/gpu/FirstLaunch.h"

#include "kernels/add.hpp"
#include "kernels/matrix_product.hpp"
#include "kernels/softmax.hpp"

#include <chrono>
#include <functional>
#include <utility>

namespace tegula::bench {
namespace {

double difference(const std::function<void()>& launch) {
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    launch();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double first = timed();
  return first - timed();
}

double add(const Device& device) {
  const auto x = Tensor<f32, 1>::full(device, {4096}, 1.5f);
  auto y = Tensor<f32, 1>::zeros(device, {4096});
  const auto run = kernel<kernels::add<f32, 1024>>("add");
  return difference([&] { y = run(std::move(y), x, x).sync(); });
}

double softmax(const Device& device) {
  const auto x = Tensor<bf16, 2>::full(device, {8, 4096}, bf16(1.5f));
  auto y = Tensor<bf16, 2>::zeros(device, {8, 4096});
  const auto run = kernel<kernels::softmax<bf16, 1, 4096>>("softmax");
  return difference([&] { y = run(std::move(y), x).sync(); });
}

double matrix_product(const Device& device) {
  const auto x = Tensor<bf16, 2>::full(device, {256, 256}, bf16(1.5f));
  auto y = Tensor<f32, 2>::zeros(device, {256, 256});
  const auto run = kernel<kernels::matrix_product<bf16, 128, 64, 32>>("matrix_product");
  return difference([&] { y = run(std::move(y), x, x).sync(); });
}

constexpr std::pair<const char*, double (*)(const Device&)> kernels_by_name[] = {
    {"add", add}, {"softmax", softmax}, {"matrix_product", matrix_product}};

} // namespace

std::vector<std::string> first_launch_kernels() {
  std::vector<std::string> names;
  for (const auto& [name, run] : kernels_by_name)
    names.emplace_back(name);
  return names;
}

double first_launch_seconds(const Device& device, const std::string& kernel) {
  for (const auto& [name, run] : kernels_by_name)
    if (kernel == name)
      return run(device);
  throw Error("there is no first launch of '" + kernel + "'");
}

} // namespace tegula::bench

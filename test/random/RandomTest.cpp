// Random kernels on the CPU and in the interpreter. TEGULA_RANDOM_KERNELS says how many, TEGULA_RANDOM_SEED where to start.
#include "test/random/Generator.h"
#include "test/support/Execute.h"
#include "test/support/Expect.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tegula::test {

namespace {

std::int64_t setting(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

/// Extents around a few tiles, often ragged; strides often not row-major.
Tensor random_input(const GeneratedKernel::Parameter& parameter, Random& random) {
  Shape extents, strides;
  for (std::int64_t tile : parameter.tile)
    extents.push_back(random.chance(5) ? 0 : random.chance(50) ? tile * (1 + random.below(2)) : 1 + random.below(2 * tile));
  strides = row_major_strides(extents);
  if (strides.size() >= 2 && random.chance(20)) { // transposed
    Shape swapped = extents;
    std::swap(swapped[0], swapped.back());
    strides = row_major_strides(swapped);
    std::swap(strides[0], strides.back());
  } else if (!strides.empty() && random.chance(20)) {
    strides[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(strides.size())))] = 0;
  } else if (random.chance(20)) {
    for (std::int64_t& stride : strides)
      stride *= 3;
  }
  Tensor tensor(parameter.dtype, extents, strides);
  tensor.fill(random.chance(50) || is_float(parameter.dtype) ? random_values(parameter.dtype, random, tensor.size(), -limit, limit)
                                                             : random_bits(parameter.dtype, random, tensor.size()));
  return tensor;
}

struct Launch {
  std::vector<Tensor> tensors; // in order, scalars left out
  std::vector<Scalar> scalars;
  std::int64_t programs = 1;
};

Launch make_launch(const GeneratedKernel& kernel, Random& random) {
  Launch launch;
  for (const GeneratedKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_scalar)
      launch.scalars.push_back({random_values(parameter.dtype, random, 1, -limit, limit)[0]});
    else if (!parameter.is_output)
      launch.tensors.push_back(random_input(parameter, random));
    else if (launch.tensors.empty()) { // the first decides about the programs: a few tiles
      Shape extents;
      for (std::int64_t tile : parameter.tile)
        extents.push_back(random.chance(60) ? tile : 1 + random.below(2 * tile));
      launch.tensors.emplace_back(parameter.dtype, extents);
      launch.programs = tile_count(launch.tensors[0], parameter.tile);
    } else {
      Shape extents = parameter.tile;
      extents[0] *= launch.programs;
      launch.tensors.emplace_back(parameter.dtype, extents);
    }
  }
  return launch;
}

void run(Executor executor, const GeneratedKernel& kernel, Launch& launch) {
  std::vector<Argument> arguments;
  std::size_t tensor = 0, scalar = 0;
  for (const GeneratedKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_scalar)
      arguments.emplace_back(launch.scalars[scalar++]);
    else
      arguments.emplace_back(&launch.tensors[tensor++]);
  }
  Outcome outcome = prepare(executor, kernel.text)->run(arguments, launch.programs);
  ASSERT_FALSE(outcome.failure) << name(executor) << ": " << *outcome.failure;
  for (const Tensor& each : launch.tensors)
    ASSERT_TRUE(each.bytes.is_intact()) << name(executor) << " wrote before a tensor";
}

void compare(const GeneratedKernel& kernel, const Launch& actual, const Launch& expected) {
  std::size_t next = 0;
  for (const GeneratedKernel::Parameter& parameter : kernel.parameters) {
    if (parameter.is_scalar)
      continue;
    std::size_t tensor = next++;
    if (!parameter.is_output)
      continue;
    const Bits a = actual.tensors[tensor].bits(), b = expected.tensors[tensor].bits();
    const DType t = parameter.dtype;
    for (std::size_t i = 0; i < a.size(); ++i) {
      bool is_near = is_float(t) && parameter.error > 0 && matches(t, a[i], Expected::about(decode(t, b[i]), parameter.error));
      ASSERT_TRUE(is_near || matches(t, a[i], Expected::of_bits(b[i]), /*zeros_differ=*/false))
          << "tensor " << tensor << " of " << spell(t, parameter.tile) << ", element " << i << ": compiled " << show(t, a[i])
          << ", interpreter " << show(t, b[i]) << ", allowed " << parameter.error;
    }
  }
}

void check(std::uint64_t seed) {
  GeneratedKernel kernel = Generator(seed).generate();
  Random random(seed + 1);
  Launch compiled = make_launch(kernel, random), interpreted = compiled;
  ASSERT_NO_FATAL_FAILURE(run(Executor::interpreter, kernel, interpreted)) << kernel.text;
  ASSERT_NO_FATAL_FAILURE(run(back_end(), kernel, compiled)) << kernel.text;
  ASSERT_NO_FATAL_FAILURE(compare(kernel, compiled, interpreted)) << kernel.text;
}

constexpr std::int64_t kernels_per_test = 10;

class RandomKernels : public testing::TestWithParam<std::int64_t> {};

TEST_P(RandomKernels, agree_with_the_interpreter) {
  const std::int64_t start = setting("TEGULA_RANDOM_SEED", 1), count = setting("TEGULA_RANDOM_KERNELS", 300);
  for (std::int64_t i = GetParam(); i < std::min(GetParam() + kernels_per_test, count); ++i) {
    SCOPED_TRACE("seed " + std::to_string(start + i) + ": repeat with TEGULA_RANDOM_SEED=" + std::to_string(start + i) +
                 " TEGULA_RANDOM_KERNELS=1");
    check(static_cast<std::uint64_t>(start + i));
  }
}

INSTANTIATE_TEST_SUITE_P(all, RandomKernels,
                         testing::Range<std::int64_t>(0, setting("TEGULA_RANDOM_KERNELS", 300), kernels_per_test));

} // namespace

} // namespace tegula::test
